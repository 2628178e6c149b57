/** Checks which records each caller sees. */
import { type Answer, fail } from './client.js'
import type { AnyCaller } from './host.js'
import type { ListUnderTest, SeenItem } from './list-under-test.js'

/**
 * Missing records are found only with a caller of the reach `'all'`.
 *
 * @returns why the check is skipped
 */
export async function callersSeeTheirReach(tested: ListUnderTest): Promise<string | undefined> {
  const { name, owner } = tested.list
  if (tested.ownerField === undefined) return `The items of ${name} need a field of the column ${owner} for this check.`
  const { widest } = tested
  const all = widest && (await tested.walk(widest))
  for await (const { caller, first, found } of tested.walks()) {
    requireWithin(tested, caller, found)
    if (all) requireSame(first.answer, found, all.found.filter(tested.within(caller)), all.complete)
  }
  return undefined
}

function requireWithin(tested: ListUnderTest, caller: AnyCaller, found: readonly SeenItem[]): void {
  const isWithin = tested.within(caller)
  const wrong = found.find((record) => !isWithin(record))
  if (!wrong) return
  const reach = `the reach of ${caller.name} (user ${caller.userId}) is '${tested.reachOf(caller)}'`
  const linked = tested.reachOf(caller) === 'linked' ? ", and the caller's 'linked' does not have this user" : ''
  fail(wrong.answer, `record ${wrong.id} is of user ${wrong.owner || 'none'}, but ${reach}${linked}.`)
}

/** @param complete whether both hold all records. Otherwise the common length is compared. */
function requireSame(
  answer: Answer,
  found: readonly SeenItem[],
  expected: readonly SeenItem[],
  complete: boolean
): void {
  const length = (complete ? Math.max : Math.min)(found.length, expected.length)
  for (let index = 0; index < length; index++) {
    const [is, should] = [found[index], expected[index]]
    if (is?.id === should?.id) continue
    if (should && !found.some(({ id }) => id === should.id)) {
      const missing = `record ${should.id} of user ${should.owner || 'none'} is missing`
      fail(answer, `${missing}, but is in the answer to ${should.answer.request}.`)
    }
    if (should) fail(answer, `record ${is?.id} is at the place of record ${should.id} in ${should.answer.request}.`)
    fail(answer, `record ${(is as SeenItem).id} should not be in the answer.`)
  }
}

/** Checks which records each caller sees. */
import { type Answer, fail } from './client.js'
import type { ConformanceCaller, ListUnderTest, SeenItem } from './list-under-test.js'

/** Missing records are found only with a caller of the reach `'all'`. */
export async function callersSeeTheirReach(tested: ListUnderTest): Promise<void> {
  const { allowed } = tested
  const widest = allowed.find((caller) => tested.reachOf(caller) === 'all')
  const all = widest && (await tested.walk(widest))
  for (const caller of allowed) {
    const { first, found, complete } = await tested.walk(caller)
    requireWithin(tested, caller, found)
    const isWithin = tested.within(caller)
    if (all) requireSame(first.answer, found, all.found.filter(isWithin), complete && all.complete)
  }
}

export function requireWithin(tested: ListUnderTest, caller: ConformanceCaller, found: readonly SeenItem[]): void {
  const isWithin = tested.within(caller)
  for (const record of found) {
    if (isWithin(record)) continue
    const { id, item, answer } = record
    const reach = `the reach of ${caller.name} (user ${caller.userId}) is '${tested.reachOf(caller)}'`
    fail(answer, `record ${id} is of user ${item.user_id}, but ${reach}.`)
  }
}

/** @param complete whether both hold all records. Otherwise the common length is compared. */
export function requireSame(
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
      fail(
        answer,
        `record ${should.id} of user ${should.item.user_id || 'none'} is missing, but is in the answer to ${should.answer.request}.`
      )
    }
    const instead = should
      ? `is at the place of record ${should.id} in ${should.answer.request}`
      : 'should not be in the answer'
    fail(answer, `record ${is?.id} ${instead}.`)
  }
}

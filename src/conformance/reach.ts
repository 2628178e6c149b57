/** Checks which records each caller sees. */
import { partsOf } from '../lists/reach.js'
import { fail } from './client.js'
import type { AnyCaller } from './host.js'
import type { ListUnderTest, SeenItem, Walk } from './list-under-test.js'

/**
 * Missing records are found only with a caller of the reach `'all'`.
 *
 * @returns why the check is skipped
 */
export async function callersSeeTheirReach(tested: ListUnderTest): Promise<string | undefined> {
  const { list, widest } = tested
  const hidden = tested.allowed.map((caller) => tested.hiddenColumn(caller))
  const all = widest && (await tested.walk(widest))
  for (const [place, caller] of tested.allowed.entries()) {
    if (hidden[place] !== undefined) continue
    const walk = await tested.walk(caller)
    requireWithin(tested, caller, walk.found)
    if (all) requireSame(walk, { ...all, found: all.found.filter(tested.within(caller, widest)) })
  }
  const column = hidden.find(Boolean)
  return column && `The items of ${list.name} need a field of the column ${column} for this check.`
}

function requireWithin(tested: ListUnderTest, caller: AnyCaller, found: readonly SeenItem[]): void {
  const isWithin = tested.within(caller)
  const wrong = found.find((record) => !isWithin(record))
  if (!wrong) return
  const given = caller.reach[tested.list.name]
  const text = JSON.stringify(given).replaceAll('"', typeof given === 'string' ? "'" : '')
  const reach = `the reach of ${caller.name} (user ${caller.userId}) is ${text}`
  const linked = given === 'linked' ? ", and the caller's 'linked' does not have this user" : ''
  const fields = partsOf(tested.reachOf(caller)).map(({ column }) => String(tested.fieldOf(`r.${column}`)))
  const ids = [...new Set(fields)].map((field) => `${field} ${wrong.item[field]}`)
  const what = typeof given === 'string' ? `is ${ofUser(wrong)}` : `has ${ids.join(' and ')}`
  fail(wrong.answer, `record ${wrong.id} ${what}, but ${reach}${linked}.`)
}

/** Undefined in a list without users. */
const ofUser = ({ owner }: SeenItem) => (owner === undefined ? undefined : `of user ${owner || 'none'}`)

/** Both walks have the same records in the same order, up to the end of the one that has not read all of its records. */
function requireSame({ first: { answer }, found, complete }: Walk, expected: Pick<Walk, 'found' | 'complete'>): void {
  const ends = [complete || found.length, expected.complete || expected.found.length]
  const last = Math.min(...ends.filter((end) => end !== true), Math.max(found.length, expected.found.length))
  for (let index = 0; index < last; index++) {
    const [is, should] = [found[index], expected.found[index]]
    if (is?.id === should?.id) continue
    if (should && !found.some(({ id }) => id === should.id)) {
      const missing = `record ${should.id} ${ofUser(should) ?? 'of the reach'} is missing`
      fail(answer, `${missing}, but is in the answer to ${should.answer.request}.`)
    }
    if (should) fail(answer, `record ${is?.id} is at the place of record ${should.id} in ${should.answer.request}.`)
    fail(answer, `record ${(is as SeenItem).id} should not be in the answer.`)
  }
}

/** Checks which records each caller sees. */
import { fail } from './client.js'
import type { AnyCaller } from './host.js'
import { shown } from './known.js'
import { fieldsOf, type ListUnderTest, type SeenItem, type Walk } from './list-under-test.js'

/** Missing records are found with a caller of the reach `'all'`, or with the `totals` of a caller. */
export async function callersSeeTheirReach(tested: ListUnderTest): Promise<void> {
  for (const caller of tested.allowed) {
    const walk = await tested.walk(caller)
    const widest = tested.widestFor(caller)
    const isWithin = await tested.within(caller)
    const wrong = walk.found.find((record) => isWithin(record) === false)
    if (wrong) failOutside(tested, caller, wrong)
    if (widest && tested.hiddenColumn(caller) === undefined) {
      const all = await tested.walk(widest)
      requireSame(walk, { ...all, found: all.found.filter(isWithin) })
    }
    requireTotal(tested, caller, walk)
  }
}

function requireTotal(tested: ListUnderTest, caller: AnyCaller, { first: { answer, total } }: Walk): void {
  const { name } = tested.list
  const expected = caller.totals?.[name]
  if (expected !== undefined) {
    if (total !== Number(expected))
      fail(answer, `the total is ${total}, but the totals of ${caller.name} say ${expected}.`)
    return
  }
  const advice = `give ${caller.name} the number that your own statement counts, such as totals: { ${name}: ${total || 12} }`
  const hidden = tested.hiddenColumn(caller)
  if (hidden)
    fail(answer, `no field shows ${hidden}, so nobody can see whether these records are in the reach: ${advice}.`)
  const least = `or totals: { ${name}: 0 } if there are none`
  if (total === 0)
    fail(answer, `${caller.name} sees no records, so their reach is not tested: choose another caller, ${least}.`)
}

function failOutside(tested: ListUnderTest, caller: AnyCaller, wrong: SeenItem): never {
  const { list } = tested
  const given = caller.reach[list.name]
  const text = shown(given).replaceAll('"', typeof given === 'string' ? "'" : '')
  const reach = `the reach of ${caller.name} (user ${caller.userId}) is ${text}`
  const linked = given === 'linked' ? ", and the caller's 'linked' does not have this user" : ''
  const within = Object.keys(list.within)
  const columns = [...new Set([...tested.columnsOf(tested.reachOf(caller)), ...within])]
  const cells = columns
    .flatMap((column) => fieldsOf(list, `r.${column}`))
    .map((field) => `${field} ${wrong.item[field]}`)
  const what = typeof given === 'string' && within.length === 0 ? `is ${ofUser(wrong)}` : `has ${cells.join(' and ')}`
  fail(wrong.answer, `record ${wrong.id} ${what}, but ${reach}${linked}.`)
}

/** Undefined in a list without users. */
const ofUser = ({ owner }: SeenItem) => (owner === undefined ? undefined : `of user ${owner || 'none'}`)

/** The same records in the same order, up to the end of a walk that has not read all of its records. */
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

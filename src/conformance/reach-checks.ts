/** Checks which records each caller sees. */
import type { List } from '../lists/list.js'
import { fail } from './client.js'
import { columnsOf, hiddenColumn, reachedBy, recordsOf, widestIn } from './expected-reach.js'
import { shown } from './known-record-checks.js'
import { fieldsOf, type Item, type SeenItem, type Viewer, valueIn, type Walk } from './viewer.js'

/** Missing records are found with a caller of the reach `'all'`, or with the `totals` of a caller. */
export async function callersSeeTheirReach(viewer: Viewer): Promise<void> {
  const { tested } = viewer
  const walk = await viewer.walk()
  const isReached = reachedBy(viewer.reach, viewer)
  const wrong = (await recordsOf(viewer)).find(({ cells }) => isReached(cells) === false)
  if (wrong) failOutside(viewer, wrong)
  const all = await widestIn(tested, viewer)?.walk()
  const hidden = hiddenColumn(viewer)
  if (all && !hidden) requireSame(tested.list, walk, { ...all, found: all.found.filter(({ item }) => isReached(item)) })
  requireTotal(viewer, walk, hidden)
}

function requireTotal({ given, view: { name } }: Viewer, { first: { answer, total } }: Walk, hidden?: string): void {
  const expected = given.totals?.[name]
  if (expected !== undefined) {
    if (total !== Number(expected))
      fail(answer, `the total is ${total}, but the totals of ${given.name} say ${expected}.`)
    return
  }
  const advice = `give ${given.name} the number that your own statement counts, such as totals: { ${name}: ${total || 12} }`
  if (hidden)
    fail(answer, `no field shows ${hidden}, so nobody can see whether these records are in the reach: ${advice}.`)
  const least = `or totals: { ${name}: 0 } if there are none`
  if (total === 0)
    fail(answer, `${given.name} sees no records, so their reach is not tested: choose another caller, ${least}.`)
}

function failOutside({ given, reach, tested: { list } }: Viewer, { id, item, answer }: SeenItem): never {
  const expected = given.reach[list.name]
  const isWord = typeof expected === 'string'
  const text = shown(expected).replaceAll('"', isWord ? "'" : '')
  const linked = expected === 'linked' ? ", and the caller's 'linked' does not have this user" : ''
  const within = Object.keys(list.within)
  const fields = [...new Set([...columnsOf(reach), ...within])].flatMap((column) => fieldsOf(list, `r.${column}`))
  const cells = fields.map((field) => `${field} ${item[field]}`).join(' and ')
  const what = isWord && within.length === 0 ? `is ${ofUser(list, item)}` : `has ${cells}`
  fail(answer, `record ${id} ${what}, but the reach of ${given.name} (user ${given.userId}) is ${text}${linked}.`)
}

/** Undefined in a list without users. */
const ofUser = (list: List, item: Item) =>
  list.owner === undefined ? undefined : `of user ${valueIn(item, list, `r.${list.owner}`) || 'none'}`

/** The same records in the same order, up to the end of a walk that has not read all of its records. */
function requireSame(list: List, { first: { answer }, found, complete }: Walk, expected: Walk): void {
  const last = Math.min(complete ? Infinity : found.length, expected.complete ? Infinity : expected.found.length)
  for (const [index, should] of expected.found.slice(0, last).entries()) {
    const is = found[index]
    if (is?.id === should.id) continue
    const [user, place] = [ofUser(list, should.item) ?? 'of the reach', should.answer.request]
    if (!found.some(({ id }) => id === should.id))
      fail(answer, `record ${should.id} ${user} is missing, but is in the answer to ${place}.`)
    fail(answer, `record ${is?.id} is at the place of record ${should.id} in ${place}.`)
  }
  const [more] = found.slice(expected.found.length, last)
  if (more) fail(answer, `record ${more.id} should not be in the answer.`)
}

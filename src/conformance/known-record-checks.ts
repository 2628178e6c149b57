/** Compares a list with the records and the number that the host knows. */
import { isDeepStrictEqual } from 'node:util'
import type { List, Path } from '../lists/list.js'
import { fail, type Query } from './client.js'
import { widestIn } from './expected-reach.js'
import { fieldOf, type Item, type ListUnderTest, maxSteps, type SeenPage, type Viewer } from './viewer.js'

export async function knownRecordsAreRight(tested: ListUnderTest): Promise<string | undefined> {
  const { list, host } = tested
  const viewer = widestIn(tested)
  const records = host.known?.[list.name] ?? []
  if (!viewer || records.length === 0) return `The host gives no records in known.${list.name}.`
  for (const record of records) {
    const { item, answer } = await findRecord(viewer, record)
    for (const [name, expected] of Object.entries(record)) {
      const value = item[name]
      if (name === list.id || isSame(value, expected)) continue
      // The role that gets the field does not reach the record.
      if (value === undefined && viewer.view.fields[name]?.roles) continue
      const text = `${name} of record ${record[list.id]} is ${shown(value)}, expected ${shown(expected)}.`
      fail(answer, `${text} Correct the option 'tables', or the known record.`)
    }
  }
  return undefined
}

export async function totalIsTheKnownNumber(tested: ListUnderTest): Promise<string | undefined> {
  const { host, list } = tested
  const expected = host.totals?.[list.name]
  const viewer = widestIn(tested)
  if (!viewer || expected === undefined) return `The host gives no number in totals.${list.name}.`
  const { answer, total } = await viewer.page()
  const advice = "A join or a condition in the option 'tables' can drop or repeat records."
  if (total !== Number(expected)) fail(answer, `the total is ${total}, expected ${expected}. ${advice}`)
  return undefined
}

/** A host can give an id as a number, which is a text in an answer. */
const isSame = (value: unknown, expected: unknown) =>
  isDeepStrictEqual(value, expected) ||
  (['number', 'bigint'].includes(typeof expected) && String(value) === String(expected))

export const shown = (value: unknown) =>
  JSON.stringify(value, (_name, part) => (typeof part === 'bigint' ? String(part) : part))

async function findRecord(viewer: Viewer, record: Item) {
  const { view, maxLimit } = viewer
  const id = String(record[view.id])
  const query = queryFinding(record, view)
  let first: SeenPage | undefined
  for await (const page of pagesOf(viewer, query)) {
    first ??= page
    const seen = page.found.find((each) => each.id === id)
    if (seen) return seen
  }
  const { answer, total } = first as SeenPage
  const used = Object.keys(query).join(' and ')
  const wrong = `If the record is in the list without ${used}, the option 'tables' or the known record has a wrong field.`
  if (total <= maxSteps * maxLimit) fail(answer, `record ${id} is not in the answers.${used && ` ${wrong}`}`)
  const where = view.paging === 'after' ? `first ${maxSteps}` : `first or the last ${maxSteps / 2}`
  const advice = 'Give the known record a field that the search or a filter covers.'
  fail(answer, `record ${id} is not on the ${where} pages. ${advice}`)
}

/** At most `maxSteps` pages, with page numbers from both ends: known records are often the newest or the oldest. */
async function* pagesOf(viewer: Viewer, query: Query): AsyncGenerator<SeenPage> {
  const limit = viewer.maxLimit
  if (viewer.view.paging === 'after') return yield* viewer.following({ ...query, limit })
  const first = await viewer.page({ ...query, page: 1, limit })
  yield first
  const last = Math.ceil(first.total / limit)
  for (let number = 2; number <= Math.min(last, maxSteps); number++) {
    const page = number % 2 === 1 ? (number + 1) / 2 : last + 1 - number / 2
    yield await viewer.page({ ...query, page, limit })
  }
}

/** A search for the longest text, and the filters, because many records may share one value. */
function queryFinding(record: Item, list: List): Query {
  const textOf = (path: Path) => {
    const value = record[String(fieldOf(list, path))]
    // All collations compare printable ASCII alike, except for case.
    return typeof value === 'string' && /^[ -~]{1,256}$/.test(value) ? value : ''
  }
  const { records, users } = list.search
  const [search = ''] = [...records, ...users].map(textOf).sort((one, other) => other.length - one.length)
  const equal = Object.entries(list.filters).filter(([, { operator }]) => operator === '=')
  const filters = equal.map(([name, { column }]) => [name, textOf(`r.${column}`)] as const)
  return Object.fromEntries([['search', search] as const, ...filters].filter(([, text]) => text !== ''))
}

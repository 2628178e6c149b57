/** Compares a list with the records and the number that the host knows. */
import { isDeepStrictEqual } from 'node:util'
import type { List } from '../lists/list.js'
import { fail } from './client.js'
import type { AnyCaller } from './host.js'
import {
  fieldOf,
  type ListUnderTest,
  maxSteps,
  type Parameters,
  type SeenItem,
  type SeenPage
} from './list-under-test.js'

type KnownRecord = Readonly<Record<string, unknown>>

export async function knownRecordsAreRight(tested: ListUnderTest): Promise<string | undefined> {
  const { list, host } = tested
  const widest = tested.widestFor()
  const records = host.known?.[list.name] ?? []
  if (!widest || records.length === 0) return `The host gives no records in known.${list.name}.`
  for (const record of records) {
    const { item, answer } = await findRecord(tested, widest, record)
    for (const [name, expected] of Object.entries(record)) {
      const value = item[name]
      if (name === list.id || isSame(value, expected)) continue
      // The role that gets the field does not reach the record.
      if (value === undefined && tested.listOf(widest).fields[name]?.roles) continue
      const text = `${name} of record ${record[list.id]} is ${shown(value)}, expected ${shown(expected)}.`
      fail(answer, `${text} Correct the option 'tables', or the known record.`)
    }
  }
  return undefined
}

export async function totalIsTheKnownNumber(tested: ListUnderTest): Promise<string | undefined> {
  const { list, host } = tested
  const widest = tested.widestFor()
  const expected = host.totals?.[list.name]
  if (!widest || expected === undefined) return `The host gives no number in totals.${list.name}.`
  const { answer, total } = await tested.page(widest)
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

async function findRecord(tested: ListUnderTest, caller: AnyCaller, record: KnownRecord): Promise<SeenItem> {
  const { list, settings } = tested
  const id = String(record[list.id])
  const narrowing = narrowingOf(tested.listOf(caller), record)
  const limit = settings.maxLimit
  let first: SeenPage | undefined
  for await (const page of pagesOf(tested, caller, narrowing)) {
    first ??= page
    const seen = page.found.find((each) => each.id === id)
    if (seen) return seen
  }
  const { answer, total } = first as SeenPage
  const used = Object.keys(narrowing).join(' and ')
  const wrong = `If the record is in the list without ${used}, the option 'tables' or the known record has a wrong field.`
  if (total <= maxSteps * limit) fail(answer, `record ${id} is not in the answers.${used && ` ${wrong}`}`)
  const advice = 'Give the known record a field that the search or a filter covers.'
  const where = list.paging === 'after' ? `first ${maxSteps}` : `first or the last ${maxSteps / 2}`
  return fail(answer, `record ${id} is not on the ${where} pages. ${advice}`)
}

/** At most `maxSteps` pages, with page numbers from both ends: known records are often the newest or the oldest. */
async function* pagesOf(tested: ListUnderTest, caller: AnyCaller, parameters: Parameters): AsyncGenerator<SeenPage> {
  const limit = tested.settings.maxLimit
  if (tested.list.paging === 'after') return yield* tested.following(caller, { ...parameters, limit })
  const first = await tested.page(caller, { ...parameters, page: 1, limit })
  yield first
  const last = Math.ceil(first.total / limit)
  for (let number = 2; number <= Math.min(last, maxSteps); number++) {
    const page = number % 2 === 1 ? (number + 1) / 2 : last + 1 - number / 2
    yield await tested.page(caller, { ...parameters, page, limit })
  }
}

/** The parameters that find the known fields: a search for the longest text, and the filters. */
function narrowingOf(list: List, record: KnownRecord): Parameters {
  const textOf = (path: string) => {
    const value = record[String(fieldOf(list, path))]
    // All collations compare printable ASCII alike, except for case.
    return typeof value === 'string' && /^[ -~]{1,256}$/.test(value) ? value : ''
  }
  const { records, users } = list.search
  const searched = [...records, ...users].map(textOf)
  const search = searched.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
  const equal = Object.entries(list.filters).filter(([, { operator }]) => operator === '=')
  const filters = equal.map(([name, { column }]) => [name, textOf(`r.${column}`)] as const)
  return Object.fromEntries([['search', search] as const, ...filters].filter(([, text]) => text !== ''))
}

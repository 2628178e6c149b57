/** Checks the records that search and filters find. */
import type { TSchema } from '@sinclair/typebox'
import type { Filter } from '../lists/list.js'
import { fail } from './client.js'
import type { ListUnderTest, Parameters, SeenItem, Walk } from './list-under-test.js'
import { requireSame, requireWithin } from './reach.js'

const wildcards = ['%', '_', '\\', '!']

/** @returns why the check is skipped */
export async function searchIsLiteral(tested: ListUnderTest): Promise<string | undefined> {
  if (!tested.list.parameters.search) return `The list ${tested.list.name} has no search.`
  for await (const walk of tested.walks()) {
    const texts = exampleTexts(tested, walk)
    // The last text is in no single field (contract 76).
    for (const search of [...wildcards, ...texts.map(otherCase), texts.join(' ').slice(0, 256)]) {
      await requireNarrowed(tested, walk, { search })
    }
  }
  return undefined
}

export async function filtersKeepWhatTheyName(tested: ListUnderTest): Promise<void> {
  const { list } = tested
  for await (const walk of tested.walks()) {
    const { found } = walk
    const [search = ''] = exampleTexts(tested, walk)
    for (const [name, filter] of Object.entries(list.filters)) {
      const field = tested.fieldOf(`r.${filter.column}`)
      const stored = field ? found.flatMap(({ item }) => asParameter(filter, item[field]) ?? []) : []
      for (const value of triedValues(filter, list.parameters[name] as TSchema, [...new Set(stored)])) {
        await requireNarrowed(tested, walk, { [name]: value })
      }
      await requireNarrowed(tested, walk, { [name]: stored[0] ?? '', ...(search && { search }) })
    }
  }
}

export function searchedFields(tested: ListUnderTest): { fields: string[]; areComplete: boolean } {
  const { records, users } = tested.list.search
  const columns = [...records, ...users]
  const fields = columns.map((column) => tested.fieldOf(column)).filter((field) => field !== undefined)
  return { fields, areComplete: fields.length === columns.length }
}

const exampleTexts = (tested: ListUnderTest, { found }: Walk): string[] =>
  searchedFields(tested).fields.flatMap((name) => found.map(({ item }) => textIn(item, name)).find(isPlain) ?? [])

/** A null matches no search. */
const textIn = (item: SeenItem['item'], name: string) => String(item[name] ?? '')

/** At most six values. */
function triedValues({ operator, form }: Filter, schema: TSchema, stored: readonly string[]) {
  if (operator === 'in')
    return ['', stored.slice(0, 2), [...stored.slice(0, 1), ...(schema.items.enum ?? ['no such value'])]]
  const known = form ? stored : ['no such status', ...stored]
  return ['', ...(form && schema.type === 'boolean' ? ['true', 'false'] : (schema.enum ?? known))].slice(0, 6)
}

/** The value of an item in the form of a parameter. Undefined for a value that no parameter can be compared with exactly. */
function asParameter({ operator, form }: Filter, value: unknown): string | undefined {
  if (operator === 'has') return String(value !== null && value !== '')
  if (value === null || value === '') return undefined
  const text = String(value)
  if (!form) return isPlain(text) ? text : undefined
  const given = form.message === 'parameterNotTime' ? text.replace(' ', 'T') : text
  return form.read(given) === undefined ? undefined : given
}

/** All collations compare printable ASCII alike, except for case. */
export const isPlain = (text: string) => /^[ -~]{1,256}$/.test(text)

const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const otherCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))

/**
 * @returns undefined when an item does not show the column, and when the collation decides, for example whether `é`
 * equals `e`, or `％` equals `%`
 */
function fits(tested: ListUnderTest, parameters: Parameters, { item }: SeenItem): boolean | undefined {
  const { search = '', ...filters } = parameters
  const { list } = tested
  const used = Object.entries(filters).filter(([, value]) => [value].flat().some((each) => each !== ''))
  const compared = used.map(([name, value]) => {
    const filter = list.filters[name] as Filter
    const field = tested.fieldOf(`r.${filter.column}`)
    if (field === undefined) return undefined
    return fitsFilter(filter, item[field], [value].flat().map(String))
  })
  if (compared.includes(false)) return false
  if (compared.includes(undefined)) return undefined
  const { fields, areComplete } = searchedFields(tested)
  const texts = fields.map((name) => textIn(item, name))
  const term = asciiLower(search === '' ? '' : list.search.term(String(search)))
  if (term === '' || texts.some((text) => asciiLower(text).includes(term))) return true
  if (texts.some((text) => asciiLower(text.normalize('NFKC')).includes(term))) return undefined
  if (!areComplete) return undefined
  return /[a-z]/.test(term) && !texts.every((text) => /^[ -~]*$/.test(text)) ? undefined : false
}

/** A day alone is less than each time of the day. Undefined for a value that no parameter can be compared with. */
function fitsFilter(filter: Filter, value: unknown, values: readonly string[]): boolean | undefined {
  const { operator, form } = filter
  if (operator === '=' || operator === 'in') return values.includes(String(value))
  const [own, asked] = [asParameter(filter, value), String(values[0])]
  if (operator === 'has') return own === asked
  if (value === null || value === '') return false
  // A number with too many digits, for example.
  if (own === undefined || form === undefined) return undefined
  if (operator === '>=') return !form.isGreater(asked, own)
  return operator === '<=' ? !form.isGreater(own, asked) : form.isGreater(asked, own)
}

async function requireNarrowed(tested: ListUnderTest, walk: Walk, parameters: Parameters): Promise<void> {
  const { caller, complete } = walk
  const limit = tested.settings.maxLimit
  const { answer, total, found } = await tested.page(caller, { ...parameters, limit })
  requireWithin(tested, caller, found)
  const isWrong = (found: SeenItem) => fits(tested, parameters, found) === false
  const isRight = (found: SeenItem) => fits(tested, parameters, found) === true
  const wrong = found.find(isWrong)
  if (wrong) fail(answer, `record ${wrong.id} does not match.`)

  // Another check reports records of the walk outside the reach.
  const expected = walk.found.filter(tested.within(caller)).filter(isRight)
  const isAll = found.length < limit
  requireSame(answer, found.filter(isRight), expected, complete && isAll)

  const most = complete ? walk.found.filter((found) => !isWrong(found)).length : walk.first.total
  const least = complete ? expected.length : found.length
  if (isAll ? total !== found.length : total < least || total > most) {
    fail(answer, `the total is ${total}, but ${isAll ? found.length : `${least} to ${most}`} records match.`)
  }
}

/** Checks the records that search and filters find. */
import { type List, searchedColumns } from '../lists/list.js'
import { fail } from './client.js'
import type { ConformanceCaller, Found, Parameters, Subject } from './list-under-test.js'
import { requireSame, requireWithin } from './reach.js'

const wildcards = ['%', '_', '\\', '!']

export async function searchIsLiteral(subject: Subject): Promise<void> {
  for (const caller of subject.allowed) {
    const texts = await exampleTexts(subject, caller)
    // The last text is in no single field (contract 76).
    for (const search of [...wildcards, ...texts.map(otherCase), texts.join(' ').slice(0, 256)]) {
      await requireNarrowed(subject, caller, { search })
    }
  }
}

export async function filtersKeepWhatTheyName(subject: Subject): Promise<void> {
  const { list, allowed } = subject
  for (const caller of allowed) {
    const { found } = await subject.walk(caller)
    const [search = ''] = await exampleTexts(subject, caller)
    for (const name of Object.keys(list.filters)) {
      const field = fieldOf(list, `r.${list.filters[name]}`)
      const stored = field ? found.map(({ item }) => String(item[field])).filter(isPlain) : []
      const values = list.parameters[name]?.enum ?? ['no such status', ...stored]
      for (const value of ['', ...new Set<string>(values)].slice(0, 6)) {
        await requireNarrowed(subject, caller, { [name]: value })
      }
      await requireNarrowed(subject, caller, { [name]: stored[0] ?? '', search })
    }
  }
}

/** @returns undefined for a column that items do not show */
const fieldOf = ({ fields }: List, column: string): string | undefined =>
  Object.keys(fields).find((name) => fields[name]?.column === column)

function searchedFields({ list }: Subject): { fields: string[]; areComplete: boolean } {
  const columns = searchedColumns(list.search).flat()
  const fields = columns.map((column) => fieldOf(list, column)).filter((field) => field !== undefined)
  return { fields, areComplete: fields.length === columns.length }
}

async function exampleTexts(subject: Subject, caller: ConformanceCaller): Promise<string[]> {
  const { found } = await subject.walk(caller)
  return searchedFields(subject).fields.flatMap(
    (name) => found.map(({ item }) => String(item[name])).find(isPlain) ?? []
  )
}

/** All collations compare printable ASCII alike, except for case. */
const isPlain = (text: string) => /^[ -~]{1,256}$/.test(text)

const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const otherCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))

/**
 * @returns undefined when an item does not show the column, and when the collation decides, for example whether `é`
 * equals `e`, or `％` equals `%`
 */
function matches(subject: Subject, { search = '', ...filters }: Parameters, { item }: Found): boolean | undefined {
  const { list } = subject
  const used = Object.entries(filters).filter(([, value]) => value !== '')
  const compared = used.map(([name, value]) => {
    const field = fieldOf(list, `r.${list.filters[name]}`)
    return field === undefined ? undefined : item[field] === value
  })
  if (compared.includes(false)) return false
  if (compared.includes(undefined)) return undefined
  const { fields, areComplete } = searchedFields(subject)
  const texts = fields.map((name) => String(item[name]))
  const term = lower(String(search))
  if (term === '' || texts.some((text) => lower(text).includes(term))) return true
  if (texts.some((text) => lower(text.normalize('NFKC')).includes(term))) return undefined
  if (!areComplete) return undefined
  return /[a-z]/.test(term) && !texts.every((text) => /^[ -~]*$/.test(text)) ? undefined : false
}

async function requireNarrowed(subject: Subject, caller: ConformanceCaller, parameters: Parameters): Promise<void> {
  const limit = subject.settings.maxLimit
  const walk = await subject.walk(caller)
  const { answer, total, found } = await subject.page(caller, { ...parameters, limit })
  requireWithin(subject, caller, found)
  const isWithin = subject.within(caller)
  const isWrong = (found: Found) => matches(subject, parameters, found) === false
  const isRight = (found: Found) => matches(subject, parameters, found) === true
  const wrong = found.find(isWrong)
  if (wrong) fail(answer, `record ${wrong.id} does not match.`)

  // Another check reports records of the walk outside the reach.
  const expected = walk.found.filter((found) => isWithin(found) && isRight(found))
  const isAll = found.length < limit
  requireSame(answer, found.filter(isRight), expected.slice(0, limit), walk.complete && isAll)

  const most = walk.complete ? walk.found.filter((found) => !isWrong(found)).length : walk.first.total
  const least = walk.complete ? expected.length : found.length
  if (isAll ? total !== found.length : total < least || total > most) {
    fail(answer, `the total is ${total}, but ${isAll ? found.length : `${least} to ${most}`} records match.`)
  }
}

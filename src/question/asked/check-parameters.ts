/** Checks the values of a query (contract 7 to 24), however the host has configured Fastify's validator. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import { callHost } from '../../errors/callbacks.js'
import { fill, type SharedMessages } from '../../errors/client-texts.js'
import { describe } from '../../errors/describe.js'
import { Failure } from '../../errors/failure.js'
import { boolean } from '../../kinds/numbers.js'
import { type Limits, maxTermLength, maxValues } from '../../limits.js'
import type { List, Order } from '../../lists/list.js'
import { querySchema } from '../../lists/paging-parameters.js'
import { sortSchema } from '../../lists/sort-parameter.js'
import { viewOf } from '../../visibility/allowed-parameters.js'
import type { Caller } from '../../visibility/caller.js'
import type { Grants } from '../../visibility/grant.js'
import { countedFilters, granted, partsOf } from '../../visibility/partial-columns.js'
import { positionOf } from './next.js'
import type { Page, Question } from './question.js'

export type Pairs = readonly (readonly [name: string, text: string])[]

interface AskedValues extends Omit<Question, 'list' | 'caller' | 'reach' | 'partly' | 'limited' | 'counts'> {
  /** The names of the filters to count. */
  readonly counted?: readonly string[] | undefined
}

interface Rules extends Limits {
  readonly unknownParameters: 'reject' | 'ignore' | readonly string[]
  readonly messages: SharedMessages
}

type Texts = Record<string, string | readonly string[]>

/** A character has one or two code units. */
const isLonger = (text: string, maximum: number) => text.length > maximum && [...text].length > maximum

/** @param pairs the parameters of a query. Undefined for a query string that cannot be read */
export type ParameterReader = (pairs: Pairs | undefined) => AskedValues

/** What a caller asks. Reading throws a Failure of the kind `parameter`. */
export type Ask = (caller: Caller, grants: Grants, pairs: Pairs | undefined) => Question

/** Returns what makes a question. It keeps the reader of each view of the list. */
export function questionReader(list: List, rules: Rules, isPaged = true): Ask {
  const readers = new WeakMap<List, ParameterReader>()
  return (caller, grants, pairs) => {
    const view = viewOf(list, caller.roles)
    const read = readers.get(view) ?? parameterReader(view, rules, isPaged)
    readers.set(view, read)
    const asked = { list: view, caller, ...read(pairs) }
    const counts = asked.counted && countedFilters(grants, asked, asked.counted)
    const question = { ...asked, ...granted(grants, asked), counts }
    const parts = partsOf(grants, question)
    return parts ? { ...question, parts } : question
  }
}

/** Returns what makes the question for one record, which takes no parameters. */
export function recordReader(list: List, rules: Rules) {
  const readNothing = parameterReader({ ...list, parameters: {}, filters: {} }, rules, false)
  /** @throws Failure of the kind `notFound` for what no id can be */
  return (caller: Caller, grants: Grants, pairs: Pairs | undefined, id: string): Question => {
    const nothing = readNothing(pairs)
    // PostgreSQL refuses a text with NUL.
    if (!/^[^\0\p{Cs}]*$/u.test(id)) throw new Failure('notFound', 'No record can have this id.')
    const asked = { ...nothing, list: viewOf(list, caller.roles), caller, id, limit: 1 }
    return { ...asked, ...granted(grants, asked) }
  }
}

/** Reading throws a Failure of the kind `parameter`. `isPaged`: the query has the parameters `page` and `limit`. */
export function parameterReader(
  list: Pick<List, 'name' | 'id' | 'columns' | 'fields' | 'paging' | 'parameters' | 'filters' | 'orders' | 'search'>,
  rules: Rules,
  isPaged = true
): ParameterReader {
  const { messages, unknownParameters } = rules
  const { properties: all, required = [] } = querySchema(list, rules)
  const properties = new Map(Object.entries<TSchema>(isPaged ? all : unpagedParameters(list)))
  // The default lists have none of them, and another list can have a filter of the name.
  const ofAnswer = ['after', 'total', 'counts'].filter((name) => properties.has(name) && !list.parameters[name])
  const allowed = new Set([...properties.keys(), ...(Array.isArray(unknownParameters) ? unknownParameters : [])])

  const refuse = (rule: keyof SharedMessages, values: Record<string, string | number> = {}): never => {
    throw new Failure('parameter', fill(messages[rule], values))
  }

  /** The log does not name the parameter, because the name can hold personal data. */
  const refuseUnknown = (parameter: string): never => {
    const name = [...parameter].slice(0, 64).join('')
    const failure = new Failure('parameter', 'The request has an unknown query parameter.')
    failure.clientMessage = fill(messages.parameterUnknown, { name, allowed: [...allowed].join(', ') || 'none' })
    throw failure
  }

  const readInteger = (name: string, text: string, { maximum }: TSchema): number =>
    /^[1-9][0-9]{0,15}$/.test(text) && Number(text) <= maximum
      ? Number(text)
      : refuse('parameterNotPositive', { name, maximum })

  const checkText = (name: string, text: string, { maxLength, enum: values }: Partial<TSchema>): void => {
    if (text !== '' && values && !values.includes(text)) {
      refuse('parameterNotAllowed', { name, allowed: values.join(', ') })
    }
    if (isLonger(text, maxLength)) refuse('parameterTooLong', { name, maximum: maxLength })
    if (/\p{Cc}/u.test(text)) refuse('parameterControlCharacters', { name })
  }

  const readText = (name: string, text: string, property: TSchema): string => {
    checkText(name, text, property)
    const { notation } = list.filters[name] ?? { notation: property.type === 'boolean' ? boolean.notation : undefined }
    // An empty value filters nothing (contract 9 and 13).
    if (!notation || text === '') return text
    return notation.read(text) ?? refuse(notation.message, { name, ...notation.placeholders })
  }

  const isSeveral = (name: string) => properties.get(name)?.type === 'array'
  const readSeveral = (name: string, texts: readonly string[], { items }: TSchema): readonly string[] => {
    if (texts.length > maxValues) refuse('parameterTooMany', { name, maximum: maxValues })
    // MariaDB 10.11 can lose records to a value that stands twice.
    return [...new Set(texts)].filter((text) => readText(name, text, items) !== '')
  }

  const termOf = (text: string): string => {
    const term: unknown = text && callHost('term', () => list.search.term(text))
    if (typeof term !== 'string') {
      const problem = `'term' of the list '${list.name}' must return a text; it returned ${describe(term)}.`
      throw new Failure('internal', problem, { callback: 'term' })
    }
    // A compatibility form of `ﷺ` has 18 characters, and `slice` can cut an emoji in halves.
    if (isLonger(term, maxTermLength)) refuse('termTooLong', { name: 'search' })
    checkText('search', term, {})
    if (/\p{Cs}/u.test(term)) refuse('queryEncoding')
    // Folded columns do not hold what folds to nothing, such as `!!!`.
    return term || text
  }

  return (pairs) => {
    const texts = new Map<string, [string, ...string[]]>()
    for (const [name, text] of pairs ?? refuse('queryEncoding')) {
      const before = texts.get(name)
      if (!properties.has(name)) {
        if (unknownParameters !== 'ignore' && !allowed.has(name)) refuseUnknown(name)
      } else if (!before) texts.set(name, [text])
      else if (isSeveral(name)) before.push(text)
      else refuse('parameterRepeated', { name })
    }
    const [given, asked]: [Texts, Texts] = [{}, {}]
    const page: Record<string, number> = { page: 1 }
    for (const [name, property] of properties) {
      const values = texts.get(name)
      if (name === 'page' || name === 'limit') {
        page[name] = values ? readInteger(name, values[0], property) : property.default
      } else if (values) {
        const value = isSeveral(name) ? readSeveral(name, values, property) : readText(name, values[0], property)
        if (value.length > 0) (ofAnswer.includes(name) ? asked : given)[name] = value
      } else if (required.includes(name)) refuse('parameterMissing', { name })
    }
    for (const [name, { to = '', notation }] of Object.entries(list.filters)) {
      const ends = [given[name], given[to]].map(String) as [string, string]
      if (given[name] && given[to] && notation?.isGreater(...ends)) {
        refuse('parameterRangeReversed', { name, other: to })
      }
    }
    const { sort = '', search = '', ...filters } = given
    const order = list.orders[String(sort)] as Order
    return {
      ...(page as unknown as Page),
      order,
      term: termOf(String(search)) || undefined,
      filters: Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, [value].flat()])),
      ...(ofAnswer.length > 0 && readAnswer(asked, list, order, messages))
    }
  }
}

/** Without the orders by an ENUM of MySQL, which is sorted by its place and compared by its text. */
function unpagedParameters({
  parameters,
  orders,
  columns
}: Pick<List, 'parameters' | 'orders' | 'columns'>): TProperties {
  const { sort, ...others } = parameters
  const kept = Object.entries(orders).filter(([name, { column }]) => name !== '' && columns[column]?.kind !== 'enum')
  return { ...others, ...(sort && kept.length > 0 && { sort: sortSchema(Object.fromEntries(kept)) }) }
}

function readAnswer(
  { after, total, counts }: Texts,
  list: Parameters<typeof positionOf>[1],
  order: Order,
  messages: SharedMessages
): Pick<AskedValues, 'after' | 'refused' | 'asksTotal' | 'counted'> {
  const refused = () => new Failure('parameter', fill(messages.parameterNotNext, { name: 'after' }))
  const key = after ? positionOf(String(after), list, order) : undefined
  if (after && !key) throw refused()
  return {
    ...(key && { after: key, refused }),
    asksTotal: total === 'true',
    ...(counts && { counted: [...new Set(counts)] })
  }
}

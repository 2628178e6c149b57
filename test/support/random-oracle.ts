/**
 * The oracle of random lists: what docs/lists.md and docs/contract.md promise for a plan, its data and a request. It runs
 * no code of `src`.
 */
import { type ColumnPlan, isTime, scaled, unscaled, type Value } from './random-columns.js'
import type { Data, Row } from './random-data.js'
import { type FilterPlan, type ListPlan, parametersOf, reachOf, terms } from './random-lists.js'

export type Pairs = readonly (readonly [name: string, value: string])[]

export interface Asked {
  userId: string
  role: string
  pairs: Pairs
  /** Whether the query string is no UTF-8. */
  isBroken?: boolean
  /** What may be wrong, for the counts. */
  mistake?: string
}

/** Each item is a JSON text. */
export interface Found {
  status: 200
  page: number
  limit: number
  total: number
  items: string[]
}

/** `names` has the wrong parameters. */
export type Expected = Found | { status: 400; names: string[] } | { status: 403 }

export interface Oracle {
  page(asked: Asked): Expected
  /** What `each` yields. It has no `page`, no `limit` and no `sort`. */
  each(asked: Asked): Expected
}

interface Entry {
  row: Row
  /** Of the columns that the search reads. */
  texts: string[]
  json: string
}

type Ends = Partial<Record<'from' | 'to', string>>

/** The parameters that are not empty. */
interface Query {
  page: number
  limit: number
  search: string
  sort: string
  filters: { name: string; filter: FilterPlan; values: string[]; ends: Ends }[]
}

const maxLimit = 100
const maxLength = 256
const maxValues = 50

export function oracleOf(plan: ListPlan, data: Data): Oracle {
  const entries = entriesOf(plan, data)
  const sorted = new Map<string, Entry[]>()
  const inOrder = (sort: string): Entry[] => {
    const known = sorted.get(sort) ?? entries.toSorted(comparison(plan, sort))
    sorted.set(sort, known)
    return known
  }
  const answer = (asked: Asked, isPaged: boolean): Expected => {
    const reach = reachOf(plan, asked.role)
    if (reach === 'none') return { status: 403 }
    const query = queryOf(plan, asked, isPaged)
    if (Array.isArray(query)) return { status: 400, names: query }
    const visible = isVisibleTo(plan, data, asked)
    const matches = inOrder(query.sort).filter((entry) => visible(entry.row) && isMatch(plan, entry, query))
    const { page, limit } = query
    const items = isPaged ? matches.slice((page - 1) * limit, page * limit) : matches
    return { status: 200, page, limit, total: matches.length, items: items.map(({ json }) => json) }
  }
  return { page: (asked) => answer(asked, true), each: (asked) => answer(asked, false) }
}

/** @returns the wrong parameters, if there are any */
function queryOf(plan: ListPlan, { pairs, isBroken }: Asked, isPaged: boolean): Query | string[] {
  if (isBroken) return ['']
  const wrong = new Set<string>()
  const known = new Map(parametersOf(plan))
  if (!isPaged) for (const name of ['page', 'limit', 'sort']) known.delete(name)
  const given = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (!known.has(name)) wrong.add(name)
    given.set(name, [...(given.get(name) ?? []), value])
  }
  const query: Query = { page: 1, limit: 12, search: '', sort: '', filters: [] }
  const ranges = new Map<string, Ends>()
  for (const [name, of] of known) {
    const values = given.get(name)
    if (values === undefined) {
      if (of === 'search' && plan.search?.required) wrong.add(name)
      continue
    }
    const [value = ''] = values
    const filled = values.filter((value) => value !== '')
    const isSeveral = typeof of === 'object' && of.sort === 'several'
    if (values.length > 1 && !isSeveral) wrong.add(name)
    if (values.length > maxValues) wrong.add(name)
    if (of === 'page' || of === 'limit') {
      const maximum = of === 'limit' ? maxLimit : Math.floor(Number.MAX_SAFE_INTEGER / maxLimit)
      if (!/^[1-9]\d*$/.test(value) || Number(value) > maximum) wrong.add(name)
      query[of] = Number(value)
    } else if (of === 'search' || of === 'sort') {
      const isRight = of === 'search' ? isText : isOneOf(plan.sort.flatMap((column) => [column, `-${column}`]))
      if (!filled.every(isRight)) wrong.add(name)
      query[of] = value
    } else {
      if (!filled.every(isRightFor(plan, of))) wrong.add(name)
      if (filled.length === 0) continue
      const ends: Ends = ranges.get(of.name) ?? {}
      // The two ends of a range are one filter.
      if (!ranges.has(of.name)) query.filters.push({ name: of.name, filter: of, values: filled, ends })
      if (!of.end) continue
      ends[of.end] = value
      ranges.set(of.name, ends)
    }
  }
  if (wrong.size > 0) return [...wrong]
  for (const { name, filter, ends } of query.filters) {
    const column = plan.columns[filter.column] as ColumnPlan
    const [from, to] = limitsOf(column, ends)
    if (from !== undefined && to !== undefined && from > to) wrong.add(`${name}_`)
  }
  return wrong.size > 0 ? [...wrong] : query
}

const isText = (value: string) => [...value].length <= maxLength && !/\p{Cc}/u.test(value)
const isOneOf = (values: readonly string[]) => (value: string) => values.includes(value)

/** Whether a value that is not empty has the right form. */
function isRightFor({ columns }: ListPlan, { sort, column }: FilterPlan): (value: string) => boolean {
  const { kind, values } = columns[column] as ColumnPlan
  if (sort === 'present' || (sort === 'one' && kind === 'boolean')) return isOneOf(['true', 'false'])
  if (sort === 'one' || sort === 'several') return values ? isOneOf(values) : isText
  if (kind === 'decimal') return (value) => /^-?\d{1,16}(\.\d{1,10})?$/.test(value)
  if (kind === 'integer') return (value) => /^-?\d{1,16}$/.test(value)
  if (kind === 'date') return (value) => /^\d{4}-\d\d-\d\d$/.test(value) && exists(value)
  const time = kind === 'utcTime' ? /^.{10}(T\d\d:\d\d:\d\d(\.\d{1,3})?Z)?$/ : /^.{10}(T\d\d:\d\d:\d\d(\.\d{1,3})?)?$/
  return (value) => time.test(value) && /^\d{4}-\d\d-\d\d/.test(value) && exists(value)
}

/** Whether there are such a day and such a time. */
function exists(text: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (text.match(/\d+/g) ?? []).map(Number)
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return year > 0 && day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60
}

/** The ends of a range. */
const limitsOf = (column: ColumnPlan, { from, to }: Ends) =>
  [from, to].map((end) => (end === undefined ? end : comparable(column, isTime(column.kind) ? timeOf(end) : end)))

/** The time of a parameter in the form of the values. */
function timeOf(end: string): string {
  const [day = '', clock = '00:00:00'] = end.replace('Z', '').split('T')
  const [seconds = '', fraction = ''] = clock.split('.')
  return `${day} ${seconds}.${fraction.padEnd(3, '0')}`
}

/** Something that compares as the values do. */
function comparable({ kind, isNumeric }: ColumnPlan, value: string): string | bigint {
  return kind === 'decimal' || kind === 'integer' || isNumeric ? scaled(value) : value
}

/** The same in the cells of a database: a decimal of SQLite is a double. */
const inCells =
  ({ database }: ListPlan, { kind }: ColumnPlan) =>
  (value: string | bigint | undefined) =>
    database === 'sqlite' && kind === 'decimal' && value !== undefined ? Number(unscaled(value as bigint)) : value

const isZeroDate = (value: string) => /^0000|-00/.test(value.slice(0, 10))

/** Whether a column has a value. */
function isPresent({ kind }: ColumnPlan, value: Value): value is string {
  if (value === null) return false
  if (kind === 'text') return value !== ''
  return kind === 'date' || isTime(kind) ? !isZeroDate(value) : true
}

function isMatch(plan: ListPlan, { row, texts }: Entry, { search, filters }: Query): boolean {
  const name = plan.search?.term
  const term = search !== '' && name ? terms[name](search) : search
  if (term !== '' && !texts.some((text) => lower(text).includes(lower(term)))) return false
  return filters.every(({ filter, values, ends }) => {
    const column = plan.columns[filter.column] as ColumnPlan
    const value = row[filter.column] as Value
    switch (filter.sort) {
      case 'present':
        return values[0] === String(isPresent(column, value))
      case 'range': {
        if (!isPresent(column, value)) return false
        const [at, from, to] = [comparable(column, value), ...limitsOf(column, ends)].map(inCells(plan, column))
        if (at === undefined || (from !== undefined && at < from)) return false
        return to === undefined || at < to || (!isTime(column.kind) && at === to)
      }
      default:
        return value !== null && values.includes(value)
    }
  })
}

/** In the data, only A to Z have another case. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

function isVisibleTo(plan: ListPlan, { links }: Data, { userId, role }: Asked): (row: Row) => boolean {
  const reach = reachOf(plan, role)
  if (reach === 'all') return () => true
  const column = typeof reach === 'object' ? reach.own : plan.owner
  const linked = links.filter(({ owner_id }) => reach === 'linked' && owner_id === userId)
  const ids = new Set<Value | undefined>([userId, ...linked.map(({ user_id }) => user_id)])
  return (row) => ids.has(row[column])
}

/** @param sort the parameter, or an empty text */
function comparison({ columns, id, by, order }: ListPlan, sort: string): (one: Entry, other: Entry) => number {
  const isDescending = sort === '' ? order === 'newest' : sort.startsWith('-')
  const names = [sort === '' ? by : sort.replace(/^-/, ''), id]
  return (one, other) => {
    for (const name of names) {
      const column = columns[name] as ColumnPlan
      const [a, b] = [comparable(column, one.row[name] as string), comparable(column, other.row[name] as string)]
      if (a !== b) return a < b === isDescending ? 1 : -1
    }
    return 0
  }
}

function entriesOf(plan: ListPlan, { users, practitioners, memberships, records }: Data): Entry[] {
  const { columns, people, owner, practitioner, fields, search } = plan
  const usual: Pick<ColumnPlan, 'kind' | 'whenNull'> = { kind: 'text', whenNull: 'empty' }
  return records.map((row) => {
    const ownerId = row[owner] as Value
    const rows: Record<string, Row | undefined> = {
      users: users.find(({ user_id }) => user_id === ownerId),
      practitioners: practitioners.find(
        (one) => practitioner !== undefined && one.practitioner_id === row[practitioner]
      )
    }
    const names = memberships.filter(({ user_id }) => user_id === ownerId).map(({ org_name }) => org_name)
    const distinct = [...new Set(names)].filter((name) => name !== null)
    const shownOf = (column: string): unknown => {
      const [table = '', name] = column.split('.')
      if (name === undefined) return shown(columns[column] as ColumnPlan, row[column] as Value)
      // In the order of code points.
      if (table === 'memberships') return distinct.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      const known = people[table as 'users'][name] ?? (name === 'avatar_url' ? { ...usual, whenNull: 'null' } : usual)
      return shown(known as ColumnPlan, rows[table]?.[name] ?? null)
    }
    const searched = (search?.columns ?? []).map((column) =>
      column.startsWith('users.') ? rows.users?.[column.replace('users.', '')] : row[column]
    )
    return {
      row,
      texts: searched.filter((text) => typeof text === 'string'),
      json: JSON.stringify(Object.fromEntries(Object.entries(fields).map(([name, column]) => [name, shownOf(column)])))
    }
  })
}

/** The value in an item. */
function shown({ kind, whenNull }: ColumnPlan, value: Value): unknown {
  if (value === null || ((kind === 'date' || isTime(kind)) && isZeroDate(value))) return whenNull === 'null' ? null : ''
  switch (kind) {
    case 'decimal':
    case 'integer':
      return Number(value)
    case 'boolean':
      return value === 'true'
    case 'utcTime':
      return `${value.slice(0, 19).replace(' ', 'T')}Z`
    case 'wallTime':
      return value.slice(0, 19)
    default:
      return value
  }
}

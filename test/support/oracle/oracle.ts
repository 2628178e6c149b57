/**
 * The oracle: what docs/lists.md and docs/contract.md promise for a list, its data and a request. A list is a plan, which
 * is plain data: the default lists are `plans`, and ./random-lists.ts makes others. The oracle runs no code of `src`.
 */
import * as world from '../fixtures/world.js'

export type Kind = 'id' | 'text' | 'enum' | 'decimal' | 'integer' | 'boolean' | 'date' | 'utcTime' | 'wallTime'
export type ReachName = 'own' | 'linked' | 'all' | 'none'
export type WhereValue = string | number | bigint | boolean
export type Where = Record<string, WhereValue | (WhereValue | null)[] | null>
export type Part =
  | { own: string; callerId?: string; where?: Where }
  | { linked: string; by?: string; callerId?: string; where?: Where }
  | { where: Where }
export type Reach = ReachName | Part | Part[]

export interface Column {
  kind: Kind
  whenNull: 'error' | 'empty' | 'null'
  /** The values of the kind `enum`. */
  values?: string[]
  /** Whether an id is a number. */
  isNumeric?: boolean
}

/** `one`: exactly one value. */
export interface FilterPlan {
  sort: 'one' | 'several' | 'present' | 'range'
  column: string
}

export interface ListPlan {
  /** Of the list and of its table. */
  name: string
  path: string
  columns: Record<string, Column>
  /** More columns of the users and the practitioners. */
  joined: Record<'users' | 'practitioners', Record<string, Column>>
  id: string
  owner: string
  practitioner: string | undefined
  order: 'newest' | 'oldest'
  /** The column of the order. */
  by: string
  /** The column of each field. */
  fields: Record<string, string>
  /** The roles of the fields that not every role gets. */
  fieldRoles?: Record<string, string[]>
  search: { columns: string[]; required: boolean; term: TermName | undefined } | undefined
  filters: Record<string, FilterPlan>
  sort: readonly string[]
  roles: Record<string, Reach>
  otherRoles: Reach | undefined
  /** The columns that must be an id of the caller, with the name of that id. */
  within?: Record<string, string>
  /** The option `roles`. */
  optionRoles: Record<string, Reach>
  /** SQLite has no decimals but doubles. */
  database?: string
}

/** The functions for `search.term`. */
export const terms = {
  trim: (term: string) => term.trim(),
  digits: (term: string) => term.replace(/\D/g, ''),
  'without #': (term: string) => term.replace(/^#/, ''),
  'first word': (term: string) => term.split(' ')[0] ?? '',
  'ss for ß': (term: string) => term.replaceAll('ß', 'ss').trim(),
  nothing: () => ''
}
export type TermName = keyof typeof terms

export const isTime = (kind: Kind | undefined) => kind === 'utcTime' || kind === 'wallTime'

/** Whose records a caller sees (contract 61 to 66 and 68). */
export const reachOf = ({ optionRoles, roles, otherRoles }: ListPlan, role: string): Reach =>
  [optionRoles, roles].find((each) => Object.hasOwn(each, role))?.[role] ?? otherRoles ?? 'none'

/** What a parameter belongs to. A range has two. */
type FilterParameter = FilterPlan & { end?: 'from' | 'to'; name: string }
type Parameter = 'page' | 'limit' | 'search' | 'sort' | FilterParameter

const knownParameters = new WeakMap<ListPlan, ReadonlyMap<string, Parameter>>()

/** The parameters of a list by their names. */
export function parametersOf(plan: ListPlan): ReadonlyMap<string, Parameter> {
  const { filters, search, sort } = plan
  const cached = knownParameters.get(plan)
  if (cached) return cached
  const known = new Map<string, Parameter>()
  for (const name of ['page', 'limit'] as const) known.set(name, name)
  if (search) known.set('search', 'search')
  if (sort.length > 0) known.set('sort', 'sort')
  for (const [name, filter] of Object.entries(filters)) {
    if (filter.sort !== 'range') known.set(name, { ...filter, name })
    else for (const end of ['from', 'to'] as const) known.set(`${name}_${end}`, { ...filter, name, end })
  }
  knownParameters.set(plan, known)
  return known
}

type Cell = string | number | bigint | boolean | null
type Row = Readonly<Record<string, Cell>>

/** The tables that all lists join. The practitioners are the users unless they have a table of their own. */
interface People {
  users: readonly Row[]
  practitioners?: readonly Row[]
  memberships: readonly Row[]
  links: readonly Row[]
  /** The other tables of links, by their names. */
  linkTables?: Readonly<Record<string, readonly Row[]>>
}

/** The rows of the tables. */
export interface Data extends People {
  assessments: readonly Row[]
  payments: readonly Row[]
  lessons?: readonly Row[]
}

export type Pairs = readonly (readonly [name: string, value: string])[]

export interface Asked {
  userId: string
  role: string | string[]
  ids?: Record<string, string> | undefined
  /** Instead of the reach that the list gives to the role. */
  reach?: Reach | undefined
  pairs: Pairs
  /** Whether the query string is no UTF-8. */
  isBroken?: boolean
  /** What may be wrong, for the counts. */
  mistake?: string
}

/** Each item is a JSON text, and `names` has the wrong parameters. */
export type Expected =
  | { status: 200; page: number; limit: number; total: number; items: string[] }
  | { status: 400; names: string[] }
  | { status: 403 | 500 }

/** Whether an error names a wrong parameter. An unknown name is cut, and any wrong parameter can be the first. */
export const namesMistake = (expected: Expected, error: unknown): boolean =>
  'names' in expected && expected.names.some((name) => String(error).includes(name.slice(0, 64)))

export interface Oracle {
  page(asked: Asked): Expected
  /** What `each` yields. It has no `page` and no `limit`, and sorts by no enum. */
  each(asked: Asked): Expected
}

/** A cell as text, and a time as `2024-03-01 09:30:00.000`. */
type Value = string | null

interface Entry {
  row: Record<string, Value>
  /** The texts of the columns that the search reads. */
  texts: Record<string, Cell | undefined>
  /** The values of all fields. */
  values: Record<string, unknown>
}

/** The parameters that are not empty. */
interface Query {
  page: number
  limit: number
  search: string
  sort: string
  filters: { of: FilterParameter; values: string[] }[]
}

const maxLimit = 100
const maxLength = 256
const maxValues = 50

export function oracleOf(plan: ListPlan, data: People & { records: readonly Row[] }): Oracle {
  const entries = entriesOf(plan, data)
  const answer = (asked: Asked, isPaged: boolean): Expected => {
    const grants = grantsOf(plan, data, asked)
    // Contract 101: a caller learns nothing of parameters.
    if (!grants) return { status: 403 }
    const within = Object.entries(plan.within ?? {}).map(([column, name]) => [column, asked.ids?.[name]])
    if (within.some(([, id]) => id === undefined)) return { status: 500 }
    const query = queryOf(viewFor(plan, asked), asked, isPaged)
    if (Array.isArray(query)) return { status: 400, names: query }
    /** The rights of a record are those of all grants that reach it. */
    const stands = ({ row }: Entry) => {
      const reaching = grants.filter((grant) => grant.reaches(row))
      return (column: string) => reaching.some((grant) => showsColumn(plan, grant, column))
    }
    const isFound = (entry: Entry) =>
      within.every(([column = '', id]) => entry.row[column] === id) &&
      grants.some((grant) => grant.reaches(entry.row)) &&
      isMatch(plan, entry, query, stands(entry))
    const matches = entries.filter(isFound).toSorted(comparison(plan, query.sort, stands))
    const itemOf = ({ row, values }: Entry) => {
      const reaching = grants.filter((grant) => grant.reaches(row))
      const shown = Object.entries(values).filter(([name]) => reaching.some((grant) => grant.shows(name)))
      return JSON.stringify(Object.fromEntries(shown))
    }
    const { page, limit } = query
    const items = isPaged ? matches.slice((page - 1) * limit, page * limit) : matches
    return { status: 200, page, limit, total: matches.length, items: items.map(itemOf) }
  }
  return { page: (asked) => answer(asked, true), each: (asked) => answer(asked, false) }
}

/** The records that one part of a role gives, and the fields that the role gives in them. */
export interface Grant {
  /** The same text for the same records. */
  records: string
  /** The columns that decide whether a record is among them. */
  deciding: string[]
  shows(field: string): boolean
  reaches(row: Entry['row']): boolean
}

/** The roles that may see the list. Without any role, a caller is as one of an unknown role. */
const rolesOfCaller = (plan: ListPlan, { role, reach }: Pick<Asked, 'role' | 'reach'>) =>
  (role.length === 0 ? [''] : [role].flat())
    .map((role) => ({ role, reach: reach ?? reachOf(plan, role) }))
    .filter(({ reach }) => reach !== 'none')

/** Undefined if no role may see the list (contract 62 to 69). */
export function grantsOf(
  plan: ListPlan,
  people: People,
  { userId, role, ids = {}, reach }: Asked
): Grant[] | undefined {
  const roles = rolesOfCaller(plan, { role, reach })
  if (roles.length === 0) return undefined
  return roles.flatMap(({ role, reach }) => {
    const shows = (field: string) => plan.fieldRoles?.[field]?.includes(role) ?? true
    if (reach === 'all') return { records: 'all', deciding: [], shows, reaches: () => true }
    return partsOf(plan, reach).flatMap((part): Grant[] => {
      const where = Object.entries(part.where ?? {}).map(([name, given]) => [name, [given].flat()] as const)
      const isRight = (row: Entry['row']) =>
        where.every(([name, values]) => {
          const value = row[name] ?? null
          const isOne = (given: WhereValue | null) =>
            given === null ? !isPresent(plan.columns[name] as Column, value) : String(given) === value
          return values.some(isOne)
        })
      const { callerId, own, linked, by = 'links' }: Record<string, string | undefined> = { ...part, where: undefined }
      const column = own ?? linked
      const id = callerId === undefined ? userId : ids[callerId]
      if (column !== undefined && id === undefined) return []
      const reached = own === undefined ? linkedTo(people, by, id) : new Set([id])
      const records = JSON.stringify([
        own,
        linked,
        by,
        callerId,
        where.map(([name, values]) => [name, values.map(String)])
      ])
      const deciding = [column ?? [], where.map(([name]) => name)].flat()
      return [{ records, deciding, shows, reaches: (row) => isRight(row) && (!column || reached.has(row[column])) }]
    })
  })
}

function partsOf({ owner }: ListPlan, reach: Reach): Part[] {
  if (reach === 'none') return []
  if (typeof reach === 'object') return [reach].flat()
  return [{ own: owner }, ...(reach === 'linked' ? [{ linked: owner }] : [])]
}

function linkedTo({ links, linkTables = {} }: People, by: string, id: string | undefined): Set<Value | undefined> {
  const rows = { links, ...linkTables }[by] ?? []
  const linked = rows.filter(({ owner_id }) => textOf(owner_id) === id)
  return new Set(linked.map(({ user_id, linked_id = user_id }) => textOf(linked_id)).filter((id) => id !== null))
}

/** Whether a field shows the column, or no field of any role does. */
export function showsColumn({ fields }: ListPlan, { shows }: Pick<Grant, 'shows'>, column: string): boolean {
  const ofColumn = Object.keys(fields).filter((name) => fields[name] === column)
  return ofColumn.length === 0 || ofColumn.some(shows)
}

const views = new WeakMap<ListPlan, Map<string, ListPlan>>()

/** The list of a host that never had what no role of the caller shows. */
function viewFor(plan: ListPlan, asked: Pick<Asked, 'role' | 'reach'>): ListPlan {
  if (!plan.fieldRoles) return plan
  const viewers = rolesOfCaller(plan, asked).map(({ role }) => ({
    shows: (field: string) => plan.fieldRoles?.[field]?.includes(role) ?? true
  }))
  const isShown = (column: string) => viewers.some((viewer) => showsColumn(plan, viewer, column))
  const searched = (plan.search?.columns ?? []).filter(isShown)
  const view = {
    filters: Object.fromEntries(Object.entries(plan.filters).filter(([, { column }]) => isShown(column))),
    sort: plan.sort.filter(isShown),
    search: plan.search && searched.length > 0 ? { ...plan.search, columns: searched } : undefined
  }
  const known = views.get(plan) ?? new Map<string, ListPlan>()
  const key = JSON.stringify(view)
  const same = known.get(key) ?? { ...plan, ...view }
  views.set(plan, known.set(key, same))
  return same
}

/** @returns the wrong parameters, if there are any (contract 7 to 24) */
function queryOf(plan: ListPlan, { pairs, isBroken }: Asked, isPaged: boolean): Query | string[] {
  if (isBroken) return ['']
  const wrong = new Set<string>()
  const known = new Map(parametersOf(plan))
  const sort = plan.sort.filter((column) => isPaged || plan.columns[column]?.kind !== 'enum')
  if (!isPaged) for (const name of ['page', 'limit']) known.delete(name)
  if (sort.length === 0) known.delete('sort')
  const given = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (!known.has(name)) wrong.add(name)
    given.set(name, [...(given.get(name) ?? []), value])
  }
  const query: Query = { page: 1, limit: 12, search: '', sort: '', filters: [] }
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
      const isRight = of === 'search' ? isText : isOneOf(sort.flatMap((column) => [column, `-${column}`]))
      if (!filled.every(isRight)) wrong.add(name)
      query[of] = value
    } else {
      if (!filled.every(isRightFor(plan, of))) wrong.add(name)
      if (filled.length > 0) query.filters.push({ of, values: filled })
    }
  }
  if (wrong.size > 0) return [...wrong]
  for (const { of, values } of query.filters.filter(({ of }) => of.end === 'from')) {
    const to = query.filters.find((other) => other.of.name === of.name && other.of.end === 'to')
    const column = plan.columns[of.column] as Column
    if (to && limitOf(column, values) > limitOf(column, to.values, 'to')) wrong.add(`${of.name}_`)
  }
  return wrong.size > 0 ? [...wrong] : query
}

const isText = (value: string) => [...value].length <= maxLength && !/\p{Cc}/u.test(value)
const isOneOf = (values: readonly string[]) => (value: string) => values.includes(value)

/** Whether a value that is not empty has the right form. */
function isRightFor({ columns }: ListPlan, { sort, column }: FilterPlan): (value: string) => boolean {
  const { kind, values } = columns[column] as Column
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

/** What a parameter of a range compares. A day as the end is the whole day. */
function limitOf(column: Column, [text = '']: string[], end: 'from' | 'to' = 'from') {
  if (!isTime(column.kind)) return comparable(column, text)
  return comparable(column, timeOf(end === 'to' && text.length === 10 ? `${text} 24` : text))
}

/** The time of a cell or of a parameter. */
function timeOf(text: string): string {
  const [day = '', clock = '00:00:00'] = text.replace('Z', '').split(/[T ]/)
  const [seconds = '', fraction = ''] = clock.split('.')
  return `${day} ${seconds}.${fraction.padEnd(3, '0')}`
}

/** Something that compares as the values do. */
function comparable({ kind, isNumeric }: Column, value: string): string | bigint {
  return kind === 'decimal' || kind === 'integer' || isNumeric ? scaled(value) : value
}

const places = 10

/** A number with ten more digits, exactly. */
export function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt((whole + fraction.padEnd(places, '0')).replace(/^-0*(?=\d)/, '-'))
}

export function unscaled(number: bigint): string {
  const digits = String(number < 0n ? -number : number).padStart(places + 1, '0')
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0*$/, '')
  return number < 0n ? `-${text}` : text
}

/** The same in the cells of a database: a decimal of SQLite is a double. */
const inCells =
  ({ database }: ListPlan, { kind }: Column) =>
  (value: string | bigint) =>
    database === 'sqlite' && kind === 'decimal' ? Number(unscaled(value as bigint)) : value

const isZeroDate = (value: string) => /^0000|-00/.test(value.slice(0, 10))

/** Whether a column has a value. */
function isPresent({ kind }: Column, value: Value): value is string {
  if (value === null) return false
  if (kind === 'text') return value !== ''
  return kind === 'date' || isTime(kind) ? !isZeroDate(value) : true
}

/** Contract 9, 13, 14, 71 to 74, 76, 77 and 115. A column that does not stand in the record finds nothing. */
function isMatch(
  plan: ListPlan,
  { row, texts }: Entry,
  { search, filters }: Query,
  stands: (column: string) => boolean
): boolean {
  const name = plan.search?.term
  // What folds to nothing is searched as it is.
  const term = search !== '' && name ? terms[name](search) || search : search
  const found = Object.entries(texts).filter(
    ([column, text]) => typeof text === 'string' && lower(text).includes(lower(term)) && stands(column)
  )
  if (term !== '' && found.length === 0) return false
  return filters.every(({ of: { sort, column: name, end }, values }) => {
    if (!stands(name)) return false
    const column = plan.columns[name] as Column
    const value = row[name] as Value
    if (sort === 'present') return values[0] === String(isPresent(column, value))
    if (sort !== 'range') return value !== null && values.includes(value)
    if (!isPresent(column, value)) return false
    const cell = inCells(plan, column)
    const [at, limit] = [cell(comparable(column, value)), cell(limitOf(column, values, end))]
    // A range of times ends before its end (contract 115).
    return end === 'from' ? at >= limit : at < limit || (at === limit && !isTime(column.kind))
  })
}

/** In the data, only A to Z have another case. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Contract 79. A record in which the column has no value, or does not stand, comes last in both directions.
 *
 * @param sort the parameter, or an empty text
 */
function comparison(
  { columns, id, by, order }: ListPlan,
  sort: string,
  stands: (entry: Entry) => (column: string) => boolean
): (one: Entry, other: Entry) => number {
  const isDescending = sort === '' ? order === 'newest' : sort.startsWith('-')
  const sorting = sort === '' ? by : sort.replace(/^-/, '')
  // Where a column is never null, an empty text is a value like any other.
  const isLast = (entry: Entry) =>
    !stands(entry)(sorting) ||
    (columns[sorting]?.whenNull !== 'error' && !isPresent(columns[sorting] as Column, entry.row[sorting] as Value))
  return (one, other) => {
    const last = [isLast(one), isLast(other)]
    if (last[0] !== last[1]) return last[0] ? 1 : -1
    for (const name of last[0] ? [id] : [sorting, id]) {
      const column = columns[name] as Column
      const [a, b] = [comparable(column, one.row[name] as string), comparable(column, other.row[name] as string)]
      if (a !== b) return a < b === isDescending ? 1 : -1
    }
    return 0
  }
}

const textOf = (cell: Cell | undefined): Value => (cell === null || cell === undefined ? null : String(cell))

/** The rows by their ids. */
const byId = (rows: readonly Row[], id: string) => new Map(rows.map((row) => [textOf(row[id]), row]))

/** The records and their items (contract 33 to 60, 78 and 83 to 88). */
function entriesOf(plan: ListPlan, data: People & { records: readonly Row[] }): Entry[] {
  const { columns, joined, owner, practitioner, fields, search } = plan
  const usual: Column = { kind: 'text', whenNull: 'empty' }
  const users = byId(data.users, 'user_id')
  const practitioners = data.practitioners ? byId(data.practitioners, 'practitioner_id') : users
  return data.records.map((cells) => {
    const row = Object.fromEntries(
      Object.entries(cells).map(([name, cell]) => {
        const text = textOf(cell)
        return [name, text !== null && isTime(columns[name]?.kind) ? timeOf(text) : text]
      })
    )
    const ownerId = row[owner] as Value
    const rows: Record<string, Row | undefined> = {
      users: users.get(ownerId),
      practitioners: practitioner === undefined ? undefined : practitioners.get(row[practitioner] as Value)
    }
    const names = data.memberships.filter(({ user_id }) => textOf(user_id) === ownerId).map(({ org_name }) => org_name)
    const distinct = [...new Set(names)].filter((name) => typeof name === 'string')
    const shownOf = (column: string): unknown => {
      const [table = '', name] = column.split('.')
      if (name === undefined) return shown(columns[column] as Column, row[column] as Value)
      // In the order of code points, which is the order of UTF-8.
      if (table === 'memberships') return distinct.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      const known = joined[table as 'users'][name] ?? (name === 'avatar_url' ? { ...usual, whenNull: 'null' } : usual)
      return shown(known as Column, textOf(rows[table]?.[name]))
    }
    const searched = (column: string) =>
      column.startsWith('users.') ? rows.users?.[column.replace('users.', '')] : row[column]
    return {
      row,
      texts: Object.fromEntries((search?.columns ?? []).map((column) => [column, searched(column)])),
      values: Object.fromEntries(Object.entries(fields).map(([name, column]) => [name, shownOf(column)]))
    }
  })
}

/** The value in an item. */
function shown({ kind, whenNull }: Column, value: Value): unknown {
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

const id: Column = { kind: 'id', whenNull: 'error', isNumeric: true }
const userId: Column = { ...id, whenNull: 'empty' }
const text: Column = { kind: 'text', whenNull: 'empty' }
const time: Column = { kind: 'wallTime', whenNull: 'empty' }
const utcTime: Column = { kind: 'utcTime', whenNull: 'empty' }

/** Fields that have the names of their columns. */
export const fieldsOf = (...columns: string[]) =>
  Object.fromEntries(columns.map((column) => [column.replace(/^\w+\./, ''), column]))

/** What is the same in both default lists. */
const usual = {
  joined: { users: {}, practitioners: {} },
  owner: 'user_id',
  order: 'newest',
  by: 'created_at',
  sort: [],
  optionRoles: {}
} as const satisfies Partial<ListPlan>

const rolesOf = (staff: Reach): Record<string, Reach> => ({
  ...{ Individual: 'own', Practitioner: staff, 'Master Practitioner': staff, Institutional: staff },
  ...{ Admin: 'all', 'Super Admin': 'all' }
})

/** The default lists. */
export const plans: Record<'assessments' | 'payments', ListPlan> = {
  assessments: {
    ...usual,
    name: 'assessments',
    path: '/assessment/list',
    columns: {
      ...{ assessment_id: id, licence: text, assessment_type: text, user_id: userId, practitioner_id: userId },
      status: { kind: 'enum', whenNull: 'error', values: ['completed', 'pending', 'reserved'] },
      ...{ date_assignment: utcTime, date_conclusion: { ...utcTime, whenNull: 'null' }, created_at: time }
    },
    id: 'assessment_id',
    practitioner: 'practitioner_id',
    fields: {
      ...fieldsOf('assessment_id', 'licence', 'assessment_type', 'user_id', 'users.first_name', 'users.last_name'),
      ...fieldsOf('users.email', 'practitioner_id', 'status', 'date_assignment', 'date_conclusion'),
      ...{ avatarUrl: 'users.avatar_url', org_names: 'memberships.org_name' },
      practitioner_first_name: 'practitioners.first_name',
      practitioner_last_name: 'practitioners.last_name'
    },
    search: { columns: ['users.first_name', 'users.last_name', 'users.email'], required: true, term: undefined },
    filters: { status: { sort: 'one', column: 'status' } },
    roles: rolesOf('linked'),
    otherRoles: 'none'
  },
  payments: {
    ...usual,
    name: 'payments',
    path: '/payment/list',
    columns: {
      ...{ payment_id: id, user_id: userId, payment_intent: text, payment_method: text, payment_status: text },
      ...{ processor_status: text, paid_at: time, created_at: time },
      ...{ amount: { kind: 'decimal', whenNull: 'error' }, quantity: { kind: 'integer', whenNull: 'error' } }
    },
    id: 'payment_id',
    practitioner: undefined,
    fields: {
      ...fieldsOf('payment_id', 'user_id', 'users.email', 'amount', 'quantity', 'payment_intent', 'paid_at'),
      ...fieldsOf('payment_method', 'payment_status', 'processor_status', 'created_at')
    },
    search: { columns: ['payment_intent', 'users.email'], required: false, term: undefined },
    filters: { processor_status: { sort: 'one', column: 'processor_status' } },
    roles: rolesOf('own'),
    otherRoles: 'own'
  }
}
export type DefaultList = keyof typeof plans

/** The reaches of a role that the option `roles` does not change. */
export const reachesOf = (role: string) =>
  ({ assessments: reachOf(plans.assessments, role), payments: reachOf(plans.payments, role) }) as Record<
    DefaultList,
    ReachName
  >

/** The parameters of a query string (contract 7 and 8). Those of one that is not percent-encoded UTF-8 are broken. */
function parametersIn(query: string): Pick<Asked, 'pairs' | 'isBroken'> {
  const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
  // A URL has to encode bytes beyond ASCII, and a request has no fragment.
  if (/[^!-~]|#/.test(query)) return { pairs: [], isBroken: true }
  try {
    const pairs = query.split('&').filter(Boolean)
    return { pairs: pairs.map((pair) => [decoded(pair.replace(/=.*/s, '')), decoded(pair.replace(/^[^=]*=?/, ''))]) }
  } catch {
    return { pairs: [], isBroken: true }
  }
}

export interface Caller {
  userId: string | number | bigint
  role: string | string[]
  ids?: Record<string, string>
  /** Instead of the reach that the list gives to the role. */
  reach?: Reach
}

const oracles = new WeakMap<Data, Map<ListPlan, Oracle>>()

/** The answer to a request for one of the default lists, or for another one. */
export function answerOf(
  url: string,
  { userId, role, ids, reach }: Caller,
  data: Data = world,
  other?: ListPlan
): Expected {
  const [path = '', ...query] = url.split('?')
  const plan = other ?? (path.endsWith(plans.assessments.path) ? plans.assessments : plans.payments)
  const known = oracles.get(data) ?? new Map<ListPlan, Oracle>()
  const records = data[plan.name as 'lessons'] ?? []
  const oracle = known.get(plan) ?? oracleOf(plan, { ...data, records })
  oracles.set(data, known.set(plan, oracle))
  return oracle.page({ userId: String(userId), role, ids, reach, ...parametersIn(query.join('?')) })
}

/** The same as `shown` of ./server.ts gives it. */
export function expected(url: string, caller: Caller, data: Data = world, other?: ListPlan) {
  const answer = answerOf(url, caller, data, other)
  const { status } = answer
  if (status !== 200) return { status, total: undefined, items: undefined }
  return { status, total: answer.total, items: answer.items.map((item): Record<string, unknown> => JSON.parse(item)) }
}

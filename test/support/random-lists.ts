/** Random definitions of lists, as plans: plain data, from which ./random-definition.ts makes the list. */
import type { DatabaseName } from './databases.js'
import { type Random, randomOf } from './random.js'
import {
  type ColumnPlan,
  type Context,
  columnOf,
  hasEquality,
  hasRange,
  type Kind,
  type Variant
} from './random-columns.js'

export type Reach = 'own' | 'linked' | 'all' | 'none' | { own: string }

/** `one`: exactly one value. */
export interface FilterPlan {
  sort: 'one' | 'several' | 'present' | 'range'
  column: string
}

export interface ListPlan {
  seed: number
  database: DatabaseName
  name: string
  path: string
  key: string
  columns: Record<string, ColumnPlan>
  /** More columns of the users and the practitioners. */
  people: Record<'users' | 'practitioners', Record<string, ColumnPlan>>
  id: string
  owner: string
  practitioner: string | undefined
  order: 'newest' | 'oldest'
  /** The column of the order. */
  by: string
  /** The column of each field. */
  fields: Record<string, string>
  search: { columns: string[]; required: boolean; term: TermName | undefined } | undefined
  filters: Record<string, FilterPlan>
  sort: string[]
  roles: Record<string, Reach>
  otherRoles: Reach | undefined
  /** The option `visibility`. */
  visibility: Record<string, Reach>
  /** How many fields, filters, sorts and searched columns the first list has, which `extend` completes. */
  base: Record<'fields' | 'filters' | 'sort' | 'search', number> | undefined
  /** How the option `tables` names the tables. */
  tables: 'default' | 'name' | 'select' | 'function'
  /** The columns that are expressions, if there is a select. */
  computed: string[]
  /** Whether the practitioners have a table of their own. */
  hasPractitioners: boolean
  isIndexed: boolean
}

/** The functions for `search.term`. */
export const terms = {
  trim: (term: string) => term.trim(),
  digits: (term: string) => term.replace(/\D/g, ''),
  'without #': (term: string) => term.replace(/^#/, ''),
  'first word': (term: string) => term.split(' ')[0] ?? '',
  nothing: () => ''
}
export type TermName = keyof typeof terms

/** A text is more likely than the others. */
const kinds = ['id', 'text', 'text', 'enum', 'decimal', 'integer', 'boolean', 'date', 'utcTime', 'wallTime'] as const
const names: Record<Kind, readonly string[]> = {
  id: ['team_id', 'room', 'coachId', 'ref'],
  text: ['title', 'note', 'order', 'zone-name', 'code'],
  enum: ['status', 'level', 'group'],
  decimal: ['amount', 'fee', 'Score'],
  integer: ['minutes', 'seats', 'size'],
  boolean: ['held', 'is_paid', 'active'],
  date: ['day', 'due_on', 'to'],
  utcTime: ['starts_at', 'endedAt', 'from'],
  wallTime: ['moved_at', 'local', 'seen_at']
}

/** The columns that every table of users has, and of practitioners. */
export const textsOfUsers = ['first_name', 'last_name', 'email', 'avatar_url']
const textsOfPractitioners = ['first_name', 'last_name']

const freeName = (random: Random, pool: readonly string[], taken: (name: string) => boolean): string => {
  const free = pool.find((name) => !taken(name))
  if (free && random.chance(0.8)) return free
  for (let number = 2; ; number++) {
    const name = `${random.pick(pool)}${number}`
    if (!taken(name)) return name
  }
}

export interface Choice {
  seed: number
  database: DatabaseName
  allows(variant: Variant): boolean
}

export function planOf({ seed, database, allows }: Choice): ListPlan {
  const random = randomOf(seed)
  const context: Context = { random, database, allows }

  const ids = columnOf(context, 'id', { nulls: ['error'] })
  /** A column with the ids of users. */
  const userIds = (nulls: readonly ('error' | 'empty' | 'null')[]): ColumnPlan => ({
    ...ids,
    whenNull: random.pick(nulls)
  })
  const orderKind = random.pick(['utcTime', 'wallTime', 'date'] as const)
  const id = random.pick(['id', 'lesson_id', 'nr'])
  const owner = random.pick(['user_id', 'owner', 'clientId'])
  const by = random.pick(names[orderKind])
  const columns: Record<string, ColumnPlan> = {
    // The records get other ids than these.
    [id]: { ...columnOf(context, 'id', { nulls: ['error'] }), ...recordIds(context) },
    [owner]: userIds(['error', 'empty', 'null']),
    [by]: columnOf(context, orderKind, { nulls: ['error'], isOrder: true })
  }
  const practitioner = random.chance(0.5) ? 'practitioner_id' : undefined
  if (practitioner) columns[practitioner] = userIds(['error', 'empty', 'null'])
  for (const kind of random.times(random.between(4, 9), () => random.pick(kinds))) {
    const name = freeName(random, names[kind], (name) => Object.hasOwn(columns, name))
    columns[name] = kind === 'id' && random.chance(0.5) ? userIds(['error', 'empty', 'null']) : columnOf(context, kind)
  }

  const { people, hasPractitioners } = peopleOf(context)
  const fields = fieldsOf(random, { columns, people, id, practitioner })
  const filters = filtersOf(random, columns)
  const isSortable = (name: string) => columns[name]?.whenNull === 'error' && columns[name].isPlain
  const sort = random.chance(0.7) ? random.some(random.shuffled(Object.keys(columns).filter(isSortable)), 0.6) : []
  const search = searchOf(random, columns, people)
  const lengths = { fields: fields.length, filters: Object.keys(filters).length, sort: sort.length }
  const reaches = reachesOf(random, columns)
  // An expression of MySQL has another type than a BIT, a TIMESTAMP and an ENUM.
  const canBeComputed = (name: string) =>
    name !== id && name !== by && !/^(bit|timestamp\(|enum)/.test(columns[name]?.type ?? '')
  return {
    seed,
    database,
    name: random.pick(['lessons', 'visits', 'group']),
    path: random.pick(['/lesson/list', '/visits']),
    key: random.pick(['items', 'data']),
    columns,
    people,
    id,
    owner,
    practitioner,
    order: random.pick(['newest', 'oldest']),
    by,
    fields: Object.fromEntries(fields),
    search,
    filters,
    sort,
    ...reaches,
    base: random.chance(0.45)
      ? {
          // The first list has the field of the id.
          fields: random.between(fields.findIndex(([name]) => name === id) + 1, lengths.fields),
          filters: random.between(0, lengths.filters),
          sort: random.between(0, lengths.sort),
          search: random.between(1, search?.columns.length ?? 1)
        }
      : undefined,
    tables: random.pick(['default', 'name', 'select', 'function']),
    computed:
      allows('computed') && random.chance(0.4) ? random.some(Object.keys(columns).filter(canBeComputed), 0.4) : [],
    hasPractitioners,
    isIndexed: random.chance(0.5)
  }
}

/** The ids are made with the records. */
function recordIds({ random, database }: Context): Partial<ColumnPlan> {
  const isNumeric = random.chance(0.6)
  const type = isNumeric ? (database === 'sqlite' ? 'integer' : 'bigint') : 'varchar(40)'
  return { isNumeric, type, pool: [], isPlain: true }
}

/** A record without its user has no value for a column of the user, so `whenNull` cannot be `error`. */
function peopleOf(context: Context) {
  const { random } = context
  const person = (kinds: readonly (readonly [string, Kind])[]) =>
    Object.fromEntries(
      random
        .some(kinds, 0.4)
        .map(([name, kind]) => [
          name,
          columnOf(context, kind, { nulls: kind === 'text' ? ['empty', 'null'] : ['null'] })
        ])
    )
  const hasPractitioners = random.chance(0.5)
  const ranks = [['rank', 'text'] as const, ['since', 'date'] as const]
  return {
    hasPractitioners,
    people: {
      users: person([
        ['full_name', 'text'],
        ['nick-name', 'text'],
        ['age', 'integer'],
        ['is_active', 'boolean'],
        ['born', 'date'],
        ['seen', 'utcTime'],
        ['grade', 'enum']
      ]),
      // Both tables can have one name in different kinds, if they are two tables.
      practitioners: person(hasPractitioners ? [['full_name', 'text'], ['age', 'decimal'], ...ranks] : ranks)
    }
  }
}

type Shape = Pick<ListPlan, 'columns' | 'people' | 'id' | 'practitioner'>

function fieldsOf(random: Random, { columns, people, id, practitioner }: Shape): [name: string, column: string][] {
  const own = random.some(
    Object.keys(columns).filter((name) => name !== id),
    0.85
  )
  const joined = [
    ...[...textsOfUsers, ...Object.keys(people.users)].map((name) => `users.${name}`),
    ...(practitioner ? [...textsOfPractitioners, ...Object.keys(people.practitioners)] : []).map(
      (name) => `practitioners.${name}`
    )
  ]
  const shown = [...own, ...random.some(joined, random.chance(0.3) ? 0 : 0.4)]
  if (random.chance(0.4)) shown.push('memberships.org_name')
  const taken = new Set([id])
  const fields = shown.map((column): [string, string] => {
    // A field can have the name of another column.
    const names = [column.replace(/^\w+\./, ''), ...Object.keys(columns), 'shown']
    const wanted = random.chance(0.7) ? names : random.shuffled(names)
    const name = freeName(random, wanted, (name) => taken.has(name))
    taken.add(name)
    return [name, column]
  })
  return random.shuffled<[string, string]>([...fields, [id, id]])
}

function filtersOf(random: Random, columns: Record<string, ColumnPlan>): Record<string, FilterPlan> {
  const filters: Record<string, FilterPlan> = {}
  const taken = new Set(['search', 'page', 'limit', 'sort'])
  const density = random.pick([0.15, 0.4, 0.7])
  const parametersOf = (name: string, sort: FilterPlan['sort']) =>
    sort === 'range' ? [`${name}_from`, `${name}_to`] : [name]
  for (const [column, { kind }] of random.shuffled(Object.entries(columns))) {
    const sorts: FilterPlan['sort'][] = ['present']
    if (hasEquality(kind)) sorts.push('one', 'several')
    if (kind === 'boolean') sorts.push('one', 'one')
    if (hasRange(kind)) sorts.push('range', 'range')
    for (const sort of random.some(sorts, density)) {
      const name = freeName(random, [column, `by_${column}`, `only-${column}`, `has_${column}`], (name) => {
        const isFilter = Object.hasOwn(filters, name)
        return isFilter || parametersOf(name, sort).some((parameter) => taken.has(parameter))
      })
      for (const parameter of parametersOf(name, sort)) taken.add(parameter)
      filters[name] = { sort, column }
    }
  }
  return filters
}

function searchOf(random: Random, columns: Record<string, ColumnPlan>, people: ListPlan['people']): ListPlan['search'] {
  const textsOf = (columns: Record<string, ColumnPlan>) =>
    Object.keys(columns).filter((name) => columns[name]?.kind === 'text')
  const texts = textsOf(columns)
  const ofUsers = [...textsOfUsers, ...textsOf(people.users)].map((name) => `users.${name}`)
  const searched = random.shuffled([...random.some(texts, 0.6), ...random.some(ofUsers, 0.3)])
  if (searched.length === 0 || random.chance(0.15)) return undefined
  return {
    columns: searched,
    required: random.chance(0.1),
    term: random.chance(0.5) ? random.pick(Object.keys(terms) as TermName[]) : undefined
  }
}

export const roleNames = ['Client', 'Coach', 'Clerk', 'Boss']
/** A role that only the option `visibility` knows. */
export const newRole = 'Auditor'

function reachesOf(random: Random, columns: Record<string, ColumnPlan>) {
  const ids = Object.keys(columns).filter((name) => columns[name]?.kind === 'id')
  const anyReach = (): Reach =>
    random.pick(['own', 'linked', 'all', 'none', { own: random.pick(ids) }, { own: random.pick(ids) }])
  return {
    roles: {
      ...Object.fromEntries(random.some(roleNames.slice(0, 3), 0.8).map((role) => [role, anyReach()])),
      Boss: 'all' as const
    },
    otherRoles: random.chance(0.6) ? anyReach() : undefined,
    visibility: Object.fromEntries(
      random.some([...roleNames.slice(0, 3), newRole], 0.15).map((role) => [role, anyReach()])
    )
  }
}

/** Whose records a caller sees. */
export const reachOf = ({ visibility, roles, otherRoles }: ListPlan, role: string): Reach =>
  [visibility, roles].find((each) => Object.hasOwn(each, role))?.[role] ?? otherRoles ?? 'none'

/** What a parameter belongs to. A range has two. */
type Parameter = 'page' | 'limit' | 'search' | 'sort' | (FilterPlan & { end?: 'from' | 'to'; name: string })

const knownParameters = new WeakMap<ListPlan, ReadonlyMap<string, Parameter>>()

/** The parameters of a list by their names. */
export function parametersOf(plan: ListPlan): ReadonlyMap<string, Parameter> {
  const { filters, search, sort } = plan
  const cached = knownParameters.get(plan)
  if (cached) return cached
  const known = new Map<string, Parameter>([
    ['page', 'page'],
    ['limit', 'limit']
  ])
  if (search) known.set('search', 'search')
  if (sort.length > 0) known.set('sort', 'sort')
  for (const [name, filter] of Object.entries(filters)) {
    if (filter.sort !== 'range') known.set(name, { ...filter, name })
    else for (const end of ['from', 'to'] as const) known.set(`${name}_${end}`, { ...filter, name, end })
  }
  knownParameters.set(plan, known)
  return known
}

/** Random definitions of lists, as plans: plain data, from which ./random-definition.ts makes the list. */
import type { DatabaseName } from '../servers/databases.js'
import {
  type FilterPlan,
  type Kind,
  type ListPlan,
  type Part,
  type Reach,
  type TermName,
  terms,
  type Where
} from './oracle.js'
import { type Random, randomOf } from './random.js'
import { type ColumnPlan, type Context, columnOf, hasEquality, hasRange, type Variant } from './random-columns.js'

type Columns = Record<string, ColumnPlan>

export interface RandomList extends ListPlan {
  seed: number
  database: DatabaseName
  key: string
  columns: Columns
  joined: Record<'users' | 'practitioners', Columns>
  /** How many fields, filters, sorts and searched columns the first list has, which `extend` completes. */
  base: Record<'fields' | 'filters' | 'sort' | 'search', number> | undefined
  /** How the option `tables` names the tables. */
  tables: 'default' | 'name' | 'select' | 'function'
  /** The columns that are expressions, if there is a select. */
  computed: string[]
  /** Whether the practitioners have a table of their own. */
  hasPractitioners: boolean
  isIndexed: boolean
  /** The column of the ids in each table of links besides `links`. */
  linkTables: Record<string, string>
}

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

export function planOf({ seed, database, allows }: Choice): RandomList {
  const random = randomOf(seed)
  const context: Context = { random, database, allows }

  const ids = columnOf(context, 'id', { nulls: ['error'] })
  /** A column with the ids of users. */
  const userIds = (): ColumnPlan => ({ ...ids, whenNull: random.pick(['error', 'empty', 'null']) })
  const orderKind = random.pick(['utcTime', 'wallTime', 'date'] as const)
  const id = random.pick(['id', 'lesson_id', 'nr'])
  const owner = random.pick(['user_id', 'owner', 'clientId'])
  const by = random.pick(names[orderKind])
  const columns: Columns = {
    // The records get other ids than these.
    [id]: { ...columnOf(context, 'id', { nulls: ['error'] }), ...recordIds(context) },
    [owner]: userIds(),
    [by]: columnOf(context, orderKind, { nulls: ['error'], isOrder: true })
  }
  const practitioner = random.chance(0.5) ? 'practitioner_id' : undefined
  if (practitioner) columns[practitioner] = userIds()
  for (const kind of random.times(random.between(4, 9), () => random.pick(kinds))) {
    const name = freeName(random, names[kind], (name) => Object.hasOwn(columns, name))
    columns[name] = kind === 'id' && random.chance(0.5) ? userIds() : columnOf(context, kind)
  }

  const { joined, hasPractitioners } = joinedOf(context)
  const fields = fieldsOf(random, { columns, joined, id, practitioner })
  const filters = filtersOf(random, columns)
  const isSortable = (name: string) => columns[name]?.isPlain
  const sort = random.chance(0.7) ? random.some(random.shuffled(Object.keys(columns).filter(isSortable)), 0.6) : []
  const search = searchOf(random, columns, joined)
  const lengths = { fields: fields.length, filters: Object.keys(filters).length, sort: sort.length }
  const reaches = reachesOf(random, columns, owner)
  // An expression of MySQL has another type than a BIT, a TIMESTAMP and an ENUM.
  const canBeComputed = (name: string) =>
    name !== id && name !== by && !/^(bit|timestamp\(|enum)/.test(columns[name]?.type ?? '')
  return {
    ...{ seed, database, columns, joined, id, owner, practitioner, by, search, filters, sort, hasPractitioners },
    name: random.pick(['lessons', 'visits', 'group']),
    path: random.pick(['/lesson/list', '/visits']),
    key: random.pick(['items', 'data']),
    order: random.pick(['newest', 'oldest']),
    fields: Object.fromEntries(fields),
    ...reaches,
    ...(random.chance(0.5) && { fieldRoles: fieldRolesOf(random, rolesOf(reaches), fields, [id, by]) }),
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
function joinedOf(context: Context) {
  const { random } = context
  const columnsOf = (kinds: Record<string, Kind>) => {
    const made = (kind: Kind) => columnOf(context, kind, { nulls: kind === 'text' ? ['empty', 'null'] : ['null'] })
    return Object.fromEntries(random.some(Object.entries(kinds), 0.4).map(([name, kind]) => [name, made(kind)]))
  }
  const hasPractitioners = random.chance(0.5)
  const ofUsers = {
    full_name: 'text',
    'nick-name': 'text',
    age: 'integer',
    is_active: 'boolean',
    born: 'date'
  } as const
  // Both tables can have one name in different kinds, if they are two tables.
  const alike = hasPractitioners ? ({ full_name: 'text', age: 'decimal' } as const) : {}
  return {
    hasPractitioners,
    joined: {
      users: columnsOf({ ...ofUsers, seen: 'utcTime', grade: 'enum' }),
      practitioners: columnsOf({ ...alike, rank: 'text', since: 'date' })
    }
  }
}

type Shape = Pick<RandomList, 'columns' | 'joined' | 'id' | 'practitioner'>

function fieldsOf(random: Random, { columns, joined, id, practitioner }: Shape): [name: string, column: string][] {
  const { [id]: _id, ...own } = columns
  const ofPractitioners = practitioner ? [...textsOfPractitioners, ...Object.keys(joined.practitioners)] : []
  const others = [
    ...[...textsOfUsers, ...Object.keys(joined.users)].map((name) => `users.${name}`),
    ...ofPractitioners.map((name) => `practitioners.${name}`)
  ]
  const shown = [...random.some(Object.keys(own), 0.85), ...random.some(others, random.chance(0.3) ? 0 : 0.4)]
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

function filtersOf(random: Random, columns: Columns): Record<string, FilterPlan> {
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

function searchOf(random: Random, columns: Columns, joined: RandomList['joined']): ListPlan['search'] {
  const textsOf = (columns: Columns) => Object.keys(columns).filter((name) => columns[name]?.kind === 'text')
  const texts = textsOf(columns)
  const ofUsers = [...textsOfUsers, ...textsOf(joined.users)].map((name) => `users.${name}`)
  const searched = random.shuffled([...random.some(texts, 0.6), ...random.some(ofUsers, 0.3)])
  if (searched.length === 0 || random.chance(0.15)) return undefined
  return {
    columns: searched,
    required: random.chance(0.1),
    term: random.chance(0.5) ? random.pick(Object.keys(terms) as TermName[]) : undefined
  }
}

export const roleNames = ['Client', 'Coach', 'Clerk', 'Boss']
/** A role that only the option `roles` knows. */
export const newRole = 'Auditor'

/** The roles that a field may name. */
const rolesOf = ({ roles, optionRoles }: Pick<ListPlan, 'roles' | 'optionRoles'>) => [
  ...new Set([...Object.keys(roles), ...Object.keys(optionRoles)])
]

/** @param shown the columns that every role sees */
const fieldRolesOf = (
  random: Random,
  roles: readonly string[],
  fields: readonly (readonly [string, string])[],
  shown: string[]
) =>
  Object.fromEntries(
    random
      .some(
        fields.filter(([, column]) => !shown.includes(column)),
        0.4
      )
      .map(([name]) => [name, [random.pick(roles), ...random.some(roles, 0.4)]])
  )

function reachesOf(random: Random, columns: Columns, owner: string) {
  const ids = Object.keys(columns).filter((name) => columns[name]?.kind === 'id')
  const ofUsers = ids.filter((name) => columns[name]?.pool === columns[owner]?.pool)
  const linkTables: Record<string, string> = {}
  const linked = (): Part => {
    if (random.chance(0.2)) return { linked: random.pick(ofUsers), ...(random.chance(0.3) && { by: 'links' }) }
    const column = random.pick(ids)
    const by = `${random.pick(['staff', 'Clinic-leads_'])}${ids.indexOf(column)}`
    linkTables[by] = column
    return { linked: column, by }
  }
  const conditions = Object.entries(columns).filter(([, { kind, pool }]) => isCompared(kind) && pool.some(isConstant))
  const isNarrowed = random.chance(0.6) && conditions.length > 0
  const where = (): Where =>
    Object.fromEntries(
      random.times(random.between(1, 2), () => {
        const [name, column] = random.pick(conditions)
        return [name, constantOf(random, column)]
      })
    )
  const part = (): Part => {
    if (isNarrowed && random.chance(0.15)) return { where: where() }
    return {
      ...(random.chance(0.4) ? { own: random.pick(ids) } : linked()),
      ...(random.chance(0.2) && { callerId: random.pick(callerIds) }),
      ...(isNarrowed && random.chance(0.4) && { where: where() })
    }
  }
  const parts = () => random.times(random.between(1, 3), part)
  const anyReach = (): Reach => {
    const reach = random.pick(['own', 'linked', 'all', 'none', part, part, parts, parts, parts] as const)
    return typeof reach === 'string' ? reach : reach()
  }
  const reachesFor = (roles: string[], density: number) =>
    Object.fromEntries(random.some(roles, density).map((role) => [role, anyReach()]))
  return {
    roles: { ...reachesFor(roleNames.slice(0, 3), 0.8), Boss: 'all' as const },
    otherRoles: random.chance(0.6) ? anyReach() : undefined,
    optionRoles: reachesFor([...roleNames.slice(0, 3), newRole], 0.15),
    ...(random.chance(0.2) && { within: { [random.pick(ids)]: 'tenant' } }),
    linkTables
  }
}

/** The names of the caller's other ids. */
export const callerIds = ['tenant', 'other']

const isCompared = (kind: Kind) => ['id', 'text', 'enum', 'boolean'].includes(kind)
const isConstant = (value: string) => /^[^\p{Cc}\p{Cs}]+$/u.test(value)

function constantOf(random: Random, { kind, pool, values, whenNull, isNumeric }: ColumnPlan): Where[string] {
  const one = () => {
    const text = random.pick((values ?? pool).filter(isConstant))
    if (kind === 'boolean') return text === 'true'
    if (kind !== 'id') return text
    if (random.chance(0.05)) return random.pick(['abc', '01', 'U1'])
    return isNumeric && Number.isSafeInteger(Number(text)) && random.chance(0.5) ? Number(text) : text
  }
  if (whenNull !== 'error' && random.chance(0.15)) return null
  const some = random.chance(0.4) ? random.times(random.between(1, 3), one) : undefined
  const orNone = whenNull !== 'error' && random.chance(0.3) ? [null] : []
  return some ? [...some, ...orNone] : one()
}

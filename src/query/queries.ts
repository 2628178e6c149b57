/** Builds the SQL of a request. The page and the total share one `from … where …` (contract 70). */
import { type RawBuilder, sql } from 'kysely'
import type { Key } from '../database/dialect.js'
import type { Row } from '../database/driver-samples.js'
import { type Parameter, parameterOf } from '../database/parameter.js'
import { cellName, recordCreation, recordGone, recordTotal } from './items.js'
import type { ListRequest, Plan, Span } from './plan.js'
import { type SqlContext, scopeOf } from './scope.js'
import { type Matches, type TermSearch, termSearch } from './search.js'

export interface PageOptions {
  readonly span: Span
  readonly plan: Plan
  /** Undefined if the matches were not read. */
  readonly matches?: Matches | undefined
  /** Whether each row contains the total. Cheap if all matches must be sorted anyway. */
  readonly withTotal?: boolean
  /** Whether the page is a batch of all records, which needs no total. */
  readonly isBatch?: boolean
}

export interface QueryContext extends Pick<SqlContext, 'list' | 'fitted' | 'session'> {
  readonly request: Pick<ListRequest, 'reach' | 'caller' | 'parameters'>
  /** Turns a client's text into a SQL parameter. The statement cache gives a placeholder instead of the text. */
  readonly toParameter?: (name: string, text: string) => Parameter
}

/** The caller's id, as a name for `toParameter`. No query parameter's name contains a space. */
export const callerIdName = 'caller id'

/** The names of the parameters with the key of the last record before a batch. */
export const keyNames: Key = { time: 'key time', id: 'key id' }

export type SpanParameters = Readonly<Record<'skip' | 'take', unknown>>

export interface Queries {
  page(options: PageOptions, parameters?: SpanParameters): RawBuilder<Row>
  /** One row with `recordTotal`. */
  total(matches?: Matches): RawBuilder<Row>
  idsOf: TermSearch['idsOf']
}

/** MySQL and MariaDB would otherwise apply the session's `sql_select_limit`. */
export const everyRow = sql`limit ${sql.lit(Number.MAX_SAFE_INTEGER)}`

/**
 * The page, newest first. The subquery finds the ids, so the outer query joins only the records of the page:
 *
 *     select …fields from (
 *       select r.id, r.created_at from (assessments) as r [join (visible users) as v on …] [where …]
 *       order by r.created_at desc, r.id desc limit 12 offset 0
 *     ) as k left join (assessments) as r on r.id = k.id left join (users) as u on u.user_id = r.user_id …
 *     order by k.created_at desc, k.id desc limit 9007199254740991
 *
 * The total: `select count(*) as "record total" from (assessments) as r [join …] [where …]`. For the reach `own`, the
 * total is cheap and is a cell of the page. With `withTotal`, the subquery selects `count(*) over () as total`.
 *
 * The next batch: `where … and (r.created_at, r.id) <= (<key>)`, which repeats the last record.
 */
export function queriesOf({
  list,
  request,
  fitted,
  session,
  toParameter = (_name, text) => parameterOf(text)
}: QueryContext): Queries {
  const { name: records, filters, joins, fields, owner, practitioner } = list
  const { reach, caller, parameters } = request
  const { tables } = session
  const { dialect, foreign } = fitted
  const parameter = (name: string) => {
    const text = parameters[name]
    return text === undefined ? undefined : toParameter(name, text)
  }
  const table = sql`${tables.of(records)} as r`
  const id = `r.${list.id}`
  const context: SqlContext = { list, reach, userId: toParameter(callerIdName, caller.userId), fitted, session }
  const scope = scopeOf(context)
  const filtered = Object.entries(filters).flatMap(([name, { column, operator }]) => {
    const value = parameter(name)
    if (!value) return []
    const filtered = sql.ref(`r.${column}`)
    return [operator === '=' ? dialect.same(filtered, value) : dialect.compareTime(filtered, operator, value)]
  })
  const term = parameter('search')
  const search = termSearch(context, term ?? parameterOf(''), scope.user, filtered)

  const [keyTime, keyId] = [parameter(keyNames.time), parameter(keyNames.id)]
  const createdAt = sql.ref(`r.${list.newest}`)
  const fromKey = keyTime && keyId ? [dialect.fromKey(createdAt, sql.ref(id), { time: keyTime, id: keyId })] : []

  const matched = (matches: Matches = {}, plan: Plan = 'plain') => {
    const conditions = [...scope.where, ...(term ? [search.matching(matches, plan)] : []), ...filtered, ...fromKey]
    const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
    return sql`from ${table} ${scope.join} ${where}`
  }
  // The count is text, because a driver may convert numbers.
  const counted = sql`${dialect.text(sql`count(*)`)} as ${sql.id(recordTotal)}`
  const total = (matches?: Matches) => sql<Row>`select ${counted} ${matched(matches)}`

  const cells = [
    sql`${dialect.text(sql.ref('k.created_at'))} as ${sql.id(recordCreation)}`,
    // Under READ UNCOMMITTED, a record can be deleted between the subquery and the join.
    sql`case when ${sql.ref(id)} is null then ${dialect.text(sql.ref('k.id'))} end as ${sql.id(recordGone)}`,
    ...Object.values(fields).map(
      ({ column }, place) => sql`${dialect.text(sql.ref(column))} as ${sql.id(cellName(place))}`
    )
  ]
  const ownTotal = reach === 'own' ? [sql`(select ${counted} ${matched()}) as ${sql.id(recordTotal)}`] : []
  const windowTotal = sql`${dialect.text(sql.ref('k.total'))} as ${sql.id(recordTotal)}`
  const details = Object.entries(joins).map(([alias, name]) => {
    const joined = `${alias}.${Object.keys(session.columns(name))[0]}`
    const ofRecord = `r.${name === 'practitioners' ? practitioner : owner}`
    const ofPage = foreign?.ofPage(joined, ofRecord) ?? sql``
    const isSame = dialect.sameIds(sql.ref(joined), sql.ref(ofRecord))
    return sql`left join ${tables.of(name)} as ${sql.id(alias)} on ${isSame}${ofPage}`
  })

  return {
    total,
    idsOf: search.idsOf,
    page({ span, plan, matches, withTotal, isBatch }, { skip, take }: SpanParameters = span) {
      const direction = span.backwards ? sql`asc` : sql`desc`
      // Without the hint, MySQL and MariaDB may scan the records in this order although few match.
      const isSorted = plan === 'sorted' || plan === 'few'
      const sortKey = isSorted && dialect.plan ? dialect.plan.opaque(createdAt) : createdAt
      const ids = sql`
        select ${sql.ref(id)} as id, ${createdAt} as created_at ${withTotal ? sql`, count(*) over () as total` : sql``}
        ${matched(matches, plan)}
        order by ${sortKey} ${direction}, ${sql.ref(id)} ${direction} limit ${take} offset ${skip}`
      const totals = isBatch ? [] : [...ownTotal, ...(withTotal ? [windowTotal] : [])]
      const select = sql`select ${sql.join([...cells, ...totals])}`
      const pageOf = foreign?.page({ select, ids, id, table, columns: Object.keys(session.columns(records)) })
      return sql`${pageOf ?? sql`${select} from (${ids}) as k left join ${table}`} on ${dialect.sameIds(sql.ref(id), sql.ref('k.id'))}
        ${sql.join(details, sql` `)} order by k.created_at desc, k.id desc ${everyRow}`
    }
  }
}

/** Builds the SQL of a request. The page and the total share one `from … where …` (contract 70). */
import { type RawBuilder, sql } from 'kysely'
import { type ClientText, clientText, idKey, sameIds, sampleCells } from '../database/dialect.js'
import type { Row } from '../database/driver-samples.js'
import type { Source } from '../database/source.js'
import type { List } from '../lists/list.js'
import type { Traits } from './column-traits.js'
import { cellName, recordCreation, recordGone, recordTotal } from './items.js'
import type { Matches, Order, PageOptions } from './order.js'
import type { ListRequest } from './request.js'
import { scopeOf } from './scope.js'
import { type TermSearch, termSearch } from './search.js'

export interface QueryContext {
  readonly list: Pick<List, 'name' | 'id' | 'owner' | 'practitioner' | 'fields' | 'joins' | 'search' | 'filters'>
  readonly request: Pick<ListRequest, 'reach' | 'caller' | 'parameters'>
  readonly traits: Traits
  readonly source: Source
  /** Turns a client's text into a SQL parameter. The statement cache gives a placeholder instead of the text. */
  readonly toParameter?: (name: string, text: string) => ClientText
}

/** The caller's id, as a name for `toParameter`. No query parameter's name contains a space. */
export const callerIdName = 'caller id'

export type SpanParameters = Readonly<Record<'skip' | 'take', unknown>>

export interface Queries {
  page(options: PageOptions, parameters?: SpanParameters): RawBuilder<Row>
  /** One row with `recordTotal` and the samples. */
  total(matches?: Matches): RawBuilder<Row>
  idsOf: TermSearch['idsOf']
}

/** Names that no table of a host has. A name in `tables` contains no space. */
const pageIds = sql.id('page ids')
const pageRecords = sql.id('page records')

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
 * With foreign tables (`Dialect.foreignTables`), each further look has the ids of the page as a parameter, which a foreign
 * table sends to its server. With the join alone, the server would send all of its rows:
 *
 *     with ids as (select r.id, r.created_at … limit 12 offset 0),
 *       records as (select …columns from (assessments) as r where r.id = any(array(select k.id from ids as k)))
 *     select …fields from ids as k left join records as r on r.id = k.id left join (users) as u
 *       on u.user_id = r.user_id and u.user_id = any(array(select r.user_id from records as r)) …
 *
 * The total: `select count(*) as "record total" from (assessments) as r [join …] [where …]`. For the reach `own`, the
 * total is cheap and is a cell of the page. With `withTotal`, the subquery selects `count(*) over () as total`.
 */
export function queriesOf({
  list,
  request,
  traits,
  source,
  toParameter = (_name, text) => clientText(text)
}: QueryContext): Queries {
  const { name: records, filters, joins, fields, owner, practitioner } = list
  const { reach, caller, parameters } = request
  const { dialect } = source
  const among = traits.foreignTables ? dialect.foreignTables?.among : undefined
  const parameter = (name: string) => {
    const text = parameters[name]
    return text === undefined ? undefined : toParameter(name, text)
  }
  const table = sql`${source.table(records)} as r`
  const id = `r.${list.id}`
  const key = idKey(dialect, traits.plainIds)
  const keyOfRecord = idKey(dialect, traits.plainRecordIds)
  const scope = scopeOf({
    reach,
    userId: toParameter(callerIdName, caller.userId),
    records,
    plainIds: traits.plainIds,
    among,
    source
  })
  const filtered = Object.entries(filters).flatMap(([name, column]) => {
    const value = parameter(name)
    const same = (traits.exactTexts.has(`r.${column}`) && dialect.sameText) || dialect.same
    return value ? [same(sql.ref(`r.${column}`), value)] : []
  })
  const term = parameter('search')
  const search = termSearch({
    list,
    term: term ?? clientText(''),
    reach,
    userInReach: scope.user,
    filtered,
    traits,
    source
  })

  const matched = (matches?: Matches, order: Order = 'free') => {
    const conditions = [...scope.where, ...(term ? [search.matching(matches, order)] : []), ...filtered]
    const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
    return sql`from ${table} ${scope.join} ${where}`
  }
  // The count is text, because a driver may convert numbers.
  const counted = sql`${dialect.text(sql`count(*)`)} as ${sql.id(recordTotal)}`
  const samples = sampleCells(dialect)
  const total = (matches?: Matches) => sql<Row>`select ${sql.join([counted, ...samples])} ${matched(matches)}`

  const cells = [
    sql`${dialect.text(sql.ref('k.created_at'))} as ${sql.id(recordCreation)}`,
    // Under READ UNCOMMITTED, a record can be deleted between the subquery and the join.
    sql`case when ${sql.ref(id)} is null then ${dialect.text(sql.ref('k.id'))} end as ${sql.id(recordGone)}`,
    ...Object.values(fields).map(
      ({ column }, place) => sql`${dialect.text(sql.ref(column))} as ${sql.id(cellName(place))}`
    ),
    ...(reach === 'own' ? [sql`(select ${counted} ${matched()}) as ${sql.id(recordTotal)}`] : [])
  ]
  const windowTotal = sql`${dialect.text(sql.ref('k.total'))} as ${sql.id(recordTotal)}`
  const details = Object.entries(joins).map(([alias, name]) => {
    const joined = `${alias}.${source.columns(name)[0]}`
    const ofRecord = `r.${name === 'practitioners' ? practitioner : owner}`
    const ofPage = sql`select ${sql.ref(ofRecord)} from ${pageRecords} as r`
    const isOfPage = among ? sql` and ${among(sql.ref(joined), ofPage)}` : sql``
    return sql`left join ${source.table(name)} as ${sql.id(alias)} on ${sameIds(key, joined, ofRecord)}${isOfPage}`
  })
  const columns = sql.join(source.columns(records).map((column) => sql.ref(`r.${column}`)))

  return {
    total,
    idsOf: search.idsOf,
    page({ span, order, matches, withTotal }, { skip, take }: SpanParameters = span) {
      const direction = span.backwards ? sql`asc` : sql`desc`
      const createdAt = sql.ref('r.created_at')
      // Without the hint, MySQL and MariaDB may scan the records in this order although few match.
      const sortKey =
        order === 'sorted' && dialect.optimizerHints ? dialect.optimizerHints.opaque(createdAt) : createdAt
      const ids = sql`
        select ${sql.ref(id)} as id, ${createdAt} as created_at ${withTotal ? sql`, count(*) over () as total` : sql``}
        ${matched(matches, order)}
        order by ${sortKey} ${direction}, ${sql.ref(id)} ${direction} limit ${take} offset ${skip}`
      // The samples come last, because process lists show only the start of a statement.
      const select = sql`select ${sql.join([...cells, ...(withTotal ? [windowTotal] : []), ...samples])}`
      const looks = among
        ? sql`
        with ${pageIds} as (${ids}), ${pageRecords} as (
          select ${columns} from ${table} where ${among(sql.ref(id), sql`select k.id from ${pageIds} as k`)}
        ) ${select} from ${pageIds} as k left join ${pageRecords} as r`
        : sql`
        ${select} from (${ids}) as k
        left join ${table}`
      return sql`${looks} on ${sameIds(keyOfRecord, id, 'k.id')}
        ${sql.join(details, sql` `)} order by k.created_at desc, k.id desc ${everyRow}`
    }
  }
}

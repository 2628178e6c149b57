/**
 * The SQL of a request. One set of conditions, from the reach, the search and the filters, feeds both the page and the
 * total, so that they cannot differ. Nothing here runs a statement.
 */

import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../database/cells.js'
import { type ClientText, clientText, idKey, sameIds, sampleCells } from '../database/dialect.js'
import type { Source } from '../database/source.js'
import { columnsOf } from '../database/tables.js'
import type { List } from '../lists/list.js'
import type { Traits } from './column-traits.js'
import { cellName, recordCreation, recordGone, recordTotal } from './items.js'
import type { Matches, Order, PageOptions } from './page-options.js'
import type { ListRequest } from './request.js'
import { scopeOf } from './scope.js'
import { type TermSearch, termSearch } from './search.js'

/** What the queries of a request depend on. */
export interface QueryContext {
  readonly list: Pick<List, 'records' | 'fields' | 'joins' | 'search' | 'filters'>
  readonly request: Pick<ListRequest, 'reach' | 'caller' | 'parameters'>
  readonly traits: Traits
  readonly source: Source
  /** Puts a text of the request into SQL. By default the text is a parameter. */
  readonly textOf?: (name: string, text: string) => ClientText
}

/** The name of the caller's id for `textOf`. A name with a space cannot be that of a parameter. */
export const callerId = 'caller id'

/** The numbers of a span as parameters of a statement: themselves, or what stands for them. */
export type SpanParameters = Readonly<Record<'skip' | 'take', unknown>>

/** The queries of a request. */
export interface Queries {
  page(options: PageOptions, parameters?: SpanParameters): RawBuilder<Row>
  /** One row with `recordTotal` and the samples. */
  total(matches?: Matches): RawBuilder<Row>
  /** The ids that the search matches, see `TermSearch`. */
  idsOf: TermSearch['idsOf']
}

/** A limit that replaces the session's `sql_select_limit` on MySQL and MariaDB. */
export const everyRow = sql`limit ${sql.lit(Number.MAX_SAFE_INTEGER)}`

/**
 * The page, newest first. The ids come before the details, so that only the records of the page are joined:
 *
 *     select …fields from (
 *       select r.id, r.created_at from (assessments) as r [join (visible users) as v on …] [where …]
 *       order by r.created_at desc, r.id desc limit 12 offset 0
 *     ) as k left join (assessments) as r on r.id = k.id left join (users) as u on u.user_id = r.user_id …
 *     order by k.created_at desc, k.id desc limit 9007199254740991
 *
 * The total: `select count(*) as "record total" from (assessments) as r [join …] [where …]`. Where the reach is one
 * user, the total costs little and is a cell of the page.
 *
 * Each membership is a row: a record has as many rows as its user has organizations.
 */
export function queriesOf({
  list,
  request,
  traits,
  source,
  textOf = (_name, text) => clientText(text)
}: QueryContext): Queries {
  const { records, filters, joins, fields } = list
  const { reach, caller, parameters } = request
  const { dialect } = source
  const given = (name: string) => {
    const text = parameters[name]
    return text === undefined ? undefined : textOf(name, text)
  }
  const id = `r.${columnsOf[records][0]}`
  const key = idKey(dialect, traits.plainIds)
  const keyOfRecord = idKey(dialect, traits.plainRecordIds)
  const scope = scopeOf({ reach, userId: textOf(callerId, caller.userId), records, plainIds: traits.plainIds, source })
  const filtered = Object.entries(filters).flatMap(([name, column]) => {
    const value = given(name)
    return value ? [dialect.same(sql.ref(`r.${column}`), value)] : []
  })
  const term = given('search')
  const search = termSearch({ list, term: term ?? clientText(''), reach, filtered, traits, source })

  const matched = (matches?: Matches, order: Order = 'free') => {
    const conditions = [...scope.where, ...(term ? [search.matching(matches, order)] : []), ...filtered]
    const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
    return sql`from ${source.table(records)} as r ${scope.join} ${where}`
  }
  // As text: a driver may convert numbers.
  const counted = sql`${dialect.text(sql`count(*)`)} as ${sql.id(recordTotal)}`
  const proof = sampleCells(dialect)
  const total = (matches?: Matches) => sql<Row>`select ${sql.join([counted, ...proof])} ${matched(matches)}`

  const cells = [
    sql`${dialect.text(sql.ref('k.created_at'))} as ${sql.id(recordCreation)}`,
    // Under READ UNCOMMITTED a record can be deleted between the two reads of the statement.
    sql`case when ${sql.ref(id)} is null then ${dialect.text(sql.ref('k.id'))} end as ${sql.id(recordGone)}`,
    ...Object.values(fields).map(
      ({ column }, place) => sql`${dialect.text(sql.ref(column))} as ${sql.id(cellName(place))}`
    ),
    ...(reach === 'own' ? [sql`(select ${counted} ${matched()}) as ${sql.id(recordTotal)}`] : []),
    // Last: servers show only the beginning of a running statement.
    ...proof
  ]
  const details = Object.entries(joins).map(([alias, name]) => {
    const condition = sameIds(key, `${alias}.${source.columns(name)[0]}`, `r.${columnsOf[name][0]}`)
    return sql`left join ${source.table(name)} as ${sql.id(alias)} on ${condition}`
  })

  return {
    total,
    idsOf: search.idsOf,
    page({ span, order, matches }, { skip, take }: SpanParameters = span) {
      const direction = span.backwards ? sql`asc` : sql`desc`
      const createdAt = sql.ref('r.created_at')
      // Without the hint MySQL and MariaDB may read the records in this order although few of them match.
      const place = order === 'sorted' && dialect.optimizerHints ? dialect.optimizerHints.opaque(createdAt) : createdAt
      const ids = sql`
        select ${sql.ref(id)} as id, ${createdAt} as created_at ${matched(matches, order)}
        order by ${place} ${direction}, ${sql.ref(id)} ${direction} limit ${take} offset ${skip}`
      return sql`
        select ${sql.join(cells)} from (${ids}) as k
        left join ${source.table(records)} as r on ${sameIds(keyOfRecord, id, 'k.id')}
        ${sql.join(details, sql` `)} order by k.created_at desc, k.id desc ${everyRow}`
    }
  }
}

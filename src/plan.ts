/**
 * Which SQL answers a request: pure, runs nothing. One set of conditions, built once from the caller's
 * reach, the search and the filters, feeds both the page and the total, so that they cannot differ.
 */
import { type RawBuilder, sql } from 'kysely'
import { type ClientText, type Condition, clientText, type Dialect, idKey, sameIds } from './dialect.js'
import { type Fields, recordCreation, recordTotal, sample } from './fields.js'
import type { Span } from './page.js'
import { columnsOf, type RecordName, type RelationName } from './relations.js'
import { type Matches, type Search, type TermSearch, termSearch } from './search.js'
import type { Source } from './source.js'
import type { Order } from './strategy.js'
import type { Traits } from './traits.js'
import { type Reach, scopeOf } from './visibility.js'

/** A filter: the condition that a parameter's value stands for. */
export type Filter = (value: ClientText, dialect: Dialect) => Condition

/** What a list reads. */
export interface Reading {
  /** The relation of its records, `r` in SQL. */
  readonly records: RecordName
  /** The columns that `search` looks into. */
  readonly search: Search
  /** The condition of every other parameter. */
  readonly filters: Readonly<Record<string, Filter>>
  /** The relations beside the records that fields come from, by their alias in SQL. */
  readonly joins: Readonly<Record<string, Exclude<RelationName, RecordName | 'links'>>>
  /** Among them the record's id, called as its column is. */
  readonly fields: Fields
}

/** The relations that its statements may read, by their alias in SQL. */
export const aliasesOf = ({ records, joins }: Pick<Reading, 'records' | 'joins'>): Record<string, RelationName> => ({
  r: records,
  u: 'users',
  l: 'links',
  ...joins
})

/** One cell a column: the record's creation date, the sample, each field's, and the total beside own records. */
export type Row = Record<string, unknown>

/** What a plan must answer. */
export interface Question {
  reach: Reach
  /** The id of the caller. */
  userId: ClientText
  /** Without `page` and `limit`. */
  parameters: ReadonlyMap<string, ClientText>
  traits: Traits
}

/** How its page is read. */
export interface Way {
  span: Span
  order: Order
  /** What the search matches, where that is known. */
  matches?: Matches | undefined
}

/** The statements that answer a question. */
export interface Plan {
  page(way: Way): RawBuilder<Row>
  /** One row with one cell, `recordTotal`. */
  total(matches?: Matches): RawBuilder<Row>
  /** The ids that the search matches, see `TermSearch`. */
  idsOf: TermSearch['idsOf']
}

/** A filter on the exact value of the records' column. */
export const equals =
  (column: string): Filter =>
  (value, dialect) =>
    dialect.same(sql.ref(`r.${column}`), value)

/** A limit of its own, so that the session's `sql_select_limit` on MySQL and MariaDB cuts nothing off. */
export const everyRow = sql`limit ${sql.lit(Number.MAX_SAFE_INTEGER)}`

/**
 * The page, newest first, ids before details so that only the page's own records are joined:
 *
 *     select …fields from (
 *       select r.id, r.created_at from (assessments) as r [join (visible users) as v on …] [where …]
 *       order by r.created_at desc, r.id desc limit 12 offset 0
 *     ) as k left join (assessments) as r on r.id = k.id left join (users) as u on u.user_id = r.user_id …
 *     order by k.created_at desc, k.id desc limit 9007199254740991
 *
 * and the total: `select count(*) as "record total" from (assessments) as r [join …] [where …]`, which where the reach
 * is one user costs so little that it is a column of the page.
 *
 * A membership is a row of its own: a record stands in as many rows as its user has organizations.
 */
export function planOf(
  reading: Reading,
  { reach, userId, parameters, traits }: Question,
  source: Source,
  dialect: Dialect
): Plan {
  const { records, filters, joins, fields } = reading
  const id = `r.${columnsOf[records][0]}`
  const key = idKey(dialect, traits.plainIds)
  const recordKey = idKey(dialect, traits.plainRecordIds)
  const scope = scopeOf(reach, userId, { ...source, dialect }, records, traits.plainIds)
  const filtered = Object.entries(filters).flatMap(([name, filter]) => {
    const value = parameters.get(name)
    return value ? [filter(value, dialect)] : []
  })
  const search = parameters.get('search')
  const term = termSearch(reading, search ?? clientText(''), reach, filtered, traits, key, source, dialect)

  const matched = (matches?: Matches, order: Order = 'free') => {
    const conditions = [...scope.where, ...(search ? [term.matching(matches, order)] : []), ...filtered]
    const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
    return sql`from ${source.relation(records)} as r ${scope.join} ${where}`
  }
  const total = (matches?: Matches) => sql<Row>`select count(*) as ${sql.id(recordTotal)} ${matched(matches)}`

  const cells = [
    sql`${dialect.text(sql.ref('k.created_at'))} as ${sql.id(recordCreation)}`,
    sql`${dialect.text(dialect.sample)} as ${sql.id(sample)}`,
    ...Object.entries(fields).map(([name, field]) => sql`${dialect.text(sql.ref(field.column))} as ${sql.id(name)}`),
    ...(reach === 'own' ? [sql`(${total()}) as ${sql.id(recordTotal)}`] : [])
  ]
  const details = Object.entries(joins).map(([alias, relation]) => {
    const condition = sameIds(key, `${alias}.${source.columns(relation)[0]}`, `r.${columnsOf[relation][0]}`)
    return sql`left join ${source.relation(relation)} as ${sql.id(alias)} on ${condition}`
  })

  return {
    total,
    idsOf: term.idsOf,
    page({ span: { skip, take, backwards }, order, matches }) {
      const direction = backwards ? sql`asc` : sql`desc`
      const createdAt = sql.ref('r.created_at')
      // else MySQL and MariaDB may go through the records in this order though few of them match
      const place = order === 'sorted' && dialect.steering ? dialect.steering.opaque(createdAt) : createdAt
      const ids = sql`
        select ${sql.ref(id)} as id, ${createdAt} as created_at ${matched(matches, order)}
        order by ${place} ${direction}, ${sql.ref(id)} ${direction} limit ${sql.lit(take)} offset ${sql.lit(skip)}`
      return sql`
        select ${sql.join(cells)} from (${ids}) as k
        left join ${source.relation(records)} as r on ${sameIds(recordKey, id, 'k.id')}
        ${sql.join(details, sql` `)} order by k.created_at desc, k.id desc ${everyRow}`
    }
  }
}

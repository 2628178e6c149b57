/**
 * Which SQL answers a request: pure, runs nothing. One set of conditions, built once from the caller's
 * reach, the search and the filters, feeds both the page and the total, so that they cannot differ.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Condition, type Dialect, type IdKey, idKey, sameIds } from './dialect.js'
import type { Fields } from './fields.js'
import { offsetOf, type Page } from './page.js'
import type { Parameters } from './query.js'
import { columnsOf, type RecordName, type RelationName } from './relations.js'
import type { Source } from './source.js'
import type { Traits } from './traits.js'
import { type Caller, type Reach, scopeOf } from './visibility.js'

/** A filter: the condition that a parameter's value stands for. */
export type Filter = (value: string, dialect: Dialect) => Condition

/** Columns of the records and of their users. */
export interface Search {
  readonly records: readonly string[]
  readonly users: readonly string[]
}

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
  readonly fields: Fields
}

/** One cell a column: the record's id and creation date, then each field's. */
export type Row = Record<string, unknown>

/** What a plan must answer. */
export interface Question {
  caller: Caller
  reach: Reach
  /** Without `page` and `limit`. */
  parameters: Parameters
  page: Page
  traits: Traits
}

export interface Plan {
  page: RawBuilder<Row>
  /** One row with one cell, `total`. */
  total: RawBuilder<Row>
}

/** Aliases of the columns that every page has beside its fields'; no field may be called so. */
export const recordId = 'record id'
export const recordCreation = 'record creation'
export const sample = 'sample'

/** A filter on the exact value of the records' column. */
export const equals =
  (column: string): Filter =>
  (value, dialect) =>
    dialect.same(sql.ref(`r.${column}`), value)

/** A limit of its own, so that the session's `sql_select_limit` on MySQL and MariaDB cuts nothing off. */
const everyRow = sql`limit ${sql.lit(Number.MAX_SAFE_INTEGER)}`

/**
 * The page, newest first, ids before details so that only the page's own records are joined:
 *
 *     select …fields from (
 *       select r.id, r.created_at from (assessments) as r [join (visible users) as v on …] [where …]
 *       order by r.created_at desc, r.id desc limit 12 offset 0
 *     ) as k left join (assessments) as r on r.id = k.id left join (users) as u on u.user_id = r.user_id …
 *     order by k.created_at desc, k.id desc limit 9007199254740991
 *
 * and the total: `select count(*) from (assessments) as r [join …] [where …]`.
 *
 * A membership is a row of its own: a record stands in as many rows as its user has organizations.
 */
export function planOf(
  { records, search, filters, joins, fields }: Reading,
  { reach, caller, parameters, page, traits }: Question,
  source: Source,
  dialect: Dialect
): Plan {
  const id = columnsOf[records][0]
  const column = (name: string) => sql.ref(name)
  const key = idKey(dialect, traits.plainIds)
  const scope = scopeOf(reach, caller, { ...source, dialect }, records, key)
  const conditions = [...scope.where]
  for (const [name, value] of Object.entries(parameters)) {
    if (name === 'search') conditions.push(matching(search, String(value), traits, key, source, dialect))
    else if (filters[name]) conditions.push(filters[name](String(value), dialect))
  }
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  const matched = sql`from ${source.relation(records)} as r ${scope.join} ${where}`

  const ids = sql`
    select ${column(`r.${id}`)} as id, r.created_at ${matched}
    order by r.created_at desc, ${column(`r.${id}`)} desc limit ${sql.lit(page.limit)} offset ${sql.lit(offsetOf(page))}`
  const cells = [
    sql`${dialect.text(column('k.id'))} as ${sql.id(recordId)}`,
    sql`${dialect.text(column('k.created_at'))} as ${sql.id(recordCreation)}`,
    sql`${dialect.text(dialect.sample)} as ${sql.id(sample)}`,
    ...Object.entries(fields).map(([name, field]) => sql`${dialect.text(column(field.column))} as ${sql.id(name)}`)
  ]
  const details = Object.entries(joins).map(([alias, relation]) => {
    const [id] = columnsOf[relation]
    const same = sameIds(key, `${alias}.${id}`, `r.${id}`)
    return sql`left join ${source.relation(relation)} as ${sql.id(alias)} on ${same}`
  })
  return {
    total: sql`select count(*) as total ${matched}`,
    page: sql`
      select ${sql.join(cells)} from (${ids}) as k
      left join ${source.relation(records)} as r on ${sameIds(idKey(dialect, false), `r.${id}`, 'k.id')}
      ${sql.join(details, sql` `)} order by k.created_at desc, k.id desc ${everyRow}`
  }
}

/**
 * The term stands in one of the columns (contract A): those of the records, or those of their user.
 * Users are matched in a subquery, not joined, so that a record whose user is gone stays in a list
 * without search, and none is counted twice.
 */
function matching(
  search: Search,
  term: string,
  { countingCase }: Traits,
  key: IdKey,
  { relation }: Source,
  dialect: Dialect
): Condition {
  const contains = (column: string): Condition => {
    const { contains } = (countingCase.has(column) && dialect.letterCase) || dialect
    return contains(sql.ref(column), term)
  }
  const anyOf = (columns: string[]): Condition => sql`(${sql.join(columns.map(contains), sql` or `)})`
  const [ofRecords, ofUsers] = searchedColumns(search)
  const users: Condition = sql`(${sql.join(key('r.user_id'))}) in (
    select ${sql.join(key('u.user_id'))} from ${relation('users')} as u where ${anyOf(ofUsers)})`
  return ofRecords.length > 0 ? sql`(${anyOf(ofRecords)} or ${users})` : users
}

/** The searched columns of the records and of their users, as `r.payment_intent` and `u.email`. */
export const searchedColumns = ({ records, users }: Search): [ofRecords: string[], ofUsers: string[]] => [
  records.map((name) => `r.${name}`),
  users.map((name) => `u.${name}`)
]

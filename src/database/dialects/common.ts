/** The SQL that several databases share. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { BaseTable, Condition, ListSql, UserSearch } from '../dialect.js'
import { parameterOf } from '../parameter.js'

const limit: ListSql['limit'] = (take, skip) =>
  skip === undefined ? sql`limit ${take}` : sql`limit ${take} offset ${skip}`

export const limits = { limit, everyRow: limit(sql.lit(Number.MAX_SAFE_INTEGER)) }

export const compareBytes: ListSql['compareBytes'] = (bytes, operator, value) =>
  sql`${bytes} ${sql.raw(operator)} ${value.bind()}`

export const booleanOf = (bytes: Expression<unknown>) =>
  sql<
    string | null
  >`case when ${bytes} in ('1', 'true', 't') then 'true' when ${bytes} in ('0', 'false', 'f') then 'false' end`

/** `(r.user_id) in (select u.user_id from users as u where …)` */
export const isAmong = (
  { ofRecord, ofUser, found }: Pick<UserSearch, 'ofRecord' | 'ofUser' | 'found'>,
  hint = sql``
): Condition => sql`(${sql.join(ofRecord)}) in (select ${hint}${sql.join(ofUser)} from ${found})`

/** For few records, `exists` reads one user for each record, where `in` may read all users. */
export const existsIfFew: ListSql['ofUsers'] = (search) => {
  const { ofRecord, ofUser, found, areFew, fence = sql`` } = search
  const same = ofUser.map((part, place) => sql`${part} = ${ofRecord[place]}`)
  return areFew ? sql`exists (select 1 from ${found} and ${sql.join(same, sql` and `)}${fence})` : isAmong(search)
}

/** `not (1 = 0 or coalesce(r.state, 'a') = 'b' or …)`: if the column is null, its type and collation apply, too. */
export function areApart(column: Expression<unknown>, values: readonly string[], equals: ListSql['equals']): Condition {
  const texts = values.map((value) => parameterOf(value))
  const pairs = texts.flatMap((one, place) =>
    texts.slice(place + 1).map((other) => equals(sql`coalesce(${column}, ${one.bind()})`, other))
  )
  return sql`not (${sql.join([sql`1 = 0`, ...pairs], sql` or `)})`
}

export const qualified = (schema: string | undefined, name: string): RawBuilder<unknown> =>
  schema === undefined ? sql.id(name) : sql.id(schema, name)

export const createIndex = (name: string, { schema, table }: BaseTable, columns: RawBuilder<unknown>) =>
  sql`create index ${sql.id(name)} on ${qualified(schema, table)} (${columns})`

/** The declared types of numbers. */
export const numberTypes = /^((big|small|medium|tiny)?int(eger)?|decimal|numeric|float|double|real)\b/
/** Those of bytes, without VARBINARY, which can hold plain text. */
export const byteTypes = /blob|^(binary|bytea)/
export const sixDigits = 'has six digits, and a range may miss the record that shows the value of its end'

// In summer, because London has UTC in winter. MariaDB from 11.7 on has no `from_unixtime(0)`.
export const moment = sql.lit(1_719_835_200)
export const [inUtc, shifted] = ['2024-07-01 12:00:00', /^2024-07-\d\d \d\d:\d\d:\d\d$/] as const

/** What a table needs for a search index on MySQL and MariaDB. */
import { sql } from 'kysely'
import { clientText } from '../database/dialect.js'
import { mysql } from '../database/dialects/mysql.js'
import { bytesOf, type IndexedColumn } from './mysql-keys.js'
import type { Names, SearchIndexOptions, Session } from './options.js'

export interface Column {
  name: string
  type: string
  /** The maximum number of characters of a text. */
  length: number | string | null
  charset: string | null
  collation: string | null
}

/** An InnoDB index takes at most 3072 bytes. */
const maxIdLength = 750

/** The time of a trigger grows with the square of the length. */
const maxTextLength = 1000

/**
 * @returns the id and the searched columns
 * @throws if the index could miss a text
 */
export async function checkTable(
  session: Session,
  { table: name, id, columns }: SearchIndexOptions,
  { schema, table }: Names
): Promise<[id: Column, ...searched: Column[]]> {
  const inTable = sql`table_schema = ${schema ?? sql`database()`} and table_name = ${table}`
  const { rows } = await sql<Column>`select column_name as name, column_type as type,
      character_maximum_length as length, character_set_name as charset, collation_name as collation
    from information_schema.columns where ${inTable}`.execute(session)
  const columnOf = (column: string) => {
    const row = rows.find((row) => row.name === column)
    if (!row) throw new Error(`searchIndex: ${name} lacks the column ${column}.`)
    return row
  }
  const [idColumn, ...searched] = [id, ...columns].map(columnOf) as [Column, ...Column[]]
  const { rows: engines } = await sql<{ engine: string | null }>`
    select engine as engine from information_schema.tables where ${inTable}`.execute(session)
  if (engines[0]?.engine !== 'InnoDB') throw new Error(`searchIndex: ${name} must be a table of the engine InnoDB.`)
  const { rows: uniqueKeys } = await sql`select index_name from information_schema.statistics where ${inTable}
    group by index_name having max(non_unique) = 0 and count(*) = 1 and max(column_name) = ${id}`.execute(session)
  const isTextId = idColumn.charset !== null
  const isId = isTextId ? Number(idColumn.length) <= maxIdLength : /^(tiny|small|medium|big)?int/.test(idColumn.type)
  if (uniqueKeys.length === 0 || !isId) {
    throw new Error(
      `searchIndex: ${name}.${id} must be a primary key or a unique key of one column: a whole number or a text of at most ${maxIdLength} characters.`
    )
  }
  for (const { name: column, charset, length } of searched) {
    if (charset !== 'utf8mb4') throw new Error(`searchIndex: ${name}.${column} must have the character set utf8mb4.`)
    if (Number(length) > maxTextLength)
      throw new Error(`searchIndex: ${name}.${column} must have at most ${maxTextLength} characters.`)
  }
  // A foreign key changes rows without triggers.
  const { rows: cascades } = await sql<{ name: string }>`select k.column_name as name
    from information_schema.key_column_usage as k inner join information_schema.referential_constraints as r
      on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
    where k.table_schema = ${schema ?? sql`database()`} and k.table_name = ${table} and k.column_name in (${sql.join([id, ...columns])})
      and r.update_rule not in ('RESTRICT', 'NO ACTION')`.execute(session)
  if (cascades[0]) {
    throw new Error(
      `searchIndex: ${name}.${cascades[0].name} has a foreign key with \`on update\`, which changes the column without triggers.`
    )
  }
  return [idColumn, ...searched]
}

/** Characters that `like` takes for equal under some collations, and whose weights differ there. */
const oddPairs = ['カか', 'İÌ', 'Ⴀა', 'Ↄↄ'].map((pair) => [...pair] as [string, string])

/** Whether equal characters have equal keys under a collation, as far as is known. */
export async function isExactCollation(session: Session, column: IndexedColumn): Promise<boolean> {
  const { contains } = (column.isSensitive && mysql.letterCase) || mysql
  const text = (char: string) => sql`_utf8mb4 ${Buffer.from(char)} collate ${sql.id(column.collation)}`
  const isMissed = oddPairs.flatMap(([a, b]) =>
    [
      [a, b],
      [b, a]
    ].map(
      ([a = '', b = '']) =>
        sql`(${contains(text(a), clientText(b))} and ${bytesOf(text(a), column)} <> ${bytesOf(text(b), column)})`
    )
  )
  const { rows } = await sql`select 1 where ${sql.join(isMissed, sql` or `)}`.execute(session)
  return rows.length === 0
}

/** Finds the missing indexes. Each way of reading needs some. */
import { sql } from 'kysely'
import type { Source } from '../database/source.js'
import { columnsOf, type RecordName, type TableName } from '../database/tables.js'
import { lists } from '../lists/index.js'
import type { List } from '../lists/list.js'
import type { BaseColumn } from './base-columns.js'
import type { Finding } from './finding.js'
import type { KnownColumn, Subject } from './subject.js'

/**
 * The columns of each index, under the names of the option `tables`. The last of several columns is optional: it saves a
 * sort or a look at the table.
 */
const wanted: Record<TableName, readonly (readonly string[])[]> = {
  users: [['user_id']],
  practitioners: [['practitioner_id']],
  memberships: [['user_id', 'org_name']],
  links: [['owner_id', 'user_id']],
  ...(Object.fromEntries(lists.map((list) => [list.records, indexesOf(list)])) as Record<RecordName, string[][]>)
}

/** One index for the ids of a page, and one for each way to choose records: all, those of a user, and each filter. */
function indexesOf({ records, filters }: List): string[][] {
  const [id] = columnsOf[records]
  return [
    [id],
    ...[[], ['user_id'], ...Object.values(filters).map((column) => [column])].map((chosen) => [
      ...chosen,
      'created_at',
      id
    ])
  ]
}

export function checkIndexes({ names, source }: Subject, known: readonly KnownColumn[]): Finding[] {
  const texts = names.flatMap((tableName) => {
    const columns = known.filter(
      (column) => column.tableName === tableName && column.facts.isTable && column.type !== undefined
    )
    return wanted[tableName].flatMap((names) => missingIndex(source, columns, names) ?? [])
  })
  return [...new Set(texts)].map((text) => ({ level: 'warning', remedy: 'indexes', text }))
}

/** The statement that creates an index, where none will do. */
function missingIndex(source: Source, columns: readonly KnownColumn[], names: readonly string[]): string | undefined {
  const found = names.map((name) => columns.find((column) => column.name === name))
  const [first] = found
  if (!first) return undefined
  // The index ends before a column that is computed or that another table has. query-plans.ts reports those.
  const end = found.findIndex((column) => !column || !isSameTable(column, first))
  const all = found.slice(0, end < 0 ? names.length : end) as KnownColumn[]
  const needed = all.slice(0, Math.max(1, names.length - 1))
  const hasIndex = first.facts.indexes.some((index) =>
    needed.every(({ column }, place) => index[place] === column.toLowerCase())
  )
  if (hasIndex) return undefined
  const long = needed.find((column) => isLong(column, source))
  if (long) return `-- ${long.table}.${long.column} is too long a text for an index: make it a short varchar.`
  return createIndex(
    source,
    first,
    all.filter((column) => !isLong(column, source))
  )
}

const isSameTable = (a: BaseColumn, b: BaseColumn) => a.table === b.table && a.schema === b.schema

/** MySQL and MariaDB only index the beginning of long texts. */
const isLong = ({ type = '' }: KnownColumn, { dialect }: Source) => dialect.name === 'mysql' && /text|blob/.test(type)

function createIndex({ db, dialect }: Source, { schema, table }: BaseColumn, columns: KnownColumn[]): string {
  const parts = [table, ...columns.map(({ column }) => column)]
  const whole = parts.join('_')
  // a name may have 64 characters, in PostgreSQL 63
  const name = whole.length < 60 ? whole : parts.map((part) => part.slice(0, 14)).join('_')
  const qualified = (name: string) => (schema === undefined ? sql.id(name) : sql.id(schema, name))
  // in SQLite it is the index that has the schema
  const [index, on] = dialect.name === 'sqlite' ? [qualified(name), sql.id(table)] : [sql.id(name), qualified(table)]
  const list = sql.join(columns.map(({ column }) => sql.id(column)))
  return `${sql`create index ${index} on ${on} (${list})`.compile(db).sql};`
}

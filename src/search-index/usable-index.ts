/** Finds out whether the lists can use the search index of a table (`userSearch`, `paymentSearch`). */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { type BaseColumn, baseColumns } from '../database/base-columns.js'
import type { ClientText } from '../database/dialect.js'
import { type Row, textOf } from '../database/driver-samples.js'
import type { Source } from '../database/source.js'
import { columnsOf, type TableName } from '../database/tables.js'
import { failureOf } from '../errors/classify.js'
import * as mysql from './mysql-keys.js'
import { triggerEvents, triggerName } from './mysql-triggers.js'
import * as sqlite from './sqlite.js'

/** A search index that the lists can use. */
export interface SearchIndex {
  /** Identifies the SQL of `candidates` for a table. */
  readonly key: string
  /** Whether the index can find a term. */
  finds(text: string): boolean
  /** The query for the ids of the texts that probably contain the term. */
  candidates(term: ClientText): RawBuilder<unknown>
}

type Run = (query: RawBuilder<Row>) => Promise<Row[] | undefined>

/**
 * @param columns the searched columns, such as `email`
 * @returns the index, or the reason why the lists cannot use the index. Undefined without an index, or if the database
 *   does not answer
 */
export async function usableIndex(
  source: Source,
  name: TableName,
  columns: readonly string[],
  run: Run
): Promise<SearchIndex | string | undefined> {
  const index = source.searchIndex(name)
  if (!index || columns.length === 0) return undefined
  const { dialect } = source
  if (dialect.name === 'postgres') return 'PostgreSQL has trigram indexes (pg_trgm) instead'
  const indexTable = baseColumns(index)('id')
  const idName = columnsOf[name][0]
  const base = [idName, ...columns].map(baseColumns(source.table(name) as Expression<unknown>))
  if (!indexTable || !areOfOneTable(base) || base[0].schema !== indexTable.schema) {
    return `${name} needs ${columns.join(', ')} as columns of one table, in the schema of the index`
  }
  const [id, ...searched] = base
  const read = async (cells: readonly RawBuilder<unknown>[], from = sql``) => {
    const named = cells.map((cell, number) => sql`${dialect.bytes(cell)} as ${sql.id(`cell ${number}`)}`)
    const rows = await run(sql<Row>`select ${sql.join(named)} ${from}`)
    return rows && cells.map((_cell, number) => textOf(rows[0]?.[`cell ${number}`]))
  }
  const reading: Reading = { table: source.table(name), idName, columns, index, indexTable, id, searched, read }
  try {
    return await (dialect.name === 'mysql' ? readMysql(reading) : readSqlite(reading))
  } catch (error) {
    if (failureOf(error).kind !== 'internal') throw error
    return 'the index cannot be read'
  }
}

type BaseColumns = [id: BaseColumn, ...columns: BaseColumn[]]

const areOfOneTable = (base: (BaseColumn | undefined)[]): base is BaseColumns =>
  base.every((column) => column && column.alias === base[0]?.alias)

interface Reading {
  /** The host's table or select. */
  table: Expression<unknown>
  idName: string
  /** The searched columns of `table`. */
  columns: readonly string[]
  index: Expression<unknown>
  indexTable: BaseColumn
  /** The id and the searched columns of the table below a select. */
  id: BaseColumn
  searched: BaseColumn[]
  /** Reads cells of one row as texts. */
  read(cells: readonly RawBuilder<unknown>[], from?: RawBuilder<unknown>): Promise<unknown[] | undefined>
}

type Answer = Promise<SearchIndex | string | undefined>

async function readMysql({ table, idName, columns, index, indexTable, id, searched, read }: Reading): Answer {
  const text = (value: string) => sql`_utf8mb4 ${Buffer.from(value)}`
  const schema = indexTable.schema === undefined ? sql`database()` : text(indexTable.schema)
  const triggers = sql.join(triggerEvents.map((event) => text(triggerName(id.table, event))))
  const selected = sql.join([idName, ...columns].map((column) => sql.ref(`x.${column}`)))
  const described = await read(
    [
      sql`(select t.table_comment from information_schema.tables as t
        where t.table_schema = ${schema} and t.table_name = ${text(indexTable.table)})`,
      sql`(select count(*) from information_schema.triggers as t, information_schema.tables as i
        where i.table_schema = ${schema} and i.table_name = ${text(indexTable.table)} and t.trigger_schema = ${schema}
        and t.event_object_table = ${text(id.table)} and t.trigger_name in (${triggers})
        and instr(t.action_statement, left(sha2(i.table_comment, 256), ${sql.lit(mysql.bytesInKey)})) > 0)`,
      ...[idName, ...columns].map((column) => sql`collation(${sql.ref(`u.${column}`)})`)
    ],
    sql`from (select 1 as one) as one left join (select ${selected} from ${table} as x limit 0) as u on 1 = 1`
  )
  if (!described) return undefined
  const [comment, triggerCount, idCollation, ...collations] = described
  const description = mysql.descriptionIn(String(comment))
  // A number has the collation `binary`.
  const isTextId = idCollation !== 'binary'
  if (description?.table !== id.table || !isSameName(description.id, id.column) || description.isTextId !== isTextId)
    return notIndexOf(id)
  const groups = new Map<string, mysql.IndexedPlaces & { places: number[] }>()
  for (const [number, { column }] of searched.entries()) {
    const at = description.columns.findIndex(({ name }) => isSameName(name, column))
    const indexed = description.columns[at]
    if (!indexed) return lacksColumn(column)
    const { collation, isSensitive } = indexed
    if (collation !== collations[number]) return `the collation of ${column} has changed`
    const group = groups.get(collation) ?? { collation, isSensitive, places: [] }
    groups.set(collation, group)
    group.places.push(at + 1)
  }
  if (Number(triggerCount) !== triggerEvents.length)
    return `${triggerIsMissing}, or the account of the lists lacks the right TRIGGER on ${id.table}`

  const version = mysql.versionOf(String(comment))
  const state = await read([sql`(${mysql.isComplete(index, version)})`])
  if (!state) return undefined
  if (state[0] !== '1') return 'the index is not complete'
  const indexed = [...groups.values()]
  return {
    key: `${version} ${JSON.stringify(indexed)}`,
    finds: () => true,
    candidates: (term) => mysql.candidates(index, indexed, version, term)
  }
}

async function readSqlite({ index, indexTable, id, searched, read }: Reading): Answer {
  const names = { schema: id.schema, table: id.table, index: indexTable.table }
  const definition = await read([sqlite.definitionOf(names)])
  if (!definition) return undefined
  const indexed = sqlite.indexedColumns(String(definition[0]))
  if (!indexed) return notIndexOf(id)
  const missing = searched.find(({ column }) => !indexed.some((name) => isSameName(name, column)))
  if (missing) return lacksColumn(missing.column)
  const triggers = await read([sqlite.hasTriggers(names, id.column, indexed)])
  if (!triggers) return undefined
  if (triggers[0] !== '1') return triggerIsMissing
  const columns = searched.map(({ column }) => column)
  return {
    key: columns.join(),
    finds: sqlite.finds,
    candidates: (term) => sqlite.candidates(index, indexTable.table, columns, term)
  }
}

const notIndexOf = ({ table, column }: BaseColumn) => `the table is no search index of ${table}.${column}`
const lacksColumn = (column: string) => `the index lacks the column ${column}`
const triggerIsMissing = 'a trigger is missing'

const isSameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Reads column types and indexes from the database's catalog, with only the right to SELECT. */
import { sql } from 'kysely'
import type { Text } from '../database/cells.js'
import type { BaseTable } from '../database/dialect.js'
import type { CheckedDatabase } from './database.js'

/** All texts are in lower case, except the names of tables. */
export interface CatalogTable {
  readonly isTable: boolean
  /** By column. */
  readonly types: ReadonlyMap<string, string>
  /** The indexes of the table, or of each partition of PostgreSQL, by the name of the table. Without foreign tables. */
  readonly indexes: ReadonlyMap<string, readonly (readonly string[])[]>
}

/** @returns undefined when the catalog does not show the table */
export async function readCatalog(
  { dialect, attempt }: CheckedDatabase,
  base: BaseTable
): Promise<CatalogTable | undefined> {
  const { bytes, everyRow, check } = dialect
  const { columns, indexes } = check.catalog(base)
  // Bytes pass unchanged through a connection of any charset.
  const cells = (names: string[]) =>
    sql.join(names.map((name) => sql`${bytes(sql.ref(`x.${name}`))} as ${sql.id(name)}`))
  const ofColumns = sql`select ${cells(['name', 'type', 'kind'])} from (${columns}) as x ${everyRow}`
  const ofIndexes = sql`select ${cells(['part', 'name', 'col'])} from (${indexes}) as x order by x.name, x.place ${everyRow}`
  const found = await attempt(`the columns of ${base.table}`, ofColumns)
  const parts = found?.[0] && (await attempt(`the indexes of ${base.table}`, ofIndexes))
  if (!parts) return undefined
  const kind = lower(found[0]?.kind)
  const byTable = new Map(kind === 'partitioned' ? [] : [[base.table, new Map<string, string[]>()]])
  for (const { part, name, col } of parts) {
    const table = part ?? base.table
    const byName = byTable.get(table) ?? new Map<string, string[]>()
    byTable.set(table, byName)
    if (name !== null) byName.set(lower(name), [...(byName.get(lower(name)) ?? []), lower(col)])
  }
  return {
    isTable: kind !== 'view',
    types: new Map(found.map(({ name, type }) => [lower(name), lower(type)])),
    indexes: new Map([...byTable].map(([table, byName]) => [table, [...byName.values()]]))
  }
}

const lower = (cell: Text | undefined): string => (cell ?? '').toLowerCase()

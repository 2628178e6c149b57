/** The columns of the lists, each with its column in the database. */
import type { Expression } from 'kysely'
import type { Kind } from '../lists/list.js'
import type { sharedTables } from '../lists/shared-tables.js'
import { type BaseColumn, baseColumns } from './base-columns.js'
import { type CatalogTable, readCatalog } from './catalog.js'
import type { CheckedDatabase } from './database.js'

export interface KnownColumn extends BaseColumn {
  readonly tableName: string
  /** The name in the `tables` option. */
  readonly name: string
  readonly kind: Kind
  /** The table whose ids the column holds. */
  readonly references: 'users' | 'practitioners' | undefined
  readonly catalog: CatalogTable
  /** In lower case. Undefined when the table lacks the column. */
  readonly type: string | undefined
}

export type KnownColumns = readonly KnownColumn[]

/** The table whose ids a column holds. `links.owner_id` holds the ids that `resolveRole` returns. */
const references: Readonly<Record<keyof typeof sharedTables, Readonly<Record<string, 'users' | 'practitioners'>>>> = {
  users: { user_id: 'users' },
  practitioners: { practitioner_id: 'practitioners' },
  memberships: { user_id: 'users' },
  links: { user_id: 'users' }
}

/** @returns undefined for an id that refers to nobody. Practitioners without a table of their own are users. */
export function referenceOf(database: CheckedDatabase, tableName: string, name: string): KnownColumn['references'] {
  const list = database.lists.find((each) => each.name === tableName)
  if (!list) return references[tableName as keyof typeof references]?.[name]
  if (name === list.owner) return 'users'
  if (name !== list.practitioner) return undefined
  return database.names.includes('practitioners') ? 'practitioners' : 'users'
}

/** The columns whose table is in the catalog. */
export async function knownColumns(database: CheckedDatabase): Promise<KnownColumn[]> {
  const known: KnownColumn[] = []
  const catalogs = new Map<string, CatalogTable | undefined>()
  for (const tableName of database.names) {
    const baseOf = baseColumns(database.tables.of(tableName).select as Expression<unknown>)
    for (const [name, { kind }] of Object.entries(database.columns(tableName))) {
      const bases = baseOf(name) ?? []
      for (const base of bases) {
        const key = JSON.stringify([base.schema, base.table])
        if (!catalogs.has(key)) catalogs.set(key, await readCatalog(database, base))
        const catalog = catalogs.get(key)
        const type = catalog?.types.get(base.column.toLowerCase())
        // Among joined tables, only one can have the column of a valid select.
        if (!catalog || (bases.length > 1 && type === undefined)) continue
        const references = referenceOf(database, tableName, name)
        known.push({ ...base, tableName, name, kind, references, catalog, type })
        break
      }
    }
  }
  return known
}

/** The columns of the lists, each with its column in the database. */
import type { BaseColumn } from '../database/fixed-table.js'
import type { KindRules } from '../kinds/kind.js'
import { linkedColumn, linkTablesOf } from '../lists/aliases.js'
import { columnsOfReach } from '../visibility/reach-of-role.js'
import { type CatalogTable, readCatalog } from './catalog.js'
import type { CheckedDatabase } from './database.js'

export interface KnownColumn extends BaseColumn {
  readonly tableName: string
  /** The name in the `tables` option. */
  readonly name: string
  readonly stored: KindRules['stored']
  readonly catalog: CatalogTable
  /** In lower case. Undefined when the table lacks the column. */
  readonly type: string | undefined
}

export type KnownColumns = readonly KnownColumn[]

/**
 * Ids that statements compare with each other, so no `owner_id`. Without a table of their own, practitioners are users.
 */
export function comparedIds({ lists, names }: CheckedDatabase): string[][] {
  const of = (property: 'owner' | 'practitioner') => lists.map((list) => `${list.name}.${list[property]}`)
  const users = ['users.user_id', 'memberships.user_id', 'links.user_id', ...of('owner')]
  const practitioners = ['practitioners.practitioner_id', ...of('practitioner')]
  const linked = [...new Set(lists.flatMap(linkTablesOf))].map((by) => [
    `${by}.${linkedColumn(by)}`,
    // The users have the owners of `links` already.
    ...lists
      .flatMap((list) => columnsOfReach(list, by).map((column) => `${list.name}.${column}`))
      .filter((path) => by !== 'links' || !users.includes(path))
  ])
  const people = names.includes('practitioners') ? [users, practitioners] : [[...users, ...practitioners]]
  return [...people, ...linked]
}

/** The columns whose table is in the catalog. */
export async function knownColumns(database: CheckedDatabase): Promise<KnownColumn[]> {
  const known: KnownColumn[] = []
  const catalogs = new Map<string, CatalogTable | undefined>()
  for (const tableName of database.names) {
    const table = database.tables.of(tableName)
    for (const [name, { rules }] of Object.entries(database.columns(tableName))) {
      const bases = table.bases(name)
      for (const base of bases) {
        const key = JSON.stringify([base.schema, base.table])
        if (!catalogs.has(key)) catalogs.set(key, await readCatalog(database, base))
        const catalog = catalogs.get(key)
        const type = catalog?.types.get(base.column.toLowerCase())
        // Among joined tables, only one can have the column of a valid select.
        if (!catalog || (bases.length > 1 && type === undefined)) continue
        known.push({ ...base, tableName, name, stored: rules.stored, catalog, type })
        break
      }
    }
  }
  return known
}

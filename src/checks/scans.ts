/** Finds full scans of large tables, which an index should serve, with `explain`. */
import { sql } from 'kysely'
import { sourceTables } from '../database/base-columns.js'
import type { Dialect } from '../database/dialect.js'
import type { Row } from '../database/driver-samples.js'
import type { List } from '../lists/list.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { isIndexed } from './indexes.js'
import type { KnownColumn } from './known-columns.js'
import { scans } from './scan-plans.js'

type ColumnOf = readonly [table: string, column: string]

/** The column that finds rows, and the column with the values. */
type Lookup = readonly [of: ColumnOf, by: ColumnOf]

const users: ColumnOf = ['users', 'user_id']
const linkUser: ColumnOf = ['links', 'user_id']
const linkOwner: ColumnOf = ['links', 'owner_id']

/** Where both columns are the same, the value comes from elsewhere, such as the id of the caller. */
function lookupsOf({ name, id, owner, practitioner, search, joins }: List, { names }: CheckedDatabase): Lookup[] {
  const ofList = (column: string): ColumnOf => [name, column]
  const [ids, owners] = [ofList(id), ofList(owner)]
  const keys: Record<string, Lookup> = {
    users: [users, owners],
    memberships: [['memberships', 'user_id'], owners],
    practitioners: [
      names.includes('practitioners') ? ['practitioners', 'practitioner_id'] : users,
      ofList(String(practitioner))
    ]
  }
  const joined = Object.values(joins).map((table) => keys[table] as Lookup)
  const linked: Lookup[] = [
    [linkOwner, linkOwner],
    [owners, linkUser]
  ]
  const searched: Lookup[] = search.users.length > 0 ? [[users, linkUser]] : []
  return [[ids, ids], [owners, owners], ...joined, ...(names.includes('links') ? [...linked, ...searched] : [])]
}

export async function checkScans(database: CheckedDatabase, known: readonly KnownColumn[]): Promise<DatabaseFinding[]> {
  const plain = ([table, name]: ColumnOf) =>
    known.find((each) => each.tableName === table && each.name === name && each.catalog.isTable)
  const lookups = database.lists.flatMap((list) => lookupsOf(list, database))
  const texts = new Set<string>()
  // Both lists look up the links.
  for (const [of, by] of new Map(lookups.map((lookup) => [String(lookup), lookup])).values()) {
    const [column, other] = [plain(of), plain(by)]
    // `checkIndexes` reports a missing index.
    if (column && !isIndexed(column)) continue
    const alias = await scannedAlias(database, of, by)
    if (alias === undefined) continue
    const joined = sourceTables(database.tables.of(of[0]))
    const name = joined.get(alias)?.table ?? alias
    const isOfColumn = joined.size <= 1 || name === column?.table
    const place = isOfColumn || alias === 'x' ? of[0] : `${name} in the select of ${of[0]}`
    const reads = `The database reads all rows of ${place} to find ${of.join('.')}`
    const reason = isOfColumn && column && other && ` by ${by.join('.')}${reasonOf(column, other)}`
    texts.add(reads + (reason || computed[database.dialect.name]))
  }
  return [...texts].map((text) => finding('warning', 'tables', text))
}

const ofSelect =
  ', so requests get slow. No index serves the column: the select computes it, groups rows, or joins columns of different types, character sets or collations. Store a computed value in a generated column with an index.'

const computed: Record<Dialect['name'], string> = {
  mysql: ofSelect,
  postgres: ofSelect,
  sqlite:
    ', so requests get slow. SQLite reads all rows of a select that joins tables, groups rows or computes the column.'
}

const reasonOf = (column: KnownColumn, other: KnownColumn) =>
  column.type === other.type
    ? ', so requests get slow: give both columns the same character set and collation.'
    : `, so requests get slow: their types are ${column.type} and ${other.type}. Give both columns the same type.`

/**
 * The lookup of a page, for two rows:
 *
 *     explain select x.user_id from (select y.user_id as id from (payments) as y limit 2) as k
 *       left join (users) as x on x.user_id = k.id
 *
 * @returns the alias of a large table that the database reads from end to end
 */
async function scannedAlias(
  database: CheckedDatabase,
  [of, column]: ColumnOf,
  [by, byColumn]: ColumnOf
): Promise<string | undefined> {
  const { dialect, tables } = database
  const table = tables.of(of)
  const found = sql.ref(`x.${column}`)
  const ids = sql<Row>`select ${sql.ref(`y.${byColumn}`)} as id from ${tables.of(by)} as y limit 2`
  const lookup = sql<Row>`select ${found} as id from (${ids}) as k left join ${table} as x on ${found} = ${sql.ref('k.id')}`
  return scans[dialect.name](database, { what: `the plan that finds ${of}.${column}`, lookup, ids, table })
}

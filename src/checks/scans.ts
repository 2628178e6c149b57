/** Finds full scans of large tables, which an index should serve, with `explain`. */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../database/driver-samples.js'
import type { List } from '../lists/list.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { isIndexed } from './indexes.js'
import type { KnownColumn } from './known-columns.js'

/** A scan of fewer rows is quick. */
const maxRows = 5_000

type ColumnOf = readonly [table: string, column: string]

/** The column by which the lists' statements find rows, and the column with the values. */
type Lookup = readonly [of: ColumnOf, by: ColumnOf]

const users: ColumnOf = ['users', 'user_id']
const linkUser: ColumnOf = ['links', 'user_id']
const linkOwner: ColumnOf = ['links', 'owner_id']

/** A column that is looked up by itself is looked up by a value of the same type, such as the id of the caller. */
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
    const scanned = await scannedTable(database, of, by)
    if (scanned === undefined) continue
    const reads = `The database reads all rows of ${scanned} to find ${of.join('.')}`
    texts.add(column && other ? `${reads} by ${by.join('.')}${reasonOf(column, other)}` : `${reads}${computed}`)
  }
  return [...texts].map((text) => finding('warning', 'tables', text))
}

const computed =
  ', so requests get slow. No index serves the column: the select computes it, groups rows, or joins columns of different types, character sets or collations.'

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
 * @returns the name of the scanned table in the plan. Undefined if no large table is scanned.
 */
async function scannedTable(
  { dialect, tables, attempt }: CheckedDatabase,
  [of, column]: ColumnOf,
  [by, byColumn]: ColumnOf
): Promise<string | undefined> {
  const found = sql.ref(`x.${column}`)
  const lookup = sql`select ${found} as id from (
      select ${sql.ref(`y.${byColumn}`)} as id from ${tables.of(by)} as y limit 2
    ) as k left join ${tables.of(of)} as x on ${found} = ${sql.ref('k.id')}`
  const explain = (how: RawBuilder<unknown>) => attempt(sql<Row>`explain ${how} ${lookup}`).then((rows = []) => rows)
  switch (dialect.name) {
    case 'mysql': {
      const scanned = scannedByMysql(await explain(sql``))
      return scanned === 'x' ? of : scanned
    }
    case 'postgres': {
      const [plan] = Object.values((await explain(sql`(format json)`))[0] ?? {})
      return scannedByPostgres(Object(typeof plan === 'string' ? JSON.parse(plan) : plan)[0]?.Plan)
    }
    case 'sqlite': {
      const steps = (await explain(sql`query plan`)).filter(({ parent }) => Number(parent) === 0)
      // SQLite builds an automatic index for each statement.
      if (!steps.some(({ detail }) => /^SCAN (?!k\b)|AUTOMATIC/.test(String(detail)))) return undefined
      const large = sql<Row>`select 1 as one from ${tables.of(of)} as x limit 1 offset ${sql.lit(maxRows)}`
      return (await attempt(large, dataTimeout))?.length === 1 ? of : undefined
    }
  }
}

/** The rows of `k` have another id than the outer select. `<derived2>` is `k`. */
function scannedByMysql(rows: readonly Row[]): string | undefined {
  const scan = rows.find(
    ({ id, type, table, rows }) =>
      Number(id) === 1 && /^(ALL|index)$/.test(String(type)) && !String(table).startsWith('<') && Number(rows) > maxRows
  )
  return scan && String(scan.table)
}

interface PlanOfPostgres {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Plan Rows': number
  readonly Plans?: readonly PlanOfPostgres[]
}

/** The subplan with the limit is `k`. */
function scannedByPostgres(plan: PlanOfPostgres | undefined): string | undefined {
  if (!plan || plan['Node Type'] === 'Limit') return undefined
  if (plan['Node Type'] === 'Seq Scan' && plan['Plan Rows'] > maxRows) return plan['Relation Name']
  return plan.Plans?.map(scannedByPostgres).find((name) => name !== undefined)
}

/** Finds full scans of large tables, which an index should serve, with `explain`. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { sourceTables } from '../database/base-columns.js'
import type { Dialect } from '../database/dialect.js'
import { type Row, textOf } from '../database/driver-samples.js'
import type { List } from '../lists/list.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { isIndexed } from './indexes.js'
import type { KnownColumn } from './known-columns.js'

/** A scan of fewer rows is quick. */
const maxRows = 5_000

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
  return scans[dialect.name](database, { lookup, ids, table })
}

interface Explained {
  readonly lookup: RawBuilder<Row>
  /** The subquery `k`. */
  readonly ids: RawBuilder<Row>
  /** The table `x`. */
  readonly table: Expression<unknown>
}

type Scan = (database: CheckedDatabase, explained: Explained) => Promise<string | undefined>

const scans: Record<Dialect['name'], Scan> = {
  async mysql({ attempt }, { lookup, ids }) {
    const explain = async (query: RawBuilder<Row>) =>
      (await attempt(sql<Row>`explain format=traditional ${query}`)) ?? []
    const ofIds = await explain(ids)
    const rows = await explain(lookup)
    // `<derived2>` is `k`. The next numbers are the selects in `k`.
    const first = Number(/\d+/.exec(String(rows[0]?.table)))
    const last = Math.max(first, ...ofIds.map(({ id }) => Number(id) + 1))
    const scan = rows.find(({ id, type, table, rows }) => {
      const isOfIds = Number(id) >= first && Number(id) <= last
      return !isOfIds && /^(ALL|index)$/.test(String(type)) && !String(table).startsWith('<') && Number(rows) > maxRows
    })
    return scan && String(scan.table)
  },

  async postgres({ attempt }, { lookup }) {
    const explain = sql<Row>`explain (verbose, format json) ${lookup}`
    // Otherwise PostgreSQL may scan a table whose ids have many rows, although an index would serve.
    const setting = sql<Row>`select set_config('enable_seqscan', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('enable_hashjoin', 'off', true)`
    const [plan] = Object.values((await attempt(explain, undefined, setting))?.[0] ?? {})
    const scanned = scansIn(Object(typeof plan === 'string' ? JSON.parse(plan) : plan)[0]?.Plan)
    if (!scanned[0]) return undefined
    const names = scanned.map((node) => sql`(${node.Schema}, ${node['Relation Name']})`)
    const size = sql<Row>`select (sum(c.reltuples) > ${sql.lit(maxRows)})::text as large
      from pg_class as c inner join pg_namespace as n on n.oid = c.relnamespace
      where (n.nspname, c.relname) in (${sql.join(names)})`
    if (textOf((await attempt(size))?.[0]?.large) !== 'true') return undefined
    // The partitions of `x` are `x_1`, `x_2`, …
    return scanned[0].Alias.replace(/^x_\d+$/, 'x')
  },

  async sqlite({ attempt }, { lookup, table }) {
    const plan = (await attempt(sql<Row>`explain query plan ${lookup}`)) ?? []
    // SQLite builds an automatic index for each statement.
    const isScan = ({ parent, detail }: Row) =>
      Number(parent) === 0 && /^SCAN (?!(SUBQUERY \d+ AS )?k\b)|AUTOMATIC/.test(String(detail))
    const large = sql<Row>`select 1 as one from ${table} as x limit 1 offset ${sql.lit(maxRows)}`
    return plan.some(isScan) && (await attempt(large, dataTimeout))?.length === 1 ? 'x' : undefined
  }
}

interface PlanOfPostgres {
  readonly 'Node Type': string
  readonly 'Index Cond'?: string
  readonly Schema: string
  readonly 'Relation Name': string
  readonly Alias: string
  readonly Plans?: readonly PlanOfPostgres[]
}

/** The nodes that read a table from end to end. The node with the limit is `k`. */
function scansIn(plan: PlanOfPostgres | undefined): PlanOfPostgres[] {
  if (!plan || plan['Node Type'] === 'Limit') return []
  const isScan = /^(Seq|Index|Index Only) Scan$/.test(plan['Node Type']) && plan['Index Cond'] === undefined
  return [...(isScan ? [plan] : []), ...(plan.Plans ?? []).flatMap(scansIn)]
}

/** Reads full scans of large tables from the plans of each database. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../database/dialect.js'
import { type Row, textOf } from '../database/driver-samples.js'
import { type CheckedDatabase, dataTimeout } from './database.js'

/** A scan of fewer rows is quick. */
const maxRows = 5_000

interface Explained {
  /** What the plan is of, for a plan that cannot be read. */
  readonly what: string
  readonly lookup: RawBuilder<Row>
  /** The subquery `k`. */
  readonly ids: RawBuilder<Row>
  /** The table `x`. */
  readonly table: Expression<unknown>
}

type Scan = (database: CheckedDatabase, explained: Explained) => Promise<string | undefined>

/** Each finds the alias of a large table that the plan of the lookup reads from end to end. */
export const scans: Record<Dialect['name'], Scan> = {
  async mysql({ attempt }, { what, lookup, ids }) {
    const explain = async (query: RawBuilder<Row>) =>
      (await attempt(what, sql<Row>`explain format=traditional ${query}`)) ?? []
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

  async postgres({ attempt }, { what, lookup }) {
    const explain = sql<Row>`explain (verbose, format json) ${lookup}`
    // Otherwise PostgreSQL may scan a table whose ids have many rows, although an index would serve.
    const setting = sql<Row>`select set_config('enable_seqscan', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('enable_hashjoin', 'off', true)`
    const [plan] = Object.values((await attempt(what, explain, undefined, setting))?.[0] ?? {})
    const scanned = scansIn(Object(typeof plan === 'string' ? JSON.parse(plan) : plan)[0]?.Plan)
    if (!scanned[0]) return undefined
    const names = scanned.map((node) => sql`(${node.Schema}, ${node['Relation Name']})`)
    const size = sql<Row>`select (sum(c.reltuples) > ${sql.lit(maxRows)})::text as large
      from pg_class as c inner join pg_namespace as n on n.oid = c.relnamespace
      where (n.nspname, c.relname) in (${sql.join(names)})`
    if (textOf((await attempt(what, size))?.[0]?.large) !== 'true') return undefined
    // The partitions of `x` are `x_1`, `x_2`, …
    return scanned[0].Alias.replace(/^x_\d+$/, 'x')
  },

  async sqlite({ attempt }, { what, lookup, table }) {
    const plan = (await attempt(what, sql<Row>`explain query plan ${lookup}`)) ?? []
    // SQLite builds an automatic index for each statement.
    const isScan = ({ parent, detail }: Row) =>
      Number(parent) === 0 && /^SCAN (?!(SUBQUERY \d+ AS )?k\b)|AUTOMATIC/.test(String(detail))
    const large = sql<Row>`select 1 as one from ${table} as x limit 1 offset ${sql.lit(maxRows)}`
    return plan.some(isScan) && (await attempt(what, large, dataTimeout))?.length === 1 ? 'x' : undefined
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

/** Makes the database prove, on rows of the host's tables, what the lists rely on. An empty table proves nothing. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../database/dialect.js'
import { type Row, textOf } from '../database/driver-samples.js'
import { parameterOf } from '../database/parameter.js'
import { columnsOf, type TableName } from '../database/tables.js'
import { lists } from '../lists/index.js'
import { everyRow } from '../query/queries.js'
import type { Finding } from './finding.js'
import { type Build, finding, idOf, rowsOf } from './probe-rows.js'
import { type CheckedSource, dataTimeout, type Subject, textFor } from './subject.js'

/** Milliseconds for all probes, because the boot waits for the check. */
const budget = 1_000

export async function checkProbes({ source, names, ask }: Subject): Promise<Finding[]> {
  const end = performance.now() + budget
  const subject: Subject = {
    source,
    names,
    ask: (query, milliseconds = dataTimeout) => ask(query, Math.max(1, Math.min(milliseconds, end - performance.now())))
  }
  const zone = zones[source.dialect.name]
  const findings: Finding[] = []
  const filled: TableName[] = []
  let isUtc = true
  for (const name of names) {
    const rows = (await rowsOf(subject, (source) => sample(source, name))) ?? []
    if (zone && rows.some((row) => textOf(row.zone) !== zone.utc)) isUtc = false
    const ids = [...new Set(rows.map(({ id }) => textOf(id)))].filter((id) => id !== null)
    if (ids.length === 0) continue
    filled.push(name)
    findings.push(...(await probe(subject, name, ids)))
  }
  if (zone && !isUtc) findings.push(finding(zone.otherwise, 'settings'))
  if (filled[0] && (await outlivesLimit(subject, filled[0]))) findings.push(noLimit)
  return findings
}

/** Selects ids of the table, and the time zone of the session. An empty table has one row. */
const sample = ({ dialect, tables }: CheckedSource, name: TableName) => sql<Row>`
  select ${dialect.bytes(zones[dialect.name]?.current ?? sql`null`)} as zone, ${textFor(dialect)(idOf(name))} as id
  from (select 1 as one) as one left join (select ${idOf(name, 'y')} from ${tables.of(name)} as y limit 12) as x on 1 = 1
  ${everyRow}`

const zones: { [Name in Dialect['name']]?: { current: RawBuilder<unknown>; utc: string; otherwise: string } } = {
  mysql: {
    current: sql`from_unixtime(0)`,
    utc: '1970-01-01 00:00:00',
    otherwise:
      "Statements do not get their own time zone, so TIMESTAMP columns use the session's time zone: use MySQL 8.0.17, MariaDB 10.2 or later, and no proxy that removes comments from statements."
  },
  postgres: {
    current: sql`current_setting('timezone')`,
    utc: 'UTC',
    otherwise:
      "Transactions do not get their own time zone, so timestamptz columns use the session's time zone: use a pooler that keeps a transaction on one server, and in pgpool remove set_config from read_only_function_list."
  }
}

const searchedTables = new Set<TableName>([
  'users',
  ...lists.filter(({ search }) => search.records.length > 0).map(({ name }) => name)
])

/**
 * Searches `…!%_` for `!%_`, and asks for two ids and for other forms of the other ids. The ids bound the rows that a
 * wrong engine reads. For one id, MariaDB reads the row and sends no condition to Spider.
 */
async function probe(subject: Subject, name: TableName, ids: readonly string[]): Promise<Finding[]> {
  const asked = ids.length < 3 ? [] : [...ids.slice(0, -2).map(otherForm), ...ids.slice(-2)]
  const isSearched = searchedTables.has(name)
  if (asked.length === 0 && !isSearched) return []
  const select =
    (isSearched: boolean): Build =>
    ({ dialect, tables }) => {
      const id = idOf(name)
      const same = asked.map((text) => dialect.same(id, parameterOf(text)))
      const isAsked = same.length > 0 ? sql`(${sql.join(same, sql` or `)})` : sql`1 = 1`
      return sql<Row>`select ${textFor(dialect)(id)} as id from ${tables.of(name)} as x
        where ${isAsked} ${isSearched ? sql`and ${isLiteral(dialect, id)}` : sql``} limit 1`
    }
  const rows = await rowsOf(subject, select(isSearched))
  const id = textOf(rows?.[0]?.id)
  const findings: Finding[] = []
  if (id !== null && asked.length > 0 && !asked.includes(id)) {
    findings.push(
      finding(
        `A comparison of ${name}.${columnsOf[name][0]} with an id finds another id, so callers could see records of others: the storage engine or a proxy changes the comparison of bytes. Use another storage engine, or connect without the proxy.`
      )
    )
  }
  // Ids that differ at each read are found in neither statement.
  if (rows?.length === 0 && isSearched && (await rowsOf(subject, select(false)))?.length) {
    findings.push(
      finding(
        `A search in ${name} does not take the characters %, _ and ! literally, so searches would silently miss records: the storage engine or a proxy changes \`like … escape '!'\`, as MariaDB's Spider does. Use another storage engine, such as InnoDB, or connect without the proxy.`
      )
    )
  }
  return findings
}

/** An id that a collation, a cast or padding may take for this id. */
const otherForm = (id: string) => [id.toUpperCase(), id.toLowerCase(), `${id} `].find((other) => other !== id) as string

/** True for each row. */
function isLiteral(dialect: Dialect, id: RawBuilder<unknown>): RawBuilder<boolean> {
  const idAnd = (text: string) =>
    dialect.name === 'sqlite'
      ? sql`${dialect.text(id)} || ${dialect.sample(text)}`
      : sql`concat(${dialect.text(id)}, ${dialect.sample(text)})`
  return sql`${dialect.contains(idAnd('!%_'), parameterOf('!%_'))} and not (${dialect.contains(idAnd('abcd'), parameterOf('a_%d'))})`
}

const sleeps: { [Name in Dialect['name']]?: RawBuilder<unknown> } = {
  mysql: sql`sleep(0.2)`,
  postgres: sql`pg_sleep(0.2)`
}

/** Milliseconds. The client itself stops a statement 250 ms later. */
const shortLimit = 20

async function outlivesLimit(subject: Subject, name: TableName): Promise<boolean> {
  const sleep = sleeps[subject.source.dialect.name]
  if (!sleep) return false
  const rows = await rowsOf(
    subject,
    ({ tables }) =>
      sql<Row>`select ${sleep} as slept from (select 1 as one from ${tables.of(name)} as x limit 1) as one`,
    shortLimit
  )
  // MySQL's interrupted `sleep` can return 1.
  return rows?.[0] !== undefined && textOf(rows[0].slept) !== '1'
}

const noLimit = finding(
  'The database does not end a statement at its time limit, so a slow statement goes on after the answer, and keeps its place in the pool: use no proxy that removes comments from statements, and a pooler that keeps a transaction on one server.',
  'settings',
  'warning'
)

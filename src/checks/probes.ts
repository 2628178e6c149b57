/** Makes the database prove, on rows of the host's tables, what the lists rely on. An empty table proves nothing. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../database/dialect.js'
import { type Row, textOf } from '../database/driver-samples.js'
import { fallbackFor } from '../database/fallback.js'
import { parameterOf } from '../database/parameter.js'
import { idColumnsOf, type TableName } from '../database/tables.js'
import { Failure } from '../errors/failure.js'
import { lists } from '../lists/index.js'
import type { List } from '../lists/list.js'
import { type CheckedDatabase, dataTimeout, textFor } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

/** Milliseconds for all probes, because the boot waits for the check. */
const budget = 1_000

const searchedTables: readonly TableName[] = [
  ...lists.filter(({ search }) => search.records.length > 0).map(({ name }) => name),
  'users'
]

export async function checkProbes(checked: CheckedDatabase): Promise<DatabaseFinding[]> {
  const end = performance.now() + budget
  const database: CheckedDatabase = {
    ...checked,
    ask: (query, milliseconds = dataTimeout) =>
      checked.ask(query, Math.max(1, Math.min(milliseconds, end - performance.now())))
  }
  const findings: DatabaseFinding[] = []
  for (const name of searchedTables) {
    if (await losesSearch(database, name)) findings.push(noLiteral(name))
  }
  if (await outlivesLimit(database)) findings.push(noLimit)
  return findings
}

type Build = (database: CheckedDatabase) => RawBuilder<Row>

/** @returns undefined where the statement proves nothing: the time is over, or the database cannot run the statement */
async function rowsOf(database: CheckedDatabase, build: Build, milliseconds = dataTimeout): Promise<Row[] | undefined> {
  try {
    return await database.ask(build(database), milliseconds)
  } catch (error) {
    if (error instanceof Failure) throw error
    const dialect = fallbackFor(database.dialect, error)
    return dialect && rowsOf({ ...database, dialect }, build, milliseconds)
  }
}

const idOf = (name: TableName) => sql.ref(`x.${idColumnsOf[name][0]}`)

/**
 * Searches `…!%_` for `!%_` in two records. Two ids bound the rows that a wrong engine reads. For one id, MariaDB reads
 * the row and sends no condition to Spider.
 */
async function losesSearch(database: CheckedDatabase, name: TableName): Promise<boolean> {
  const twoIds = await rowsOf(
    database,
    ({ dialect, tables }) => sql<Row>`select ${textFor(dialect)(idOf(name))} as id from ${tables.of(name)} as x limit 2`
  )
  const ids = (twoIds ?? []).map(({ id }) => textOf(id)).filter((id) => id !== null)
  const select =
    (isSearch: boolean): Build =>
    ({ dialect, tables }) => {
      const same = ids.map((id) => dialect.same(idOf(name), parameterOf(id)))
      const isOneOf = same.length > 1 ? sql`(${sql.join(same, sql` or `)})` : sql`1 = 1`
      return sql<Row>`select 1 as one from ${tables.of(name)} as x
        where ${isOneOf} ${isSearch ? sql`and ${isLiteral(dialect, idOf(name))}` : sql``} limit 1`
    }
  const found = await rowsOf(database, select(true))
  // Neither statement finds ids that differ at each read.
  return found?.length === 0 && (await rowsOf(database, select(false)))?.length === 1
}

/** True for each row. */
function isLiteral(dialect: Dialect, id: RawBuilder<unknown>): RawBuilder<boolean> {
  const idAnd = (text: string) =>
    dialect.name === 'sqlite'
      ? sql`${dialect.text(id)} || ${dialect.sample(text)}`
      : sql`concat(${dialect.text(id)}, ${dialect.sample(text)})`
  return sql`${dialect.contains(idAnd('!%_'), parameterOf('!%_'))} and not (${dialect.contains(idAnd('abcd'), parameterOf('a_%d'))})`
}

const noLiteral = (name: TableName) =>
  finding(
    'error',
    'tables',
    `A search in ${name} does not take the characters %, _ and ! literally, so searches would silently miss records: the storage engine or a proxy changes \`like … escape '!'\`, as MariaDB's Spider does. Use another storage engine, such as InnoDB, or connect without the proxy.`
  )

const sleeps: { [Name in Dialect['name']]?: RawBuilder<unknown> } = {
  mysql: sql`sleep(0.2)`,
  postgres: sql`pg_sleep(0.2)`
}

/** Milliseconds. The client itself stops a statement 250 ms later. */
const shortLimit = 20

async function outlivesLimit(database: CheckedDatabase): Promise<boolean> {
  const sleep = sleeps[database.dialect.name]
  const rows = sleep && (await rowsOf(database, () => sql<Row>`select ${sleep} as slept`, shortLimit))
  // MySQL's interrupted `sleep` can return 1.
  return rows?.[0] !== undefined && textOf(rows[0].slept) !== '1'
}

const noLimit = finding(
  'warning',
  'settings',
  'The database does not end a statement at its time limit, so a slow statement goes on after the answer, and keeps its place in the pool: use no proxy that removes comments from statements, and a pooler that keeps a transaction on one server.'
)

/** Compares both ends of the list's order with the newest and the oldest date. */
export async function probeOrder(database: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  // Without a snapshot, a record that is inserted during the statement may be in one part of the row only.
  if (!(await isOutOfOrder(database, list)) || !(await isOutOfOrder(database, list))) return []
  const text = `The records of ${list.name} do not come in the order of ${list.newest}, so pages would miss or repeat records: the storage engine or a proxy changes \`order by … limit\`. Use another storage engine, or connect without the proxy.`
  return [finding('error', 'tables', text)]
}

async function isOutOfOrder(database: CheckedDatabase, list: List): Promise<boolean> {
  const [id, time] = [sql.ref(`r.${list.id}`), sql.ref(`r.${list.newest}`)]
  const [row] =
    (await rowsOf(database, ({ dialect, tables }) => {
      const cell = (value: RawBuilder<unknown>, rest = sql``) =>
        sql`(select ${textFor(dialect)(value)} from ${tables.of(list.name)} as r ${rest})`
      const first = (direction: RawBuilder<unknown>) =>
        cell(time, sql`order by ${time} ${direction}, ${id} ${direction} limit 1`)
      return sql<Row>`select ${first(sql`desc`)} as first, ${cell(sql`max(${time})`)} as newest,
        ${first(sql`asc`)} as last, ${cell(sql`min(${time})`)} as oldest`
    })) ?? []
  const { first, newest, last, oldest } = row ?? {}
  // A null date stands at an end.
  const isWrong = (end: unknown, date: unknown) => textOf(end) !== null && textOf(end) !== textOf(date)
  return isWrong(first, newest) || isWrong(last, oldest)
}

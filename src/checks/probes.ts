/** Makes the database prove, on rows of the host's tables, what the lists rely on. An empty table proves nothing. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../database/dialect.js'
import { textOf } from '../database/driver-samples.js'
import { parameterOf } from '../database/parameter.js'
import type { List } from '../lists/list.js'
import { type CheckedDatabase, dataTimeout, textFor } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

export async function checkProbes(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  const { lists, names } = database
  const searched = names.filter((name) => {
    const list = lists.find((each) => each.name === name)
    return list
      ? list.search.records.length > 0
      : name === 'users' && lists.some(({ search }) => search.users.length > 0)
  })
  for (const name of searched) {
    const text = `A search in ${name} does not take the characters %, _ and ! literally, so searches would silently miss records: the storage engine or a proxy changes \`like … escape '!'\`, as MariaDB's Spider does. Use another storage engine, such as InnoDB, or connect without the proxy.`
    if (await losesSearch(database, name)) findings.push(finding('error', 'tables', text))
  }
  const text =
    'The database does not end a statement at its time limit, so a slow statement goes on after the answer, and keeps its place in the pool: use no proxy that removes comments from statements, and a pooler that keeps a transaction on one server.'
  if (await outlivesLimit(database)) findings.push(finding('warning', 'settings', text))
  return findings
}

/**
 * Searches `…!%_` for `!%_` in two records. Two ids bound the rows that a wrong engine reads. For one id, MariaDB reads
 * the row and sends no condition to Spider.
 */
async function losesSearch({ dialect, tables, lists, attempt }: CheckedDatabase, name: string): Promise<boolean> {
  const id = sql.ref(`x.${lists.find((list) => list.name === name)?.id ?? 'user_id'}`)
  const twoIds = await attempt(
    sql`select ${textFor(dialect)(id)} as id from ${tables.of(name)} as x limit 2`,
    dataTimeout
  )
  const ids = (twoIds ?? []).map((row) => textOf(row.id)).filter((text) => text !== null)
  const same = ids.map((text) => dialect.same(id, parameterOf(text)))
  const isOneOf = same.length > 1 ? sql`(${sql.join(same, sql` or `)})` : sql`1 = 1`
  const rows = (condition: RawBuilder<unknown>) =>
    attempt(sql`select 1 as one from ${tables.of(name)} as x where ${isOneOf} and ${condition} limit 1`, dataTimeout)
  const found = await rows(isLiteral(dialect, id))
  // Neither statement finds ids that differ at each read.
  return found?.length === 0 && (await rows(sql`1 = 1`))?.length === 1
}

/** True for each row. */
function isLiteral({ name, text, sample, contains }: Dialect, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const idAnd = (end: string) =>
    name === 'sqlite' ? sql`${text(id)} || ${sample(end)}` : sql`concat(${text(id)}, ${sample(end)})`
  const isWildcard = contains(idAnd('abcd'), parameterOf('a_%d'))
  return sql`${contains(idAnd('!%_'), parameterOf('!%_'))} and not (${isWildcard})`
}

/** Milliseconds. The client itself stops a statement 250 ms later. */
const shortLimit = 20

async function outlivesLimit({ dialect, attempt }: CheckedDatabase): Promise<boolean> {
  const sleep = { mysql: sql`sleep(0.2)`, postgres: sql`pg_sleep(0.2)`, sqlite: undefined }[dialect.name]
  const rows = sleep && (await attempt(sql`select ${sleep} as slept`, shortLimit))
  // MySQL's interrupted `sleep` can return 1.
  return rows?.[0] !== undefined && textOf(rows[0].slept) !== '1'
}

/** Compares both ends of the list's order with the newest and the oldest date. */
export async function probeOrder(database: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  // Without a snapshot, a record that is inserted during the statement may be in one part of the row only.
  if (!(await isOutOfOrder(database, list)) || !(await isOutOfOrder(database, list))) return []
  const text = `The records of ${list.name} do not come in the order of ${list.newest}, so pages would miss or repeat records: the storage engine or a proxy changes \`order by … limit\`. Use another storage engine, or connect without the proxy.`
  return [finding('error', 'tables', text)]
}

async function isOutOfOrder({ dialect, tables, attempt }: CheckedDatabase, list: List): Promise<boolean> {
  const [id, time] = [sql.ref(`r.${list.id}`), sql.ref(`r.${list.newest}`)]
  const cell = (value: RawBuilder<unknown>, rest = sql``) =>
    sql`(select ${textFor(dialect)(value)} from ${tables.of(list.name)} as r ${rest})`
  const end = (direction: RawBuilder<unknown>) =>
    cell(time, sql`order by ${time} ${direction}, ${id} ${direction} limit 1`)
  const rows = await attempt(
    sql`select ${end(sql`desc`)} as first, ${cell(sql`max(${time})`)} as newest,
      ${end(sql`asc`)} as last, ${cell(sql`min(${time})`)} as oldest`,
    dataTimeout
  )
  const { first, newest, last, oldest } = rows?.[0] ?? {}
  // A null date stands at an end.
  const isWrong = (end: unknown, date: unknown) => textOf(end) !== null && textOf(end) !== textOf(date)
  return isWrong(first, newest) || isWrong(last, oldest)
}

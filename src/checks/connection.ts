/** Checks the settings of the driver and of the session. */
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { GarbledRows, readerOf, sampleCells } from '../database/cells.js'
import { withinDeadline } from '../database/deadline.js'
import type { BaseTable } from '../database/dialect.js'
import { failureOf } from '../errors/classify.js'
import { isNarrow, isRefused, refusedAdvice } from '../errors/driver-error-codes.js'
import { reportOf } from '../errors/error-details.js'
import { Failure } from '../errors/failure.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

const misfit = (text: string): DatabaseFinding => finding('error', 'settings', text)

export const noConnection =
  'The pool gives no connection: check that it is large enough, and that the code for its new connections does not throw.'

/** Milliseconds for the statement that says why another one failed. A pool can lose its connection. */
const patience = 2_000

const conversion =
  'The pool throws an error when it reads text in a transaction, which the Kysely dialect must support: return text unchanged from typeCast (pg: types).'

const narrow = "The database cannot store every character: use a database with the encoding 'UTF8'."

/** Whether the lists can read what the database answers. After an error, no other check could. */
export async function checkAnswers(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  try {
    return await answersOf(database)
  } catch (error) {
    const reported = reportOf(error)
    if (isRefused(reported)) return [misfit(`${refusedAdvice} The driver says: ${reported.code || reported.message}`)]
    if (failureOf(error).kind !== 'internal') throw error
    if (isNarrow(reported)) return [misfit(narrow)]
    const isOfHost = reported.isPlain || reported.className === 'SyntaxError'
    const failsAgain = () => answersOf(database).then(() => false, Boolean)
    if (!isOfHost || !(await readsNothing(database)) || !(await failsAgain())) throw error
    return [misfit(`${conversion} The error says: ${reported.message}`)]
  }
}

/** Whether a statement without rows works: nothing is converted. Without a transaction, whose settings return text. */
const readsNothing = ({ db }: CheckedDatabase): Promise<boolean> =>
  withinDeadline(patience, [], async () =>
    db.getExecutor().provideConnection((connection) => connection.executeQuery(CompiledQuery.raw(noRow)))
  ).then(Boolean, (error) => {
    if (error instanceof Failure) throw new Failure('unavailable', noConnection)
    return false
  })

const noRow = 'select 1 from (select 1 as one) as x where 1 = 0'

async function answersOf({ dialect, ask }: CheckedDatabase): Promise<DatabaseFinding[]> {
  const { text, bytes, sample } = dialect
  const select = async (cells: RawBuilder<unknown>[]) => {
    const [row] = (await ask('the answers', sql`select ${sql.join(cells)}`)) ?? []
    if (row) return row
    const reason =
      "The database does not answer: check that it runs, that its pool has a free connection, and that createPool comes from 'mysql2' and not from 'mysql2/promise'."
    throw new Failure('unavailable', reason)
  }
  // The lists read bytes where the connection cannot carry every character.
  for (const read of [text, bytes]) {
    if (readerOf(await select(sampleCells({ text: read, sample })))) return []
  }
  return [misfit(new GarbledRows().message)]
}

export async function checkSession({ dialect, attempt, miss }: CheckedDatabase): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const [what, value, right, wrong, advice] of dialect.check.settings) {
    const [row] = (await attempt(what, sql`select ${dialect.bytes(value)} as setting`)) ?? []
    if (!row || row.setting === right) continue
    if (wrong.test(String(row.setting))) findings.push(misfit(advice))
    else miss(what, `the database answers ${row.setting}`)
  }
  return findings
}

/**
 * How a request needs one round trip, and what its records must then not depend on. Without `timeout`, the milliseconds
 * of a request, nothing is said of round trips.
 */
export async function checkDirect(
  { dialect, attempt }: CheckedDatabase,
  bases: readonly BaseTable[],
  timeout?: number
): Promise<DatabaseFinding[]> {
  const { whole, check } = dialect
  if (!whole || !check.direct) return []
  const { secured, advice, warning } = check.direct
  const cells = sql`select ${whole.settings} as settings, ${secured(bases)} as secured`
  const [row] = (await attempt('the settings of the session', cells, undefined, true)) ?? []
  if (!row) return []
  if (whole.limitUnder(row.settings as string) > (timeout ?? Number.MAX_VALUE))
    return timeout === undefined ? [] : [finding('info', 'settings', advice(timeout))]
  return row.secured ? [finding('warning', 'settings', warning(row.secured))] : []
}

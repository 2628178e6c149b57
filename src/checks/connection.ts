/** Checks the settings of the driver and of the session. */
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Dialect, sampleCells } from '../database/dialect.js'
import { GarbledRows, type Row, readerOf, samples, textOf } from '../database/driver-samples.js'
import { failureOf } from '../errors/classify.js'
import { isRefused, refusedAdvice } from '../errors/driver-errors.js'
import { reportOf } from '../errors/error-details.js'
import { Failure } from '../errors/failure.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { unlessPromisePool } from './promise-pool.js'

const misfit = (text: string): DatabaseFinding => finding('error', 'settings', text)

const promisePool = "Kysely cannot use a pool of mysql2/promise: write import { createPool } from 'mysql2'."

const noRow = 'select 1 from (select 1 as one) as x where 1 = 0'

const conversion = 'The pool throws an error when it reads text: return text unchanged from typeCast (pg: types).'

export async function checkSettings(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  try {
    return await unlessPromisePool(() => sessionFindings(database), [misfit(promisePool)])
  } catch (error) {
    const reported = reportOf(error)
    if (isRefused(reported)) return [misfit(`${refusedAdvice} The driver says: ${reported.code || reported.message}`)]
    // A statement without rows reads no text. The settings of a transaction would return text.
    const answers = () =>
      database.db
        .getExecutor()
        .provideConnection((connection) => connection.executeQuery(CompiledQuery.raw(noRow)))
        .then(Boolean, () => false)
    // The host's typeCast or type parser throws an error.
    const isOfHost = reported.isPlain || reported.className === 'SyntaxError'
    if (isOfHost && failureOf(error).kind === 'internal' && (await answers())) {
      return [misfit(`${conversion} The error says: ${reported.message}`)]
    }
    throw error
  }
}

/** A value that each statement sets for itself, or that the session must have. */
type Setting = [value: RawBuilder<unknown>, expected: string, otherwise: string]

const sessionSettings: Record<Dialect['name'], Setting[]> = {
  mysql: [
    [
      sql`from_unixtime(0)`,
      '1970-01-01 00:00:00',
      "Statements do not get their own time zone, so TIMESTAMP columns use the session's time zone: use MySQL 8.0.17, MariaDB 10.2 or later, and no proxy that removes comments from statements."
    ],
    [
      sql`@@autocommit + 0`,
      '1',
      'The session has autocommit off, so a connection keeps reading the snapshot of its first query: set autocommit = 1.'
    ],
    [
      sql`@@sql_mode like '%PAD_CHAR_TO_FULL_LENGTH%'`,
      '0',
      'The sql_mode PAD_CHAR_TO_FULL_LENGTH adds spaces to CHAR columns: remove it.'
    ]
  ],
  postgres: [
    [
      sql`current_setting('timezone')`,
      'UTC',
      "Transactions do not get their own time zone, so timestamptz columns use the session's time zone: use a pooler that keeps a transaction on one server, and in pgpool remove set_config from read_only_function_list."
    ]
  ],
  sqlite: []
}

const slower =
  "The connection cannot carry every character, so each page is read twice: set the pool's charset to 'utf8mb4', and return text unchanged from typeCast."

async function sessionFindings({ dialect, ask }: CheckedDatabase): Promise<DatabaseFinding[]> {
  const { name, bytes, sample } = dialect
  if (name === 'postgres') {
    const others = await ask(sql`select 1 where current_setting('server_encoding') <> 'UTF8'`)
    const text = "The database cannot store every character: use a database with the encoding 'UTF8'."
    if (others?.length) return [misfit(text)]
  }
  const select = async (cells: RawBuilder<unknown>[]): Promise<Row> => {
    const [row] = (await ask(sql<Row>`select ${sql.join(cells)}`)) ?? []
    if (row) return row
    const text =
      "The database does not answer: check that it runs, that its pool has a free connection, and that createPool comes from 'mysql2' and not from 'mysql2/promise'."
    throw new Failure('unavailable', text)
  }
  const settings = sessionSettings[name]
  const cells = settings.map(([value], place) => sql`${bytes(value)} as ${sql.id(`setting ${place}`)}`)
  const row = await select([...cells, ...sampleCells(dialect, samples)])
  const isWhole = readerOf(row)
  const inBytes = sampleCells({ text: bytes, sample }, samples)
  if (!isWhole && !readerOf(await select(inBytes))) return [misfit(new GarbledRows().message)]
  const wrong = settings.filter(([, expected], place) => textOf(row[`setting ${place}`]) !== expected)
  return [
    ...(isWhole ? [] : [finding('warning', 'settings', slower)]),
    ...wrong.map(([, , otherwise]) => misfit(otherwise))
  ]
}

/** Checks the settings of the driver and of the session. */
import { type RawBuilder, sql } from 'kysely'
import { type Dialect, sampleCells } from '../database/dialect.js'
import { moreSamples, type Row, readerOf, sampleName, textOf } from '../database/driver-samples.js'
import { isRefused, poolerAdvice } from '../errors/driver-errors.js'
import { reportOf } from '../errors/error-details.js'
import { Failure } from '../errors/failure.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import type { KnownColumn } from './known-columns.js'
import { unlessPromisePool } from './promise-pool.js'

const promisePool = "Kysely cannot use a pool of mysql2/promise: write import { createPool } from 'mysql2'."

export async function checkSettings(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  try {
    return await unlessPromisePool(() => sessionFindings(database), [finding('error', 'settings', promisePool)])
  } catch (error) {
    const reported = reportOf(error)
    if (isRefused(reported)) {
      const text = `The database refuses the connection (error ${reported.code}): check the user, the password and the name of the database in the pool.`
      return [finding('error', 'settings', text)]
    }
    const misuse = poolerAdvice(reported) ?? (await misuseOf(database, error))
    if (misuse) return [finding('error', 'settings', misuse)]
    throw error
  }
}

/** Recognizes errors of the host's own code. Errors of a server have a code. */
async function misuseOf({ dialect, db }: CheckedDatabase, error: unknown): Promise<string | undefined> {
  const { code = '', errno, message } = reportOf(error)
  const misuses = misusesOf[dialect.name]
  if (!misuses || error instanceof Failure || errno !== undefined || !/^(ERR_.*)?$/.test(code)) return undefined
  const said = `the driver says: ${message}`
  const refusal = await db
    .getExecutor()
    .provideConnection(async () => undefined)
    .catch((refusal: unknown) => reportOf(refusal))
  if (!refusal) return `${misuses.conversion} throws an error when it reads text (${said}): return text unchanged.`
  const isNoPool = refusal.name === 'TypeError' || /already been connected/.test(String(refusal.message))
  return isNoPool ? `${misuses.pool} (${said}).` : undefined
}

const misusesOf: Partial<Record<Dialect['name'], { conversion: string; pool: string }>> = {
  mysql: {
    conversion: "The pool's typeCast",
    pool: "The 'pool' of MysqlDialect is not a pool: pass createPool(…) of mysql2"
  },
  postgres: {
    conversion: "A type parser of pg ('types')",
    pool: "The 'pool' of PostgresDialect is not a pool: pass a pg.Pool, not a pg.Client"
  }
}

/** A value that each statement sets for itself, or that the session must have. */
interface Setting {
  readonly value: RawBuilder<unknown>
  readonly expected: string
  readonly otherwise: string
}

const settingsOf: Partial<Record<Dialect['name'], readonly Setting[]>> = {
  mysql: [
    {
      value: sql`from_unixtime(0)`,
      expected: '1970-01-01 00:00:00',
      otherwise:
        "Statements do not get their own time zone, so TIMESTAMP columns use the session's time zone: use MySQL 8.0.17, MariaDB 10.2 or later, and no proxy that removes comments from statements."
    },
    {
      value: sql`@@autocommit + 0`,
      expected: '1',
      otherwise:
        'The session has autocommit off, so a connection keeps reading the snapshot of its first query: set autocommit = 1.'
    }
  ],
  postgres: [
    {
      value: sql`current_setting('timezone')`,
      expected: 'UTC',
      otherwise:
        "Transactions do not get their own time zone, so timestamptz columns use the session's time zone: use a pooler that keeps a transaction on one server, and in pgpool remove set_config from read_only_function_list."
    }
  ]
}

const texts = {
  encoding: "The database cannot store every character: use a database with the encoding 'UTF8'.",
  names: 'Rows have no column names: remove the mysql2 options rowsAsArray and nestTables.',
  changed:
    "The driver changes text: set the pool's charset to 'utf8mb4', and return text unchanged from typeCast (in pg: types).",
  slower:
    "The connection cannot carry every character, so each page is read twice: set the pool's charset to 'utf8mb4', and return text unchanged from typeCast.",
  silent:
    "The database does not answer: check that it runs, that its pool has a free connection, and that createPool comes from 'mysql2' and not from 'mysql2/promise'."
}

async function sessionFindings({ dialect, ask }: CheckedDatabase): Promise<DatabaseFinding[]> {
  const { name, bytes, sample } = dialect
  const settings = settingsOf[name] ?? []
  const misfit = (text: string) => finding('error', 'settings', text)
  if (name === 'postgres') {
    const others = await ask(sql`select 1 where current_setting('server_encoding') <> 'UTF8'`)
    if (others?.length) return [misfit(texts.encoding)]
  }
  const select = async (cells: RawBuilder<unknown>[]): Promise<Row> => {
    const [row] = (await ask(sql<Row>`select ${sql.join(cells)}`)) ?? []
    if (row) return row
    throw new Failure('unavailable', texts.silent)
  }
  const alias = (place: number) => `setting ${place}`
  const cells = settings.map(({ value }, place) => sql`${bytes(value)} as ${sql.id(alias(place))}`)
  const row = await select([...cells, ...sampleCells(dialect, moreSamples)])
  if (!(sampleName(0) in row)) return [misfit(texts.names)]
  const isWhole = readerOf(row, moreSamples)
  const inBytes = sampleCells({ text: bytes, sample }, moreSamples)
  if (!isWhole && !readerOf(await select(inBytes), moreSamples)) return [misfit(texts.changed)]
  const wrong = settings.filter(({ expected }, place) => textOf(row[alias(place)]) !== expected)
  return [
    ...(isWhole ? [] : [finding('warning', 'settings', texts.slower)]),
    ...wrong.map(({ otherwise }) => misfit(otherwise))
  ]
}

export async function checkPadding(
  { dialect, ask }: CheckedDatabase,
  known: readonly KnownColumn[]
): Promise<DatabaseFinding[]> {
  const padded = known.filter(({ type }) => type === 'char').map(({ table, column }) => `${table}.${column}`)
  if (dialect.name !== 'mysql' || padded.length === 0) return []
  const rows = await ask(sql`select ${dialect.bytes(sql`@@sql_mode`)} as mode`)
  if (!textOf(rows?.[0]?.mode)?.includes('PAD_CHAR_TO_FULL_LENGTH')) return []
  const columns = [...new Set(padded)].join(', ')
  return [finding('error', 'settings', `The sql_mode PAD_CHAR_TO_FULL_LENGTH adds spaces to ${columns}: remove it.`)]
}

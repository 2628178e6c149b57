/** Checks the settings of the driver and of the session. */
import { type RawBuilder, sql } from 'kysely'
import { type Dialect, sampleCells } from '../database/dialect.js'
import { sortLength } from '../database/dialects/mysql.js'
import { moreSamples, type Row, readerOf, sampleName, textOf } from '../database/driver-samples.js'
import { isRefused, poolerAdvice } from '../errors/driver-errors.js'
import { reportOf } from '../errors/error-details.js'
import { Failure } from '../errors/failure.js'
import type { Finding } from './finding.js'
import { unlessPromisePool } from './promise-pool.js'
import type { KnownColumn, Subject } from './subject.js'

const finding = (level: Finding['level'], text: string): Finding => ({ level, remedy: 'settings', text })

const promisePool = "Kysely cannot use a pool of mysql2/promise: write import { createPool } from 'mysql2'."

export async function checkSettings(subject: Subject): Promise<Finding[]> {
  try {
    return await unlessPromisePool(() => sessionFindings(subject), [finding('error', promisePool)])
  } catch (error) {
    const reported = reportOf(error)
    if (isRefused(reported)) {
      const text = `The database refuses the connection (error ${reported.code}): check the user, the password and the name of the database in the pool.`
      return [finding('error', text)]
    }
    const misuse = poolerAdvice(reported) ?? (await misuseOf(subject, error))
    if (misuse) return [finding('error', misuse)]
    throw error
  }
}

/** Recognizes errors of the host's own code. Errors of a server have a code. */
async function misuseOf({ source }: Subject, error: unknown): Promise<string | undefined> {
  const { code = '', errno, message } = reportOf(error)
  const misuses = misusesOf[source.dialect.name]
  if (!misuses || error instanceof Failure || errno !== undefined || !/^(ERR_.*)?$/.test(code)) return undefined
  const said = `the driver says: ${message}`
  const refusal = await source.db
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

async function sessionFindings({ source, ask }: Subject): Promise<Finding[]> {
  const { name, bytes, sample } = source.dialect
  if (name === 'postgres') {
    const others = await ask(sql`select 1 where current_setting('server_encoding') <> 'UTF8'`)
    if (others?.length)
      return [finding('error', "The database cannot store every character: use a database with the encoding 'UTF8'.")]
  }
  const own = { sorted: sql`@@max_sort_length`, commits: sql`@@autocommit + 0` }
  const cells =
    name === 'mysql' ? Object.entries(own).map(([alias, cell]) => sql`${bytes(cell)} as ${sql.id(alias)}`) : []
  const select = async (cells: RawBuilder<unknown>[]): Promise<Row> => {
    const [row] = (await ask(sql<Row>`select ${sql.join(cells)}`)) ?? []
    if (row) return row
    throw new Failure(
      'unavailable',
      "The database does not answer: check that it runs, that its pool has a free connection, and that createPool comes from 'mysql2' and not from 'mysql2/promise'."
    )
  }
  const row = await select([...cells, ...sampleCells(source.dialect, moreSamples)])
  if (!(sampleName(0) in row)) {
    return [finding('error', 'Rows have no column names: remove the mysql2 options rowsAsArray and nestTables.')]
  }
  const isWhole = readerOf(row, moreSamples)
  const inBytes = sampleCells({ text: bytes, sample }, moreSamples)
  if (!isWhole && !readerOf(await select(inBytes), moreSamples)) {
    return [
      finding(
        'error',
        "The driver changes text: set the pool's charset to 'utf8mb4', and return text unchanged from typeCast (in pg: types)."
      )
    ]
  }
  const findings: Finding[] = []
  if (!isWhole) {
    findings.push(
      finding(
        'warning',
        "The connection cannot carry every character, so each page is read twice: set the pool's charset to 'utf8mb4', and return text unchanged from typeCast."
      )
    )
  }
  if (name === 'mysql' && Number(textOf(row.sorted)) < sortLength) {
    findings.push(
      finding(
        'error',
        `Statements do not get their own max_sort_length, so records are sorted by only the first bytes of their dates and ids: use no proxy that removes comments from statements, or set max_sort_length = ${sortLength}.`
      )
    )
  }
  if (name === 'mysql' && textOf(row.commits) === '0') {
    findings.push(
      finding(
        'error',
        'The session has autocommit off, so a connection keeps reading the snapshot of its first query: set autocommit = 1.'
      )
    )
  }
  return findings
}

export async function checkPadding({ source, ask }: Subject, known: readonly KnownColumn[]): Promise<Finding[]> {
  const padded = known.filter(({ type }) => type === 'char').map(({ table, column }) => `${table}.${column}`)
  if (source.dialect.name !== 'mysql' || padded.length === 0) return []
  const rows = await ask(sql`select ${source.dialect.bytes(sql`@@sql_mode`)} as mode`)
  if (!textOf(rows?.[0]?.mode)?.includes('PAD_CHAR_TO_FULL_LENGTH')) return []
  const columns = [...new Set(padded)].join(', ')
  return [finding('error', `The sql_mode PAD_CHAR_TO_FULL_LENGTH adds spaces to ${columns}: remove it.`)]
}

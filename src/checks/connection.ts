/** Checks the settings of the driver and of the session. */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../database/cells.js'
import { moreSamples, readerOf, sampleName, textOf } from '../database/cells.js'
import { type Dialect, sampleCells } from '../database/dialect.js'
import { sortLength } from '../database/dialects/mysql.js'
import { reportOf } from '../errors/error-details.js'
import { Failure } from '../errors/failure.js'
import type { Finding } from './finding.js'
import type { KnownColumn, Subject } from './subject.js'

const finding = (level: Finding['level'], text: string): Finding => ({ level, remedy: 'settings', text })

/** Checks that text comes back unchanged, and that statements get their own settings. */
export async function checkSettings(subject: Subject): Promise<Finding[]> {
  try {
    return await sessionFindings(subject)
  } catch (error) {
    const misuse = await misuseOf(subject, error)
    if (misuse) return [finding('error', misuse)]
    throw error
  }
}

/** What is wrong where the host's own code throws, and no server, whose errors have codes. */
async function misuseOf({ source }: Subject, error: unknown): Promise<string | undefined> {
  const { code = '', errno, message } = reportOf(error)
  const misuses = misusesOf[source.dialect.name]
  if (!misuses || error instanceof Failure || errno !== undefined || !/^(ERR_.*)?$/.test(code)) return undefined
  const said = `the driver says: ${message}`
  const refusal = await source.db
    .getExecutor()
    .provideConnection(async () => undefined)
    .catch((refusal: unknown) => reportOf(refusal))
  if (!refusal)
    return `${misuses.conversion} throws an error where it reads text (${said}): let it return text as it is.`
  const isNoPool = refusal.name === 'TypeError' || /already been connected/.test(String(refusal.message))
  return isNoPool ? `${misuses.pool} (${said}).` : undefined
}

const misusesOf: Partial<Record<Dialect['name'], { conversion: string; pool: string }>> = {
  mysql: {
    conversion: "The pool's typeCast",
    pool: "The 'pool' of MysqlDialect is no pool: give it createPool(…) of mysql2"
  },
  postgres: {
    conversion: "A type parser of pg ('types')",
    pool: "The 'pool' of PostgresDialect is no pool: give it a pg.Pool, not a pg.Client"
  }
}

async function sessionFindings({ source, ask }: Subject): Promise<Finding[]> {
  const { name, bytes, sample } = source.dialect
  if (name === 'postgres') {
    const others = await ask(sql`select 1 where current_setting('server_encoding') <> 'UTF8'`)
    if (others?.length)
      return [finding('error', "The database has not every character: use one of the encoding 'UTF8'.")]
  }
  const own = { epoch: sql`from_unixtime(0)`, sorted: sql`@@max_sort_length`, commits: sql`@@autocommit + 0` }
  const cells =
    name === 'mysql' ? Object.entries(own).map(([alias, cell]) => sql`${bytes(cell)} as ${sql.id(alias)}`) : []
  const select = async (cells: RawBuilder<unknown>[]): Promise<Row> => {
    const [row] = (await ask(sql<Row>`select ${sql.join(cells)}`)) ?? []
    if (row) return row
    throw new Failure(
      'unavailable',
      'The database does not answer: see whether it runs, and whether its pool has a place.'
    )
  }
  const row = await select([...cells, ...sampleCells(source.dialect, moreSamples)])
  if (!(sampleName(0) in row)) {
    return [finding('error', "Rows come without column names: take mysql2's rowsAsArray and nestTables out.")]
  }
  const isWhole = readerOf(row, moreSamples)
  const inBytes = sampleCells({ text: bytes, sample }, moreSamples)
  if (!isWhole && !readerOf(await select(inBytes), moreSamples)) {
    return [
      finding(
        'error',
        "The driver changes text on its way: give the pool charset 'utf8mb4', and let typeCast (of pg: types) leave text alone."
      )
    ]
  }
  const findings: Finding[] = []
  if (!isWhole) {
    findings.push(
      finding(
        'warning',
        "Not every character comes through the connection, so that each page is read twice: give the pool charset 'utf8mb4', and let typeCast leave text alone."
      )
    )
  }
  if (name === 'mysql' && textOf(row.epoch) !== '1970-01-01 00:00:00') {
    findings.push(
      finding(
        'error',
        "Statements do not get their own time zone, so that TIMESTAMP columns come in the session's: use MySQL 8.0.17, MariaDB 10.1, or a later one, and no proxy that takes comments out of statements."
      )
    )
  }
  if (name === 'mysql' && Number(textOf(row.sorted)) < sortLength) {
    findings.push(
      finding(
        'error',
        `Statements do not get their own max_sort_length, so that records are sorted by a part of their dates and ids: use no proxy that takes comments out of statements, or set max_sort_length = ${sortLength}.`
      )
    )
  }
  if (name === 'mysql' && textOf(row.commits) === '0') {
    findings.push(
      finding(
        'error',
        'The session has autocommit off, so that a connection keeps showing what was there when it was first used: set autocommit = 1.'
      )
    )
  }
  return findings
}

/** Checks that the session does not pad CHAR columns. */
export async function checkPadding({ source, ask }: Subject, known: readonly KnownColumn[]): Promise<Finding[]> {
  const padded = known.filter(({ type }) => type === 'char').map(({ table, column }) => `${table}.${column}`)
  if (source.dialect.name !== 'mysql' || padded.length === 0) return []
  const rows = await ask(sql`select ${source.dialect.bytes(sql`@@sql_mode`)} as mode`)
  if (!textOf(rows?.[0]?.mode)?.includes('PAD_CHAR_TO_FULL_LENGTH')) return []
  const columns = [...new Set(padded)].join(', ')
  return [finding('error', `The sql_mode PAD_CHAR_TO_FULL_LENGTH adds spaces to ${columns}: take it out.`)]
}

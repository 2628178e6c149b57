/** How the driver and the session are set. */
import { sql } from 'kysely'
import { Failure } from '../errors.js'
import { readerOf, textOf } from '../send.js'
import type { Finding } from './finding.js'
import type { KnownColumn, Subject } from './subject.js'

const finding = (level: Finding['level'], text: string): Finding => ({ level, remedy: 'settings', text })

/** Does text come back as it is, and does a statement take its time zone? */
export async function checkSettings({ source, ask }: Subject): Promise<Finding[]> {
  const { name, text, bytes, sample } = source.dialect
  if (name === 'postgres') {
    const others = await ask(sql`select 1 where current_setting('server_encoding') <> 'UTF8'`)
    if (others?.length)
      return [finding('error', "The database has not every character: use one of the encoding 'UTF8'.")]
  }
  const epoch = name === 'mysql' ? sql`from_unixtime(0)` : sql`null`
  const rows = await ask(sql`select ${text(sample)} as sample, ${bytes(sample)} as bytes, ${bytes(epoch)} as epoch`)
  const row = rows?.[0]
  if (!row) {
    throw new Failure(
      'unavailable',
      'The database does not answer: see whether it runs, and whether its pool has a place.'
    )
  }
  if (row.sample === undefined) {
    return [finding('error', "Rows come without column names: take mysql2's rowsAsArray and nestTables out.")]
  }
  const isWhole = readerOf(row.sample)
  if (!isWhole && !readerOf(row.bytes)) {
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
  return findings
}

/** Does the session make CHAR columns longer than what they hold? */
export async function checkPadding({ source, ask }: Subject, known: readonly KnownColumn[]): Promise<Finding[]> {
  const padded = known.filter(({ type }) => type === 'char').map(({ table, column }) => `${table}.${column}`)
  if (source.dialect.name !== 'mysql' || padded.length === 0) return []
  const rows = await ask(sql`select ${source.dialect.bytes(sql`@@sql_mode`)} as mode`)
  if (!textOf(rows?.[0]?.mode)?.includes('PAD_CHAR_TO_FULL_LENGTH')) return []
  const columns = [...new Set(padded)].join(', ')
  return [finding('error', `The sql_mode PAD_CHAR_TO_FULL_LENGTH adds spaces to ${columns}: take it out.`)]
}

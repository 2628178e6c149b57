/** How the driver and the session are set. */
import { sql } from 'kysely'
import { readerOf, textOf } from '../send.js'
import type { Finding } from './finding.js'
import type { Subject } from './subject.js'

const finding = (level: Finding['level'], text: string): Finding => ({ level, remedy: 'settings', text })

export async function checkSettings({ source, ask }: Subject): Promise<Finding[]> {
  const { dialect } = source
  const [row] = await ask(
    sql`select ${dialect.text(dialect.sample)} as sample, ${dialect.bytes(dialect.sample)} as bytes`
  )
  if (row?.sample === undefined) {
    return [
      finding('error', "The driver gives rows without column names: leave out mysql2's rowsAsArray and nestTables.")
    ]
  }
  if (!readerOf(row.sample) && !readerOf(row.bytes)) {
    return [
      finding(
        'error',
        "The driver changes text on its way: give the pool charset 'utf8mb4', and let typeCast (types of pg) leave text alone."
      )
    ]
  }
  const findings: Finding[] = []
  if (!readerOf(row.sample)) {
    findings.push(
      finding(
        'warning',
        "The connection does not carry every character, so that each page is read twice: give the pool charset 'utf8mb4'."
      )
    )
  }
  if (dialect.name === 'mysql') {
    const [session] = await ask(sql`select @@sql_mode as mode`)
    if (/PAD_CHAR_TO_FULL_LENGTH/.test(String(textOf(session?.mode)))) {
      findings.push(finding('error', 'The sql_mode PAD_CHAR_TO_FULL_LENGTH adds spaces to CHAR columns: take it out.'))
    }
  }
  return findings
}

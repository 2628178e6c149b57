/** Says how a request needs one round trip, and what its records must then not depend on. */
import { sql } from 'kysely'
import { type Row, textOf } from '../database/cells.js'
import type { BaseTable } from '../database/dialect.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

/** Without `timeout`, the milliseconds of a request, nothing is said of round trips. */
export async function checkDirect(
  { dialect, attempt }: CheckedDatabase,
  bases: readonly BaseTable[],
  timeout?: number
): Promise<DatabaseFinding[]> {
  const { whole, check } = dialect
  if (!whole || !check.direct) return []
  const { secured, advice, warning } = check.direct
  const cells = sql<Row>`select ${whole.settings} as settings, ${secured(bases)} as secured`
  const [row] = (await attempt('the settings of the session', cells, undefined, true)) ?? []
  if (!row) return []
  const tables = textOf(row.secured)
  if (whole.limitUnder(textOf(row.settings)) > (timeout ?? Number.MAX_VALUE))
    return timeout === undefined ? [] : [finding('info', 'settings', advice(timeout))]
  return tables === null ? [] : [finding('warning', 'settings', warning(tables))]
}

/** Finds values of `where` that their columns cannot hold. */
import { sql } from 'kysely'
import type { Row } from '../database/cells.js'
import { isTextError } from '../errors/driver-errors.js'
import type { List } from '../lists/list.js'
import { reachesOf } from '../lists/reach.js'
import type { Fitted } from '../question/known/fitted-sql.js'
import { whereConditions } from '../question/sql/filters.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

/** The values are right SQL, but reach no record, and PostgreSQL refuses them anew in each request. */
export async function wrongConstants(
  { ask, dialect }: CheckedDatabase,
  list: List,
  known: Fitted
): Promise<DatabaseFinding[]> {
  const findings = new Map<string, DatabaseFinding>()
  const conditions = reachesOf(list).flatMap((reach) => reach.flatMap(({ where = [] }) => where))
  for (const [column, value] of conditions.flatMap(([column, values]) =>
    values.map((value) => [column, value] as const)
  )) {
    if (value === null) continue
    const [holds] = whereConditions({ where: [[column, [value]]] }, known)
    const noRow = sql<Row>`select 1 as one from ${known.tables.of(list.name).table} as r where ${holds} ${dialect.limit(sql.lit(0))}`
    const isTaken = await ask(`the values of ${list.name}.${column}`, noRow).then(
      () => true,
      (error) => {
        if (!isTextError(error)) throw error
        return false
      }
    )
    // MySQL and MariaDB compare any text with a number.
    const isIdOfColumn = !known.isNeverEmpty(`r.${column}`) || /^(-?\d+|[\da-f-]{36})$/i.test(value)
    if (isTaken && isIdOfColumn) continue
    const slow = isTaken ? '' : ', and each request takes longer'
    const text = `${list.name}.${column} cannot hold '${value}', a value of 'where', so no record has it${slow}: correct the value, or map the column to texts.`
    findings.set(text, finding('warning', 'tables', text))
  }
  return [...findings.values()]
}

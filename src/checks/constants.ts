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

/** Such a value reaches no record, and PostgreSQL refuses it anew in each request. */
export async function wrongConstants(database: CheckedDatabase, list: List, known: Fitted): Promise<DatabaseFinding[]> {
  const findings = new Map<string, DatabaseFinding>()
  for (const [column, values] of reachesOf(list).flatMap((reach) => reach.flatMap(({ where = [] }) => where))) {
    for (const value of values.filter((value) => value !== null)) {
      const isTaken = await takes(database, known, column, value)
      // MySQL and MariaDB compare any text with a number.
      if (isTaken && (!known.isNeverEmpty(`r.${column}`) || /^(-?\d+|[\da-f-]{36})$/i.test(value))) continue
      const slow = isTaken ? '' : ', and each request takes longer'
      const text = `${list.name}.${column} cannot hold '${value}', a value of 'where', so no record has it${slow}: correct the value, or map the column to texts.`
      findings.set(text, finding('warning', 'tables', text))
    }
  }
  return [...findings.values()]
}

async function takes({ ask, dialect }: CheckedDatabase, known: Fitted, column: string, value: string) {
  const { name } = known.list
  const [isEqual] = whereConditions({ where: [[column, [value]]] }, known)
  const noRow = sql<Row>`select 1 as one from ${known.tables.of(name).table} as r where ${isEqual} ${dialect.limit(sql.lit(0))}`
  try {
    await ask(`the values of ${name}.${column}`, noRow)
    return true
  } catch (error) {
    if (!isTextError(error)) throw error
    return false
  }
}

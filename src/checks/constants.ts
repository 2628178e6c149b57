/** Finds values of `where` that their columns cannot hold, or that no record has. */
import { sql } from 'kysely'
import type { Row } from '../database/cells.js'
import { isTextError } from '../errors/driver-errors.js'
import type { List } from '../lists/list.js'
import type { Fitted } from '../question/fitted/fitted-sql.js'
import { whereConditions } from '../question/sql/visibility.js'
import { reachesOf } from '../visibility/reach.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

/** Such a value reaches no record, and PostgreSQL refuses some of them anew in each request. */
export async function wrongConstants(database: CheckedDatabase, list: List, known: Fitted): Promise<DatabaseFinding[]> {
  const findings = new Map<string, DatabaseFinding>()
  const tell = (remedy: 'tables' | 'data', text: string) => findings.set(text, finding('warning', remedy, text))
  for (const [column, values] of reachesOf(list).flatMap((reach) => reach.flatMap(({ where = [] }) => where))) {
    for (const value of values.filter((value) => value !== null)) {
      const path = `${list.name}.${column}`
      const rows = await rowsWith(database, known, column, value)
      // MySQL and MariaDB compare any text with a number.
      if (rows === 'refused' || (known.isNeverEmpty(`r.${column}`) && !/^(-?\d+|[\da-f-]{36})$/i.test(value))) {
        const slow = rows === 'refused' ? ', and each request takes longer' : ''
        const advice = 'correct the value, or map the column to texts.'
        tell('tables', `${path} cannot hold '${value}', a value of 'where', so no record has it${slow}: ${advice}`)
      } else if (rows?.[0]?.found === null && !list.columns[column]?.rules.closed)
        tell('data', `No record has the ${path} '${value}', a value of 'where': if the value is misspelt, correct it.`)
    }
  }
  return [...findings.values()]
}

/** One row, whose cell is null if no record has the value. No row for a table without records. */
async function rowsWith({ ask, dialect }: CheckedDatabase, known: Fitted, column: string, value: string) {
  const { table } = known.tables.of(known.list.name)
  const [isEqual] = whereConditions({ where: [[column, [value]]] }, known)
  const one = dialect.limit(sql.lit(1))
  const found = sql`select 1 from ${table} as r where ${isEqual} ${one}`
  const query = sql<Row>`select (${found}) as found from ${table} as any_record ${one}`
  try {
    return await ask(`whether a record has the values of ${known.list.name}.${column}`, query, dataTimeout)
  } catch (error) {
    if (!isTextError(error)) throw error
    return 'refused'
  }
}

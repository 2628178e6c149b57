/** Checks the lists' statements with `explain`, and the values that the reach of a role compares. */
import { sql } from 'kysely'
import { isTextError, isTypeConflict } from '../errors/driver-error-codes.js'
import { Failure } from '../errors/failure.js'
import type { List, ListColumn } from '../lists/list.js'
import { type Question, shapeOf, spanOf } from '../question/asked/question.js'
import type { Fitted } from '../question/fitted/fitted-sql.js'
import { pageSql } from '../question/sql/page.js'
import { whereConditions } from '../question/sql/visibility.js'
import { everything, idNamesOf, isEverything } from '../visibility/grant.js'
import { reachesOf } from '../visibility/reach-of-role.js'
import { driverSays } from './columns.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

export async function checkStatements(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const list of database.lists) {
    const report = async <Result>(failing: string, reason: string, work: () => Promise<Result>) =>
      work().catch((error) => {
        findings.push(finding('error', 'tables', `${isTypeConflict(error) ? reason : failing}; ${driverSays(error)}`))
      })
    const fitted = await report(`The statements of the ${list.name} fail`, idsDiffer(list), async () => {
      const fitted = await database.fitted(list)
      if (!fitted) return undefined
      const parts = reachesOf(list).filter((reach) => reach.length > 0 && !isEverything(reach))
      // A list without parts, such as a price list, is explained as a whole.
      const once = new Map((parts.length > 0 ? parts : [everything]).map((reach) => [JSON.stringify(reach), reach]))
      const term = list.parameters.search && { term: 'x' }
      for (const reach of once.values()) await explain(database, { reach, ...term }, fitted)
      findings.push(...(await wrongValues(database, fitted)))
      return fitted
    })
    if (!fitted) continue
    // For example, `json` columns of PostgreSQL have no operator `=`.
    for (const [name, { column }] of Object.entries(list.filters)) {
      const [what, example] = (list.columns[column] as ListColumn).rules.stored.comparedWith
      const reason = `${list.name}.${column} cannot be compared with ${what}, so the parameter ${name} fails: map it to a column of ${what}`
      await report(`The parameter ${name} of the ${list.name} fails`, reason, () =>
        explain(database, { reach: everything, filters: { [name]: [example] } }, fitted)
      )
    }
  }
  return findings
}

export const idsDiffer = ({ name }: List): string =>
  `The tables of the ${name} do not fit together: ids that are compared need the same type and the same collation`

async function explain(
  database: CheckedDatabase,
  asked: Pick<Question, 'reach'> & Partial<Pick<Question, 'term' | 'filters'>>,
  fitted: Fitted
): Promise<void> {
  const { list } = fitted
  const what = `the statements of the ${list.name}`
  const ids = Object.fromEntries(idNamesOf(list, asked.reach).map((name) => [name, '0']))
  const question = { list, order: list.order, filters: {}, ...asked, caller: { userId: '0', ids } }
  const pageOf = (limit: number) => pageSql(shapeOf(question), fitted, { span: spanOf({ page: 1, limit }) })
  try {
    await database.ask(what, sql`explain ${pageOf(12)}`).catch((error) => {
      if (error instanceof Failure) throw error
      // Some accounts may not explain a view. Without a row, an error has no value.
      return database.ask(what, pageOf(0), dataTimeout)
    })
  } catch (error) {
    if (!fitted.slower || !isTextError(error)) throw error
    await explain(database, asked, fitted.slower)
  }
}

/** Values of `where` that their column cannot hold, or that no record has: they reach nothing. */
async function wrongValues({ ask, dialect }: CheckedDatabase, fitted: Fitted): Promise<DatabaseFinding[]> {
  const { list, tables } = fitted
  const { table } = tables.of(list.name)
  const one = dialect.limit(sql.lit(1))
  const findings = new Map<string, DatabaseFinding>()
  const tell = (remedy: 'tables' | 'data', text: string) => findings.set(text, finding('warning', remedy, text))
  for (const [column, values] of reachesOf(list).flatMap((reach) => reach.flatMap(({ where = [] }) => where))) {
    for (const value of values.filter((value) => value !== null)) {
      const path = `${list.name}.${column}`
      const [isEqual] = whereConditions({ where: [[column, [value]]] }, fitted)
      const found = sql`select 1 from ${table} as r where ${isEqual} ${one}`
      // Null if no record has the value. A table without records gives no row.
      const query = sql`select (${found}) as found from ${table} as any_record ${one}`
      const rows = await ask(`whether a record has the values of ${path}`, query, dataTimeout).catch((error) => {
        if (!isTextError(error)) throw error
        return 'refused' as const
      })
      // MySQL and MariaDB compare any text with a number. PostgreSQL refuses it anew in each request.
      if (rows === 'refused' || (fitted.isNeverEmpty(`r.${column}`) && !/^(-?\d+|[\da-f-]{36})$/i.test(value))) {
        const slow = rows === 'refused' ? ', and each request takes longer' : ''
        const advice = 'correct the value, or map the column to texts.'
        tell('tables', `${path} cannot hold '${value}', a value of 'where', so no record has it${slow}: ${advice}`)
      } else if (rows?.[0]?.found === null && !list.columns[column]?.rules.closed)
        tell('data', `No record has the ${path} '${value}', a value of 'where': if the value is misspelt, correct it.`)
    }
  }
  return [...findings.values()]
}

/** Checks the lists' statements with `explain`. */
import { isTextError, isTypeConflict } from '../errors/driver-errors.js'
import { Failure } from '../errors/failure.js'
import type { List, ListColumn } from '../lists/list.js'
import { type Question, shapeOf, spanOf } from '../question/asked/question.js'
import type { Fitted } from '../question/fitted/fitted-sql.js'
import { pageSql } from '../question/sql/page.js'
import { everything, type Grants, idNamesOf, isEverything } from '../visibility/grants.js'
import { reachesOf } from '../visibility/reach.js'
import { driverSays } from './columns.js'
import { wrongConstants } from './constants.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

export async function checkStatements(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const list of database.lists) {
    const attempt = async <Result>(failing: string, reason: string, work: () => Promise<Result>) =>
      work().catch((error) => {
        findings.push(finding('error', 'tables', `${isTypeConflict(error) ? reason : failing}; ${driverSays(error)}`))
      })
    const known = await attempt(`The statements of the ${list.name} fail`, idsDiffer(list), async () => {
      const known = await database.known(list)
      if (!known) return undefined
      const term = list.parameters.search && { term: 'x' }
      for (const reach of explainedReaches(list)) await explain(database, list, { reach, ...term }, known)
      findings.push(...(await wrongConstants(database, list, known)))
      return known
    })
    if (!known) continue
    // For example, `json` columns of PostgreSQL have no operator `=`.
    for (const [name, { column }] of Object.entries(list.filters)) {
      const [what, example] = (list.columns[column] as ListColumn).rules.stored.comparedWith
      const reason = `${list.name}.${column} cannot be compared with ${what}, so the parameter ${name} fails: map it to a column of ${what}`
      await attempt(`The parameter ${name} of the ${list.name} fails`, reason, () =>
        explain(database, list, { reach: everything, filters: { [name]: [example] } }, known)
      )
    }
  }
  return findings
}

/** Each reach once. A list that has no parts, such as a price list, is explained as a whole. */
const explainedReaches = (list: List): Grants[] => {
  const reaches = reachesOf(list).filter((reach) => reach.length > 0 && !isEverything(reach))
  const once = [...new Map(reaches.map((reach) => [JSON.stringify(reach), reach])).values()]
  return once.length > 0 ? once : [everything]
}

export const idsDiffer = ({ name }: List): string =>
  `The tables of the ${name} do not fit together: ids that are compared need the same type and the same collation`

async function explain(
  database: CheckedDatabase,
  list: List,
  asked: Pick<Question, 'reach'> & Partial<Pick<Question, 'term' | 'filters'>>,
  fitted: Fitted
): Promise<void> {
  const what = `the statements of the ${list.name}`
  const ids = Object.fromEntries(idNamesOf(list, asked.reach).map((name) => [name, '0']))
  const question = { list, order: list.order, filters: {}, ...asked, caller: { userId: '0', ids } }
  const pageOf = (limit: number) => pageSql(shapeOf(question), fitted, { span: spanOf({ page: 1, limit }) })
  try {
    await database.ask(what, database.dialect.check.explain(pageOf(12))).catch((error) => {
      if (error instanceof Failure) throw error
      // Some accounts may not explain a view. Without a row, an error has no value.
      return database.ask(what, pageOf(0), dataTimeout)
    })
  } catch (error) {
    if (!fitted.slower || !isTextError(error)) throw error
    await explain(database, list, asked, fitted.slower)
  }
}

/** Checks the lists' statements with `explain`. */
import { sql } from 'kysely'
import { isTextError } from '../errors/driver-errors.js'
import { type List, tablesOf } from '../lists/list.js'
import { type Fitted, unfitted } from '../query/fitted.js'
import { type ListRequest, spanOf } from '../query/plan.js'
import { type PageOptions, queriesOf } from '../query/queries.js'
import { driverSays } from './columns.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

export const firstPage: PageOptions = { span: spanOf({ page: 1, limit: 12 }), plan: 'plain' }

export async function checkStatements(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const list of database.lists) {
    let problem = unfit(list)
    try {
      // `linked` uses every table of the list.
      const reach = tablesOf(list).l ? 'linked' : 'own'
      await explain(database, list, { reach, parameters: list.parameters.search ? { search: 'x' } : {} })
      // For example, `json` columns of PostgreSQL have no operator `=`.
      for (const [name, { column, operator }] of Object.entries(list.filters)) {
        const [what, example] = operator === '=' ? ['text', 'x'] : ['times', '2024-03-01 09:30:00.000']
        problem = `${list.name}.${column} cannot be compared with ${what}, so the parameter ${name} fails: map it to a column of ${what}`
        await explain(database, list, { reach: 'all', parameters: { [name]: example } })
      }
    } catch (error) {
      findings.push(finding('error', 'tables', `${problem}; ${driverSays(error)}`))
    }
  }
  return findings
}

export const unfit = ({ name }: List): string =>
  `The tables of the ${name} do not fit together: ids that are compared need the same type and the same collation`

async function explain(
  database: CheckedDatabase,
  list: List,
  request: Pick<ListRequest, 'reach' | 'parameters'>,
  fitted: Fitted = unfitted(database.dialect)
): Promise<void> {
  const { ask } = database
  const userRequest = { ...request, caller: { userId: '0', role: '' } }
  const page = queriesOf({ list, request: userRequest, fitted, session: database }).page(firstPage)
  try {
    await ask(sql`explain ${page}`)
  } catch (error) {
    // MySQL and MariaDB explain a view only for users with the right SHOW VIEW.
    if (Object(error).errno === 1345) await ask(page, dataTimeout)
    else if (fitted.slower && isTextError(error)) await explain(database, list, request, fitted.slower)
    else throw error
  }
}

/** Checks the lists' statements with `explain`. */
import { sql } from 'kysely'
import { type Row, textOf } from '../database/driver-samples.js'
import { fallbackFor } from '../database/fallback.js'
import { lists } from '../lists/index.js'
import { aliasesOf, type List } from '../lists/list.js'
import { spanOf } from '../query/plan.js'
import { type PageOptions, queriesOf } from '../query/queries.js'
import type { ListRequest } from '../query/request.js'
import { unknownTraits } from '../query/traits.js'
import { driverSays } from './columns.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import type { KnownColumn } from './known-columns.js'

export const firstPage: PageOptions = { span: spanOf({ page: 1, limit: 12 }), plan: 'plain' }

const largeTableRows = 10_000

export async function checkStatements(
  database: CheckedDatabase,
  known: readonly KnownColumn[]
): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const list of lists) {
    let problem = unfit(list)
    try {
      // `linked` uses every table of the list.
      const reach = Object.values(list.roles).includes('linked') ? 'linked' : 'own'
      await explain(database, list, { reach, parameters: { search: 'x' } })
      // For example, `json` columns of PostgreSQL have no operator `=`.
      for (const [name, column] of Object.entries(list.filters)) {
        problem = `${list.name}.${column} cannot be compared with text, so the parameter ${name} fails: map it to a text column`
        await explain(database, list, { reach: 'all', parameters: { [name]: 'x' } })
      }
      findings.push(...(await slowTables(database, list, known)))
    } catch (error) {
      findings.push(finding('error', 'tables', `${problem}; ${driverSays(error)}`))
    }
  }
  return findings
}

export const unfit = ({ name }: List): string =>
  `The tables of the ${name} do not fit together: ids that are compared need the same type and the same collation`

/** Large tables behind views and computed columns, which `checkIndexes` does not know. */
async function slowTables(
  database: CheckedDatabase,
  list: List,
  known: readonly KnownColumn[]
): Promise<DatabaseFinding[]> {
  const { name: records, id, owner, newest } = list
  // MySQL and MariaDB name a plain table by the alias of the statement.
  const aliases: Record<string, string> = { ...aliasesOf(list), o: records }
  const isKnown = (table: string) => {
    const columns = known.filter(
      ({ tableName, catalog }) => catalog.isTable && (aliases[table] === tableName || catalog.indexes.has(table))
    )
    const ofRecords = columns.filter(({ tableName }) => tableName === records).map(({ name }) => name)
    return (
      columns.length > 0 && (ofRecords.length === 0 || [id, owner, newest].every((name) => ofRecords.includes(name)))
    )
  }
  const plans = [
    ...(await explain(database, list, { reach: 'own', parameters: {} })),
    ...(await explain(database, list, { reach: 'all', parameters: {} }))
  ]
  const names = known.filter(({ tableName }) => tableName === records).map(({ name }) => name)
  // The columns behind a view are unknown.
  const isComputed = names.length > 0 && !names.includes(newest)
  const advice = isComputed
    ? `${records}.${newest} is computed, so no index serves it: make it a stored generated column, and select this column by its plain name.`
    : `create indexes on the columns behind its ids and ${newest}.`
  const tables = new Set(plans.flatMap(scannedTable).filter((table) => !isKnown(table)))
  return [...tables].map((table) =>
    finding('warning', 'indexes', `-- Pages of ${records} scan all of ${table}: ${advice}`)
  )
}

/** @returns the plan for a user without records */
async function explain(
  database: CheckedDatabase,
  list: List,
  request: Pick<ListRequest, 'reach' | 'parameters'>
): Promise<Row[]> {
  const { ask, dialect } = database
  const userRequest = { ...request, caller: { userId: '0', role: '' } }
  const page = queriesOf({ list, request: userRequest, traits: unknownTraits, session: database }).page(firstPage)
  // MySQL's explain_format can set another format.
  const format = dialect.name === 'mysql' ? sql`format=traditional` : sql``
  try {
    return (await ask(sql`explain ${format} ${page}`)) ?? []
  } catch (error) {
    // MySQL and MariaDB explain a view only for users with the right SHOW VIEW.
    const isHidden = Object(error).errno === 1345
    const fallback = fallbackFor(dialect, error)
    if (isHidden) await ask(page, dataTimeout)
    else if (fallback) await explain({ ...database, dialect: fallback }, list, request)
    else throw error
    // The slower statement uses no index, so its plan does not show missing indexes.
    return []
  }
}

function scannedTable({ table, type, rows, 'QUERY PLAN': line }: Row): string[] {
  const name = textOf(table) ?? ''
  // `<derived2>` is a derived table.
  if (textOf(type) === 'ALL' && Number(textOf(rows)) > largeTableRows && !name.startsWith('<')) return [name]
  // PostgreSQL's `rows` counts the result. The cost grows with the rows read.
  const [, scanned, cost] = /Seq Scan on (\S+) .*cost=[\d.]+\.\.([\d.]+)/.exec(textOf(line) ?? '') ?? []
  return scanned && Number(cost) > largeTableRows / 50 ? [scanned] : []
}

/** Checks the lists' statements with `explain`. */
import { sql, TableNode } from 'kysely'
import { type Row, textOf } from '../database/driver-samples.js'
import { fallbackFor } from '../database/fallback.js'
import type { TableName } from '../database/tables.js'
import { isTextError } from '../errors/driver-errors.js'
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
    try {
      // `linked` uses every table of the list.
      const reach = Object.values(list.roles).includes('linked') ? 'linked' : 'own'
      await explain(database, list, { reach, parameters: { search: 'x' } })
      findings.push(...(await wrongFilters(database, list)), ...(await slowTables(database, list, known)))
    } catch (error) {
      findings.push(misfit(list, error))
    }
  }
  return findings
}

/** For example, `json` columns of PostgreSQL have no operator `=`. */
async function wrongFilters(database: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const [name, column] of Object.entries(list.filters)) {
    try {
      await explain(database, list, { reach: 'all', parameters: { [name]: 'x' } })
    } catch (error) {
      const text = `${list.name}.${column} cannot be compared with text, so the parameter ${name} fails: map it to a text column; ${driverSays(error)}`
      findings.push(finding('error', 'tables', text))
    }
  }
  return findings
}

export function misfit({ name }: List, error: unknown): DatabaseFinding {
  const text = `The tables of the ${name} do not fit together: ids that are compared need the same type and the same collation; ${driverSays(error)}`
  return finding('error', 'tables', text)
}

/** Large tables behind views and computed columns, whose index columns are unknown. */
async function slowTables(
  database: CheckedDatabase,
  list: List,
  known: readonly KnownColumn[]
): Promise<DatabaseFinding[]> {
  const { name: records, id, owner, newest } = list
  const needed = [id, owner, newest]
  // MySQL and MariaDB name a plain table by the alias of the statement.
  const aliases: Record<string, TableName> = { ...aliasesOf(list), o: records }
  // checkIndexes has checked plain tables.
  const isPlain = (table: string) => {
    const tableName = aliases[table]
    if (tableName && TableNode.is(database.tables.of(tableName).toOperationNode())) return true
    const columns = known.filter(({ catalog }) => catalog.isTable && catalog.indexes.has(table))
    const ofRecords = columns.filter(({ tableName }) => tableName === records).map(({ name }) => name)
    return ofRecords.length > 0 ? needed.every((name) => ofRecords.includes(name)) : columns.length > 0
  }
  const plans = [
    await explain(database, list, { reach: 'own', parameters: {} }),
    await explain(database, list, { reach: 'all', parameters: {} })
  ]
  const names = known.filter(({ tableName }) => tableName === records).map(({ name }) => name)
  // The columns behind a view are unknown.
  const isComputed = names.length > 0 && !names.includes(newest)
  const tables = new Set(plans.flatMap((plan) => scannedTables(plan)))
  return [...tables]
    .filter((table) => !isPlain(table))
    .map((table) => {
      const text = `-- Pages of ${records} scan all of ${table}: ${isComputed ? `${records}.${newest} is computed, so no index serves it: make it a stored generated column, and select this column by its plain name.` : `create indexes on the columns behind its ids and ${newest}.`}`
      return finding('warning', 'indexes', text)
    })
}

/** PostgreSQL accepts only the second id for columns of the type uuid. */
const unusedIds = ['0', '00000000-0000-0000-0000-000000000000']

async function explain(
  database: CheckedDatabase,
  list: List,
  request: Pick<ListRequest, 'reach' | 'parameters'>,
  [userId = '', ...others] = unusedIds
): Promise<Row[] | undefined> {
  const { ask, dialect } = database
  const userRequest = { ...request, caller: { userId, role: '' } }
  const page = queriesOf({ list, request: userRequest, traits: unknownTraits, session: database }).page(firstPage)
  // MySQL's explain_format can set another format.
  const format = dialect.name === 'mysql' ? sql`format=traditional` : sql``
  try {
    return await ask(sql`explain ${format} ${page}`)
  } catch (error) {
    // MySQL and MariaDB explain a view only for users with the right SHOW VIEW.
    if (Object(error).errno === 1345) return ask(page, dataTimeout)
    if (isTextError(error) && others.length > 0) return explain(database, list, request, others)
    const fallback = fallbackFor(dialect, error)
    if (!fallback) throw error
    // The slower statement uses no index. Its plan does not show missing indexes.
    await explain({ ...database, dialect: fallback }, list, request)
    return []
  }
}

const scannedTables = (plan: readonly Row[] = []): string[] =>
  plan.flatMap(({ table, type, rows, 'QUERY PLAN': line }) => {
    // `<derived2>` is a derived table.
    if (textOf(type) === 'ALL' && Number(textOf(rows)) > largeTableRows && !textOf(table)?.startsWith('<')) {
      return [String(textOf(table))]
    }
    // PostgreSQL's `rows` counts the result. The cost grows with the rows read.
    const [, scanned, cost] = /Seq Scan on (\S+) .*cost=[\d.]+\.\.([\d.]+)/.exec(textOf(line) ?? '') ?? []
    return scanned && Number(cost) > largeTableRows / 50 ? [scanned] : []
  })

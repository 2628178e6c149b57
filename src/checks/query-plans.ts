/** Checks that the tables fit together: the database explains the real statements, and runs none of them. */
import { sql, TableNode } from 'kysely'
import { type Row, textOf } from '../database/cells.js'
import { columnsOf, type TableName } from '../database/tables.js'
import { isTextError } from '../errors/driver-errors.js'
import { lists } from '../lists/index.js'
import type { List } from '../lists/list.js'
import { aliasesOf } from '../lists/list.js'
import { unknownTraits } from '../query/column-traits.js'
import { slowerSource } from '../query/find.js'
import { queriesOf } from '../query/page-query.js'
import type { ListRequest } from '../query/request.js'
import { driverSays } from './columns.js'
import type { Finding } from './finding.js'
import { firstPage, glance, type KnownColumn, type Subject } from './subject.js'

/** The number of rows from which a full scan for a few records is reported. */
const many = 10_000

export async function checkStatements(subject: Subject, known: readonly KnownColumn[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const list of lists) {
    try {
      // With this reach every table of the list takes part.
      const reach = Object.values(list.roles).includes('linked') ? 'linked' : 'own'
      await explain(subject, list, { reach, parameters: { search: 'x' } })
      findings.push(...(await wrongFilters(subject, list)), ...(await slowTables(subject, list, known)))
    } catch (error) {
      findings.push(misfit(list, error))
    }
  }
  return findings
}

/** Filters that the database refuses, such as one on a `json` column of PostgreSQL, which has no `=`. */
async function wrongFilters(subject: Subject, list: List): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, column] of Object.entries(list.filters)) {
    try {
      await explain(subject, list, { reach: 'all', parameters: { [name]: 'x' } })
    } catch (error) {
      const text = `${list.records}.${column} cannot be compared with a text, so the parameter ${name} fails: map it to a column of text; ${driverSays(error)}`
      findings.push({ level: 'error', remedy: 'tables', text })
    }
  }
  return findings
}

export function misfit({ records }: List, error: unknown): Finding {
  const text = `The tables of the ${records} do not fit together: ids that are compared need one type and one collation; ${driverSays(error)}`
  return { level: 'error', remedy: 'tables', text }
}

/** Large tables behind views and computed columns, whose missing index has no name here. */
async function slowTables(subject: Subject, list: List, known: readonly KnownColumn[]): Promise<Finding[]> {
  const { records } = list
  const needed: string[] = [columnsOf[records][0], 'user_id', 'created_at']
  // MySQL and MariaDB call a table that stands for itself by our alias
  const aliases: Record<string, TableName> = { ...aliasesOf(list), o: records }
  // the indexes of plain tables have been looked at
  const isPlain = (table: string) => {
    const tableName = aliases[table]
    if (tableName && TableNode.is(subject.source.table(tableName).toOperationNode())) return true
    const columns = known.filter((column) => column.table === table && column.facts.isTable)
    const ofRecords = columns.filter(({ tableName }) => tableName === records).map(({ name }) => name)
    return ofRecords.length > 0 ? needed.every((name) => ofRecords.includes(name)) : columns.length > 0
  }
  const plans = [
    await explain(subject, list, { reach: 'own', parameters: {} }),
    await explain(subject, list, { reach: 'all', parameters: {} })
  ]
  const tables = new Set(plans.flatMap((plan) => scannedTables(plan)))
  return [...tables]
    .filter((table) => !isPlain(table))
    .map((table) => {
      const text = `-- Pages of ${records} read all of ${table}: it needs indexes on what its ids and created_at come from.`
      return { level: 'warning', remedy: 'indexes', text }
    })
}

/** Ids of nobody: for columns of numbers and texts, and for columns of UUIDs, which accept nothing else. */
const nobodies = ['0', '00000000-0000-0000-0000-000000000000']

/** The database's plan for a page, in rows of its own. */
async function explain(
  subject: Subject,
  list: List,
  asked: Pick<ListRequest, 'reach' | 'parameters'>,
  [userId = '', ...others] = nobodies,
  source = subject.source
): Promise<Row[] | undefined> {
  const { ask } = subject
  const request = { ...asked, caller: { userId, role: '' } }
  const page = queriesOf({ list, request, traits: unknownTraits, source }).page(firstPage)
  // Rows with a column for each fact, whatever MySQL's explain_format is.
  const format = source.dialect.name === 'mysql' ? sql`format=traditional` : sql``
  try {
    return await ask(sql`explain ${format} ${page}`)
  } catch (error) {
    // MySQL and MariaDB tell the plan of a view only to those who may see how it is made
    if (Object(error).errno === 1345) return ask(page, glance)
    if (isTextError(error) && others.length > 0) return explain(subject, list, asked, others, source)
    const slower = slowerSource(source, error)
    if (!slower) throw error
    // a request would run the slower statement, whose plan says nothing of the indexes
    await explain(subject, list, asked, nobodies, slower)
    return []
  }
}

/** Large tables that the plan scans. */
const scannedTables = (plan: readonly Row[] = []): string[] =>
  plan.flatMap(({ table, type, rows, 'QUERY PLAN': line }) => {
    // a derived table, `<derived2>`, is made of others
    if (textOf(type) === 'ALL' && Number(textOf(rows)) > many && !textOf(table)?.startsWith('<')) {
      return [String(textOf(table))]
    }
    // PostgreSQL's cost grows with the rows that are read, not with those that are found
    const [, scanned, cost] = /Seq Scan on (\S+) .*cost=[\d.]+\.\.([\d.]+)/.exec(textOf(line) ?? '') ?? []
    return scanned && Number(cost) > many / 50 ? [scanned] : []
  })

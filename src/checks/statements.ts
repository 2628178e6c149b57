/** Do the relations fit together? Lets the database plan the real statements, which runs none of them. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialect.js'
import { slowerDialect } from '../find.js'
import type { List } from '../list.js'
import { lists } from '../lists.js'
import { planOf, type Row } from '../plan.js'
import { textOf } from '../send.js'
import { unknownTraits } from '../traits.js'
import type { Reach } from '../visibility.js'
import { driverSays } from './columns.js'
import type { Finding } from './finding.js'
import type { Subject } from './subject.js'

/** Rows from which on a whole table read for a few records is worth a word. */
const many = 10_000

export async function checkStatements(subject: Subject): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const list of lists) {
    try {
      await explain(subject, (dialect) => planFor(subject, list, 'linked', { search: 'x' }, dialect).page)
      await explain(subject, (dialect) => planFor(subject, list, 'linked', { search: 'x' }, dialect).total)
      const own = await explain(subject, (dialect) => planFor(subject, list, 'own', {}, dialect).total)
      for (const table of new Set(scannedTables(own))) {
        const text = `To find a user's ${list.records} the database reads the whole of ${table}: an index has to begin with the column behind ${list.records}.user_id, then created_at.`
        findings.push({ level: 'warning', remedy: 'indexes', text })
      }
    } catch (error) {
      const text = `The relations of the ${list.records} do not fit together: ids of users and practitioners need one type and one collation. ${driverSays(error)}`
      findings.push({ level: 'error', remedy: 'relations', text })
    }
  }
  return findings
}

const planFor = ({ source }: Subject, list: List, reach: Reach, parameters: Record<string, string>, dialect: Dialect) =>
  planOf(
    list,
    { reach, caller: { userId: '0', role: '' }, parameters, page: { page: 1, limit: 12 }, traits: unknownTraits },
    source,
    dialect
  )

/** The database's plan, in rows of its own; of the slower statement where a request would need that one. */
async function explain(
  subject: Subject,
  query: (dialect: Dialect) => RawBuilder<Row>,
  dialect = subject.source.dialect
): Promise<Row[]> {
  const word = dialect.name === 'sqlite' ? sql`explain query plan` : sql`explain`
  try {
    return await subject.ask(sql`${word} ${query(dialect)}`)
  } catch (error) {
    const slower = slowerDialect(dialect, error)
    if (slower) return explain(subject, query, slower)
    // MySQL and MariaDB tell the plan of a view only to those who may see its text, which nobody must
    if (Object(error).errno === 1345) return []
    throw error
  }
}

/** Tables that are read as a whole although they are large, where the plan tells. */
const scannedTables = (plan: readonly Row[]): string[] =>
  plan.flatMap((row) => {
    const { table, type, rows } = row
    // `index` is the whole of an index
    if (['ALL', 'index'].includes(String(textOf(type))) && Number(textOf(rows)) > many) return [String(textOf(table))]
    // PostgreSQL's cost grows with the rows that are read, not with those that are found
    const [, scanned, cost] = /Seq Scan on (\S+) .*cost=[\d.]+\.\.([\d.]+)/.exec(textOf(row['QUERY PLAN']) ?? '') ?? []
    return scanned && Number(cost) > many / 50 ? [scanned] : []
  })

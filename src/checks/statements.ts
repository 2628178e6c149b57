/** Do the relations fit together? Lets the database plan the real statements, which runs none of them. */
import { type RawBuilder, sql } from 'kysely'
import { isTextError } from '../errors.js'
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
    const own = planFor(subject, list, 'own', {})
    const linked = planFor(subject, list, 'linked', { search: 'x' })
    try {
      await explain(subject, linked.page)
      await explain(subject, linked.total)
      for (const table of new Set(scannedTables(await explain(subject, own.page)))) {
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

const planFor = ({ source }: Subject, list: List, reach: Reach, parameters: Record<string, string>) =>
  planOf(
    list,
    { reach, caller: { userId: '0', role: '' }, parameters, page: { page: 1, limit: 12 }, traits: unknownTraits },
    source,
    source.dialect
  )

/** The database's plan, in rows of its own. */
async function explain({ source, ask }: Subject, query: RawBuilder<Row>): Promise<Row[]> {
  try {
    return await ask(source.dialect.name === 'sqlite' ? sql`explain query plan ${query}` : sql`explain ${query}`)
  } catch (error) {
    const { errno, code } = Object(error)
    // the plan of a view needs a right that nobody must have; `0` is no id of every type
    const isOurs = errno === 1345 || (isTextError(error) && typeof code === 'string' && code.startsWith('22'))
    if (isOurs) return []
    throw error
  }
}

/** Tables that are read as a whole although they are large, where the plan tells. */
const scannedTables = (plan: readonly Row[]): string[] =>
  plan.flatMap((row) => {
    const { table, type, rows } = row
    if (textOf(type) === 'ALL' && Number(textOf(rows)) > many) return [String(textOf(table))]
    // PostgreSQL's cost grows with the rows that are read, not with those that are found
    const [, scanned, cost] = /Seq Scan on (\S+) .*cost=[\d.]+\.\.([\d.]+)/.exec(textOf(row['QUERY PLAN']) ?? '') ?? []
    return scanned && Number(cost) > many / 50 ? [scanned] : []
  })

/** The query plan of a statement: the tables that it reads, and how it reads them. */
import { CompiledQuery } from 'kysely'
import type { DatabaseName, Db } from '../servers/databases.js'

export interface Read {
  table: string
  /** A scan of the table, a scan of an index in its order, or a lookup by an index. */
  access: 'table' | 'index' | 'lookup'
  /** Whether the plan sorts the rows after reading them. */
  sorted: boolean
  /** What it is for in a statement of PostgreSQL that reads a page and its total. */
  part?: Part | undefined
}

type Part = 'ids' | 'total' | 'columns'

type Row = Record<string, unknown>
/** A statement as Kysely logs it. */
type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** The reads of a statement in the order of the plan. A table has its own name, a subquery has its alias. */
export async function readsOf(db: Db, name: DatabaseName, { sql, parameters }: Statement): Promise<Read[]> {
  const { before, command, read } = explainers[name]
  const statement = sql.replace(/^\/\*M!.*?\*\//, '').trim()
  // The setting ends with the transaction, because the session also answers requests.
  return db.transaction().execute(async (connection) => {
    if (before) await connection.executeQuery(CompiledQuery.raw(before))
    const { rows } = await connection.executeQuery<Row>(CompiledQuery.raw(`${command} ${statement}`, [...parameters]))
    return read(rows)
  })
}

const explainers: Record<DatabaseName, { before?: string; command: string; read(rows: Row[]): Read[] }> = {
  mysql: {
    // MySQL has other formats, and its default may be one of them.
    command: 'explain /*!80000 format=traditional */',
    read: (rows) =>
      rows.map(({ table, type, Extra }) => ({
        table: String(table),
        access: type === 'ALL' ? 'table' : type === 'index' ? 'index' : 'lookup',
        sorted: String(Extra).includes('Using filesort')
      }))
  },
  postgres: {
    // PostgreSQL always scans small tables. With these settings, it scans a table only if no index can be used. The cost
    // is for the choice between two subqueries, which the other setting does not change from PostgreSQL 18 on.
    before: 'set local enable_seqscan = off; set local seq_page_cost = 1000',
    command: 'explain (format json)',
    read: (rows) =>
      rows.flatMap((row) => (row['QUERY PLAN'] as { Plan: Node }[]).flatMap(({ Plan }) => nodesOf(Plan, false)))
  },
  sqlite: {
    command: 'explain query plan',
    read: (rows) => {
      const lines = rows.map(({ detail }) => String(detail))
      // The line about the sort of a subquery follows the lines of its tables.
      return lines.flatMap((line, index) => {
        const [, verb, table = '', rest] = /^(SCAN|SEARCH) (\w+)(.*)$/.exec(line) ?? []
        if (!verb) return []
        const access = verb === 'SEARCH' ? 'lookup' : /INDEX|PRIMARY KEY/.test(String(rest)) ? 'index' : 'table'
        return [{ table, access, sorted: lines[index + 1] === 'USE TEMP B-TREE FOR ORDER BY' }]
      })
    }
  }
}

/** A node of PostgreSQL's plan. */
interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Subplan Name'?: string
  Plans?: Node[]
}

function nodesOf(node: Node, sorted: boolean, part?: Part): Read[] {
  const type = node['Node Type']
  const table = node['Relation Name']
  const access = type === 'Seq Scan' ? 'table' : /^Index/.test(type) && !node['Index Cond'] ? 'index' : 'lookup'
  const plans = node.Plans ?? []
  const isWhole = plans.some((child) => child['Subplan Name'] === 'CTE page ids')
  const partOf = ({ 'Subplan Name': name = '' }: Node): Part =>
    name.startsWith('CTE') ? 'ids' : name.startsWith('InitPlan') ? 'total' : 'columns'
  const below = plans.flatMap((child) => {
    const partOfChild = isWhole ? partOf(child) : part
    // The rows of one page are sorted again, once they have their columns.
    return nodesOf(child, partOfChild !== 'columns' && (sorted || /Sort/.test(type)), partOfChild)
  })
  return table === undefined ? below : [{ table, access, sorted, ...(part && { part }) }, ...below]
}

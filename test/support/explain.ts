/** How a database means to run a statement: which tables it reads, and how. */
import { CompiledQuery } from 'kysely'
import type { DatabaseName, Db } from './databases.js'

export interface Read {
  table: string
  /** Every row of the table, every row of an index in its order (as far as needed), or some rows by an index. */
  access: 'table' | 'index' | 'lookup'
  /** The rows are sorted after they have been read. */
  sorted: boolean
}

type Row = Record<string, unknown>
/** A statement as Kysely logs it. */
type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** What a statement reads, tables by their own names and subqueries by others, in the order of the plan. */
export async function readsOf(db: Db, name: DatabaseName, { sql, parameters }: Statement): Promise<Read[]> {
  const { before, command, read } = explainers[name]
  const statement = sql.replace(/^\/\*M!.*?\*\//, '').trim()
  // for this transaction only: the session goes on to answer requests
  return db.transaction().execute(async (connection) => {
    if (before) await connection.executeQuery(CompiledQuery.raw(before))
    const { rows } = await connection.executeQuery<Row>(CompiledQuery.raw(`${command} ${statement}`, [...parameters]))
    return read(rows)
  })
}

const explainers: Record<DatabaseName, { before?: string; command: string; read(rows: Row[]): Read[] }> = {
  mysql: {
    // MySQL has other forms, of which one may be its default
    command: 'explain /*!80000 format=traditional */',
    read: (rows) =>
      rows.map(({ table, type, Extra }) => ({
        table: String(table),
        access: type === 'ALL' ? 'table' : type === 'index' ? 'index' : 'lookup',
        sorted: String(Extra).includes('Using filesort')
      }))
  },
  postgres: {
    // so small a table is read whole, whatever its indexes are; without that way, only if no index can be used
    before: 'set local enable_seqscan = off',
    command: 'explain (format json)',
    read: (rows) =>
      rows.flatMap((row) => (row['QUERY PLAN'] as { Plan: Node }[]).flatMap(({ Plan }) => nodesOf(Plan, false)))
  },
  sqlite: {
    command: 'explain query plan',
    read: (rows) => {
      const lines = rows.map(({ detail }) => String(detail))
      // one line for the whole of a subquery, after its tables
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
  Plans?: Node[]
}

function nodesOf(node: Node, sorted: boolean): Read[] {
  const type = node['Node Type']
  const table = node['Relation Name']
  const access = type === 'Seq Scan' ? 'table' : /^Index/.test(type) && !node['Index Cond'] ? 'index' : 'lookup'
  const below = (node.Plans ?? []).flatMap((child) => nodesOf(child, sorted || /Sort/.test(type)))
  return table === undefined ? below : [{ table, access, sorted }, ...below]
}

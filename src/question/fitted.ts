/** The SQL of a database, fitted to the tables of a list: the columns are known, and nothing asks for them again. */
import { type Expression, sql } from 'kysely'
import { type CellReader, textOf } from '../database/cells.js'
import type { Condition, Dialect } from '../database/dialect.js'
import type { Parameter } from '../database/parameter.js'
import type { RequestTables } from '../database/source.js'
import type { Columns } from '../lists/columns.js'
import { type List, tablesOf } from '../lists/list.js'
import { type ForeignTables, foreignTablesOf } from './foreign-tables.js'

/** The SQL of a database for the tables of a list. */
export interface Fitted
  extends Pick<
    Dialect,
    | 'text'
    | 'bytes'
    | 'same'
    | 'sameIds'
    | 'compareTime'
    | 'compareNumber'
    | 'boolean'
    | 'fromKey'
    | 'unreachable'
    | 'hints'
    | 'fewUsers'
  > {
  /** The column of a path such as `u.email`, under the name that it has in the table. */
  column(path: string): Expression<unknown>
  /** As `same`, for the id of the caller. */
  readonly sameCaller: Dialect['same']
  /** A searched column is like a pattern (contract 73 and 74). */
  contains(path: string, pattern: Parameter): Condition
  /** What tells one user id from every other: the column, and its bytes where `=` alone is not exact. */
  identity(id: Expression<unknown>): Expression<unknown>[]
  /** The column and its bytes, whatever type the column has at this moment. */
  exactIdentity(id: Expression<unknown>): Expression<unknown>[]
  /** Reads the cells of `text`. */
  readonly textOf: CellReader
  /** Undefined for a database without foreign tables, which need statements of their own. */
  readonly foreign: ForeignTables | undefined
  /** The milliseconds that the session allows a statement. */
  readonly maxMilliseconds: number
  /** Identifies the SQL in cache keys. */
  readonly key: string
  /** Slower SQL, for a text that the database refuses to compare with a column. */
  readonly slower: Fitted | undefined
}

type Contains = Dialect['contains']

/** How a column contains a term, usually and after a text error. */
export type Ways = readonly [usual: Contains, slower: Contains]

/** What the look at the columns says. */
export type Look = Pick<Fitted, 'textOf' | 'maxMilliseconds' | 'key'> & {
  dialect: Dialect
  /** By path. */
  ways: ReadonlyMap<string, Ways>
  /** Whether `=` is exact for the ids of the users and the owners. */
  hasPlainIds: boolean
  hasForeignTables: boolean
  /** Only the slower SQL has it. */
  sameCaller?: Dialect['same']
}

export function fittedOf(list: List, tables: RequestTables, look: Look): Fitted {
  const { dialect, ways, hasPlainIds, hasForeignTables, sameCaller, ...others } = look
  const { fallback, ...usual } = dialect
  // The caller's id keeps its index while only a text of the query is refused. If that fails too, the id is the reason.
  const slower = fallback && {
    dialect: { ...usual, ...fallback, ...(!sameCaller && { fallback }) },
    sameCaller: (sameCaller ? { ...usual, ...fallback } : usual).same
  }
  const slowerWays = new Map(Array.from(ways, ([path, [, slower]]) => [path, [slower, slower] as const]))
  const key = `${look.key} slower`
  const column = columnsOf(list, tables)
  return {
    ...usual,
    ...others,
    column,
    sameCaller: sameCaller ?? dialect.same,
    contains: (path, pattern) => (ways.get(path)?.[0] ?? dialect.contains)(column(path), pattern),
    identity: (id) => (hasPlainIds ? [id] : [id, dialect.bytes(id)]),
    exactIdentity: (id) => [id, dialect.bytes(id)],
    foreign: hasForeignTables ? foreignTablesOf(dialect) : undefined,
    slower: slower && fittedOf(list, tables, { ...look, ...slower, ways: slowerWays, key })
  }
}

/** For statements that run before a look at the columns. */
export const unfitted = (list: List, tables: RequestTables, dialect: Dialect): Fitted =>
  fittedOf(list, tables, {
    dialect,
    ways: new Map(),
    textOf,
    hasPlainIds: false,
    hasForeignTables: false,
    maxMilliseconds: Number.POSITIVE_INFINITY,
    key: ''
  })

/** By path, such as `u.email`. A function with the tables would keep the host's instance in the cache. */
function namesOf(list: List, tables: RequestTables): ReadonlyMap<string, string> {
  const aliases = Object.entries({ ...tablesOf(list), o: list.name })
  return new Map(
    aliases.flatMap(([alias, name]) => {
      const columns = (name === list.name ? list.columns : list.people[name]) as Columns
      return Object.keys(columns).map((column) => [`${alias}.${column}`, tables.column(name, column)] as const)
    })
  )
}

const columnIn =
  (names: ReadonlyMap<string, string>): Fitted['column'] =>
  (path) => {
    const [alias = '', column = ''] = path.split('.')
    return sql.id(alias, names.get(path) ?? column)
  }

export const columnsOf = (list: List, tables: RequestTables) => columnIn(namesOf(list, tables))

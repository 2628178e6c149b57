/**
 * Fits the SQL of a dialect to the tables of a list, after a look at the columns and at the driver. A case-sensitive or
 * Turkish collation needs more SQL to find `jane` in `JANE` (contract 74).
 */
import { type Expression, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Condition, type Dialect, sampleCells } from '../database/dialect.js'
import {
  type CellReader,
  GarbledRows,
  type Row,
  readerOf,
  samples,
  type Text,
  textOf
} from '../database/driver-samples.js'
import { type Parameter, parameterOf } from '../database/parameter.js'
import type { Session } from '../database/session.js'
import { failureOf } from '../errors/classify.js'
import { isTextError } from '../errors/driver-errors.js'
import { type List, tablesOf } from '../lists/list.js'
import { type ForeignTables, foreignTablesOf } from './foreign-tables.js'

/** The SQL of a database for the columns of a list. */
export interface Fitted {
  /** Its `text` reads bytes where the connection changes text. */
  readonly dialect: Dialect
  /** Reads the cells of `dialect.text`. */
  readonly textOf: CellReader
  /** How each searched column, such as `u.email`, contains a term. */
  contains(column: string, term: Parameter): Condition
  /** Whether `=` is exact for the ids of the users and the owners. */
  readonly plainIds: boolean
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
type Ways = readonly [usual: Contains, slower: Contains]

function fittedOf(
  dialect: Dialect,
  ways: ReadonlyMap<string, Ways>,
  others: Pick<Fitted, 'textOf' | 'plainIds' | 'foreign' | 'maxMilliseconds' | 'key'>
): Fitted {
  const contains: Fitted['contains'] = (column, term) =>
    (ways.get(column)?.[0] ?? dialect.contains)(sql.ref(column), term)
  const { fallback, ...usual } = dialect
  const slowerWays = new Map(Array.from(ways, ([column, [, slower]]) => [column, [slower, slower] as const]))
  const key = `${others.key} slower`
  const slower = fallback && fittedOf({ ...usual, ...fallback }, slowerWays, { ...others, key })
  return { dialect, contains, ...others, slower }
}

/** For statements that run before a look at the columns. */
export const unfitted = (dialect: Dialect): Fitted =>
  fittedOf(dialect, new Map(), {
    textOf,
    plainIds: false,
    foreign: undefined,
    maxMilliseconds: Number.POSITIVE_INFINITY,
    key: ''
  })

export type Fit = (session: Session) => Promise<Fitted>

/**
 * Looks at the columns of the current tables, at most once a minute.
 *
 * @param ttl milliseconds. The look expires, because tables can change while the server runs
 */
export function cachedFit(list: List, ttl = 60_000, max = 500): Fit {
  // Any other resolution makes lru-cache start a timer.
  const cache = new LRUCache<string, Fitted>({ ttl, max, ttlResolution: 0 })
  const { search, owner } = list
  const searched = [...search.records, ...search.users]
  const joined = Object.entries(tablesOf(list))

  // Requests do not share a running query, because the query ends at the deadline of the request that started it.
  return async (session) => {
    const { shape } = session.tables
    const found = cache.get(shape)
    if (found) return found
    const fitted = await session.timed('columns', () => fit(session))
    cache.set(shape, fitted)
    return fitted
  }

  async function fit(session: Session): Promise<Fitted> {
    const { letterCase, containsConverted, foreignTables, timeLimit = sql`0` } = session.dialect
    const refusing = containsConverted ? await refusingColumns(session) : new Set()
    const comparable = searched.filter((column) => !refusing.has(column))
    const { dialect, textOf, row } = await readCells(session, [
      ...comparable.map((column) => [column, letterCase.isSensitive(sql.ref(column))] as const),
      ['time limit', timeLimit],
      ...(foreignTables ? [['foreign tables', foreignTables.exist] as const] : [])
    ])
    const ways = new Map<string, Ways>()
    for (const column of searched) {
      // An unknown answer counts as case-sensitive, because that SQL finds at least as much.
      const own = isFalse(textOf(row[column])) ? dialect.contains : letterCase.contains
      // A latin1 column keeps its collation for the terms that it can hold.
      const isWide = !containsConverted || (!refusing.has(column) && (await takes(session, column, '漢🙂')))
      ways.set(column, [
        refusing.has(column) && containsConverted ? containsConverted : own,
        isWide ? own : containsConverted
      ])
    }
    const plainIds = await hasPlainIds(session)
    const known = [dialect.contains, letterCase.contains]
    const hasForeignTables = textOf(row['foreign tables']) === 'true'
    return fittedOf(dialect, ways, {
      textOf,
      plainIds,
      foreign: hasForeignTables ? foreignTablesOf(dialect) : undefined,
      maxMilliseconds: Number(textOf(row['time limit'])) || Number.POSITIVE_INFINITY,
      key: [
        ...Array.from(ways.values(), (each) => each.map((way) => known.indexOf(way)).join('')),
        dialect.text === dialect.bytes,
        plainIds,
        hasForeignTables
      ].join()
    })
  }

  /** Reads cells as text, or as bytes where the connection changes text, such as one with the character set latin1. */
  async function readCells(session: Session, cells: readonly (readonly [name: string, value: Expression<unknown>])[]) {
    const { bytes, sample } = session.dialect
    for (const text of [session.dialect.text, bytes]) {
      const named = cells.map(([name, value]) => sql`${text(sql`(${value})`)} as ${sql.id(name)}`)
      const selected = sql.join([...named, ...sampleCells({ text, sample }, samples)])
      const [row = {}] = await session.run(session.compile(sql<Row>`select ${selected} ${from(session)}`))
      const textOf = readerOf(row)
      if (textOf) return { dialect: { ...session.dialect, text }, textOf, row }
    }
    throw new GarbledRows()
  }

  /**
   * `from (select 1 as one) as one left join (select x.user_id, … from users as x limit 0) as u on 1 = 1 …`
   *
   * The join reads no row. With `on 1 = 0`, MariaDB scans every table. The account may lack the right to read `x.*`.
   */
  function from({ tables, columns }: Session) {
    const joins = joined.map(([alias, name]) => {
      const cells = sql.join(Object.keys(columns(name)).map((column) => sql.ref(`x.${column}`)))
      return sql`left join (select ${cells} from ${tables.of(name)} as x limit 0) as ${sql.id(alias)} on 1 = 1`
    })
    return sql`from (select 1 as one) as one ${sql.join(joins, sql` `)}`
  }

  /** The searched columns that cannot be compared with any term, such as MySQL's `concat('pi_', id)`. */
  async function refusingColumns(session: Session): Promise<ReadonlySet<string>> {
    const refusing = new Set<string>()
    for (const column of searched) if (!(await takes(session, column, 'a'))) refusing.add(column)
    return refusing
  }

  async function hasPlainIds(session: Session): Promise<boolean> {
    const { isPlainId } = session.dialect
    if (!isPlainId || search.users.length === 0) return false
    try {
      const ids = ['u.user_id', `r.${owner}`].map((id) => [id, isPlainId(sql.ref(id))] as const)
      const { textOf, row } = await readCells(session, ids)
      return ids.every(([id]) => isTrue(textOf(row[id])))
    } catch (error) {
      // MariaDB cannot compute with some types, such as UUID.
      if (failureOf(error).kind === 'internal') return false
      throw error
    }
  }

  /** Whether the database can compare the column with the term. Reads no row. */
  async function takes(session: Session, column: string, term: string): Promise<boolean> {
    const [alias = ''] = column.split('.')
    const table = session.tables.of(String(Object.fromEntries(joined)[alias]))
    const contains = session.dialect.contains(sql.ref(column), parameterOf(term))
    try {
      await session.run(
        session.compile(sql`select 1 as one from ${table} as ${sql.id(alias)} where ${contains} limit 0`)
      )
      return true
    } catch (error) {
      if (isTextError(error)) return false
      throw error
    }
  }
}

const isFalse = (text: Text): boolean => text === '0' || text === 'false'
const isTrue = (text: Text): boolean => text === '1' || text === 'true'

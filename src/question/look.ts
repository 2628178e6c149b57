/**
 * Looks at the columns of the tables and at the driver, and fits the SQL to them. A case-sensitive or Turkish collation needs
 * more SQL to find `jane` in `JANE` (contract 74).
 */
import { type Expression, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { GarbledRows, type Row, readerOf, samples, type Text } from '../database/cells.js'
import { sampleCells } from '../database/dialect.js'
import { parameterOf } from '../database/parameter.js'
import type { Session } from '../database/session.js'
import { failureOf } from '../errors/classify.js'
import { isTextError } from '../errors/driver-errors.js'
import { type List, tablesOf } from '../lists/list.js'
import { columnsOf, type Fitted, fittedOf, type Ways } from './fitted.js'
import { looks } from './measured.js'

export type Fit = (list: List, session: Session) => Promise<Fitted>

/** Looks at the columns of the current tables, at most once a minute. */
export function cachedFit(ttl = looks.ttl, max = looks.max): Fit {
  // Any other resolution makes lru-cache start a timer.
  const cache = new LRUCache<string, Fitted>({ ttl, max, ttlResolution: 0 })

  // Requests do not share a running query, because the query ends at the deadline of the request that started it.
  return async (list, session) => {
    const key = `${list.name} ${session.tables.shape}`
    const found = cache.get(key)
    if (found) return found
    const fitted = await session.timed('columns', () => fit(list, session))
    cache.set(key, fitted)
    return fitted
  }
}

async function fit(list: List, session: Session): Promise<Fitted> {
  const { letterCase, containsConverted, foreignTables, timeLimit = sql`0` } = session.dialect
  const searched = [...list.search.records, ...list.search.users]
  const column = columnsOf(list, session.tables)
  const [refusing, narrow] = containsConverted ? await limitedColumns(list, session) : [new Set(), new Set()]
  const { dialect, textOf, row } = await readCells(list, session, [
    ...searched
      .filter((path) => !refusing.has(path))
      .map((path) => [path, letterCase.isSensitive(column(path))] as const),
    ['time limit', timeLimit],
    ...(foreignTables ? [['foreign tables', foreignTables.exist] as const] : [])
  ])
  const ways = new Map<string, Ways>()
  for (const path of searched) {
    // An unknown answer counts as case-sensitive, because that SQL finds at least as much.
    const own = isFalse(textOf(row[path])) ? dialect.contains : letterCase.contains
    // A latin1 column keeps its collation for the terms that it can hold.
    const after = narrow.has(path) && containsConverted ? containsConverted : own
    ways.set(path, [refusing.has(path) ? after : own, after])
  }
  const hasPlainIds = await usersHavePlainIds(list, session)
  const hasForeignTables = isTrue(textOf(row['foreign tables']))
  const known = [dialect.contains, letterCase.contains]
  return fittedOf(list, session.tables, {
    dialect,
    ways,
    textOf,
    hasPlainIds,
    hasForeignTables,
    maxMilliseconds: Number(textOf(row['time limit'])) || Number.POSITIVE_INFINITY,
    key: [
      ...Array.from(ways.values(), (each) => each.map((way) => known.indexOf(way)).join('')),
      dialect.text === dialect.bytes,
      hasPlainIds,
      hasForeignTables
    ].join()
  })
}

/** Reads cells as text, or as bytes where the connection changes text, such as one with the character set latin1. */
async function readCells(
  list: List,
  session: Session,
  cells: readonly (readonly [name: string, value: Expression<unknown>])[]
) {
  const { bytes, sample } = session.dialect
  for (const text of [session.dialect.text, bytes]) {
    const named = cells.map(([name, value]) => sql`${text(sql`(${value})`)} as ${sql.id(name)}`)
    const selected = sql.join([...named, ...sampleCells({ text, sample }, samples)])
    const [row = {}] = await session.run(session.compile(sql<Row>`select ${selected} ${fromAll(list, session)}`))
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
function fromAll(list: List, { tables }: Session) {
  const joins = Object.entries(tablesOf(list)).map(([alias, name]) => {
    const cells = sql.join(tables.columns(name).map((column) => sql.id('x', column)))
    return sql`left join (select ${cells} from ${tables.of(name)} as x limit 0) as ${sql.id(alias)} on 1 = 1`
  })
  return sql`from (select 1 as one) as one ${sql.join(joins, sql` `)}`
}

async function usersHavePlainIds(list: List, session: Session): Promise<boolean> {
  const { isPlainId } = session.dialect
  if (!isPlainId || list.search.users.length === 0) return false
  const column = columnsOf(list, session.tables)
  try {
    const ids = ['u.user_id', `r.${list.owner}`].map((path) => [path, isPlainId(column(path))] as const)
    const { textOf, row } = await readCells(list, session, ids)
    return ids.every(([path]) => isTrue(textOf(row[path])))
  } catch (error) {
    // MariaDB cannot compute with some types, such as UUID.
    if (failureOf(error).kind === 'internal') return false
    throw error
  }
}

/**
 * The searched columns that cannot be compared with any term, such as MySQL's `concat('pi_', id)`, and those that cannot be
 * compared with every term, such as a latin1 column.
 */
async function limitedColumns(list: List, session: Session): Promise<[refusing: Set<string>, narrow: Set<string>]> {
  const [refusing, narrow] = [new Set<string>(), new Set<string>()]
  for (const paths of [list.search.records, list.search.users]) {
    if (paths.length === 0 || (await takes(list, session, paths, everyTerm))) continue
    for (const path of paths) {
      if (await takes(list, session, [path], everyTerm)) continue
      narrow.add(path)
      if (!(await takes(list, session, [path], 'a'))) refusing.add(path)
    }
  }
  return [refusing, narrow]
}

/** Characters that only a column with all of Unicode can hold. */
const everyTerm = '漢🙂'

/** Whether the database can compare the columns of one table with the term. Reads no row. */
async function takes(list: List, session: Session, paths: readonly string[], term: string): Promise<boolean> {
  const [alias = ''] = String(paths[0]).split('.')
  const table = session.tables.of(String(tablesOf(list)[alias]))
  const column = columnsOf(list, session.tables)
  const contain = paths.map((path) => session.dialect.contains(column(path), parameterOf(term)))
  const some = sql.join(contain, sql` or `)
  try {
    await session.run(session.compile(sql`select 1 as one from ${table} as ${sql.id(alias)} where ${some} limit 0`))
    return true
  } catch (error) {
    if (isTextError(error)) return false
    throw error
  }
}

const isFalse = (text: Text): boolean => text === '0' || text === 'false'
const isTrue = (text: Text): boolean => text === '1' || text === 'true'

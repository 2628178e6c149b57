/** Looks at columns and driver: a case-sensitive or Turkish collation needs more SQL (contract 74). */
import { type Expression, sql } from 'kysely'
import { GarbledRows, type Row, readerOf, sampleCells, type Text } from '../../database/cells.js'
import type { Condition } from '../../database/dialect.js'
import { parameterOf } from '../../database/parameter.js'
import type { Session } from '../../database/session.js'
import type { Tables } from '../../database/source.js'
import { failureOf } from '../../errors/classify.js'
import { isTextError } from '../../errors/driver-error-codes.js'
import { linkAlias, linkedId, linkTablesOf, tablesOf } from '../../lists/aliases.js'
import type { List, Path } from '../../lists/list.js'
import { columnsOfReach, columnsOfWhere } from '../../visibility/reach-of-role.js'
import { type Comparison, type Fitted, fittedOf, type Traits } from './fitted-sql.js'

interface Looked extends Pick<Fitted, 'list' | 'tables' | 'column'> {
  readonly session: Session
}

export async function look(list: List, tables: Tables, session: Session): Promise<Traits> {
  const { letterCase, containsConverted, timeLimit = sql`0`, whole } = session.dialect
  const { isExactId, isExactText, tellsApart } = session.dialect
  const { column } = fittedOf(list, tables, session.dialect)
  const looked: Looked = { list, tables, column, session }
  const searched = [...list.search.records, ...list.search.users]
  const [refusing, narrow] = containsConverted ? await limitedColumns(looked) : [new Set(), new Set()]
  const { hasBytes, readCell, row } = await probe(looked, [
    ...searched
      .filter((path) => !refusing.has(path))
      .map((path) => [path, letterCase.isSensitive(column(path))] as const),
    ['time limit', timeLimit],
    ['settings', whole?.ownSettings ?? sql`0`]
  ])
  const comparisonsOf = (path: string): Record<'usual' | 'slower', Comparison> => {
    // An unknown answer counts as case-sensitive, because that SQL finds at least as much.
    const own = isFalse(readCell(row[path])) ? 'own' : 'folded'
    // A latin1 column keeps its collation for the terms that it can hold.
    const slower = narrow.has(path) ? 'converted' : own
    return { usual: refusing.has(path) ? slower : own, slower }
  }
  const ids = idsOf(list)
  const exactIds = await pathsWhere(looked, ids, isExactId && ((path) => isExactId(column(path))))
  const others = ids.filter((path) => !exactIds.includes(path))
  const few = fewValuesOf(list)
  return {
    hasBytes,
    readCell,
    searched: Object.fromEntries(searched.map((path) => [path, comparisonsOf(path)])),
    exactIds,
    exactTexts: [
      ...(await pathsWhere(looked, others, isExactText && ((path) => isExactText(column(path))))),
      ...(await pathsWhere(
        looked,
        [...few.keys()],
        tellsApart && ((path) => tellsApart(column(path), few.get(path) as readonly string[]))
      ))
    ],
    untyped: await untypedOf(looked),
    directLimit: whole?.limitUnder(readCell(row.settings)) ?? Number.POSITIVE_INFINITY,
    maxMilliseconds: Number(readCell(row['time limit'])) || Number.POSITIVE_INFINITY
  }
}

/** Reads cells as text, or as bytes where the connection changes text, such as one with the character set latin1. */
async function probe(looked: Looked, cells: readonly (readonly [name: string, value: Expression<unknown>])[]) {
  const { session } = looked
  const { sample } = session.dialect
  for (const way of ['text', 'bytes'] as const) {
    const text = session.dialect[way]
    const named = cells.map(([name, value]) => sql`${text(sql`(${value})`)} as ${sql.id(name)}`)
    const selected = sql.join([...named, ...sampleCells({ text, sample })])
    const [row = {}] = await session.run(session.compile(sql<Row>`select ${selected} ${fromAll(looked)}`))
    const readCell = readerOf(row)
    if (readCell) return { hasBytes: way === 'bytes', readCell, row }
  }
  throw new GarbledRows()
}

/**
 * `from (select 1 as one) as one left join (select x.user_id, … from users as x limit 0) as u on 1 = 1 …`
 *
 * The join reads no row. With `on 1 = 0`, MariaDB scans every table. The account may lack the right to read `x.*`.
 */
function fromAll({ list, tables, session }: Looked) {
  const noRow = session.dialect.limit(sql.lit(0))
  const joins = Object.entries(tablesOf(list)).map(([alias, name]) => {
    const cells = sql.join(tables.of(name).columns.map((column) => sql.id('x', column)))
    return sql`left join (select ${cells} from ${tables.of(name).table} as x ${noRow}) as ${sql.id(alias)} on 1 = 1`
  })
  return sql`from (select 1 as one) as one ${sql.join(joins, sql` `)}`
}

function idsOf(list: List): Path[] {
  const { u, p, m } = tablesOf(list)
  const filtered = Object.values(list.filters).map(({ column }) => column)
  const names = [list.id, list.owner, ...columnsOfReach(list), ...columnsOfWhere(list), list.practitioner, ...filtered]
  const own = Object.keys(list.columns).filter(
    (name) => names.includes(name) && list.columns[name]?.rules.uses.includes('id')
  )
  return [
    ...own.map((name): Path => `r.${name}`),
    ...(u ? (['u.user_id'] as const) : []),
    ...(p ? (['p.practitioner_id'] as const) : []),
    ...(m ? (['m.user_id'] as const) : []),
    ...linkTablesOf(list).flatMap((by): Path[] => [`${linkAlias(by)}.owner_id`, linkedId(by)])
  ]
}

/** The columns for which a condition of the dialect holds. Where the database cannot compute it, it holds for none. */
async function pathsWhere(looked: Looked, paths: readonly Path[], holds: ((path: Path) => Condition) | undefined) {
  if (!holds || paths.length === 0) return []
  try {
    const { readCell, row } = await probe(
      looked,
      paths.map((path) => [path, holds(path)])
    )
    return paths.filter((path) => isTrue(readCell(row[path])))
  } catch (error) {
    // MariaDB cannot compute with some types, such as UUID.
    if (failureOf(error).kind === 'internal') return []
    throw error
  }
}

/** The columns of a place in the order to whose type SQLite converts no text, because they have none. */
async function untypedOf(looked: Looked): Promise<readonly Path[]> {
  const { list, tables, column, session } = looked
  const { isUntyped } = session.dialect
  if (!isUntyped) return []
  const ordered = [list.order, ...Object.values(list.orders)].map((order) => order.column)
  const places = [...new Set([list.id, ...ordered])].map((name): Path => `r.${name}`)
  // The parts of a union may differ in their types, and SQLite shows only that of the first.
  const plan = sql<Row>`explain query plan select 1 from ${tables.of(list.name).table} as r`
  const steps = await session.run(session.compile(plan))
  const isUnion = steps.some(({ detail }) => /^(COMPOUND|MERGE)/.test(String(detail)))
  return isUnion ? places : pathsWhere(looked, places, (path) => isUntyped(column(path)))
}

/** The compared columns of a few values. */
function fewValuesOf(list: List): Map<Path, readonly string[]> {
  const compared = [...Object.values(list.filters).map(({ column }) => column), ...columnsOfWhere(list)]
  return new Map(
    compared.flatMap((name) => {
      const values = list.columns[name]?.values
      return values ? [[`r.${name}`, values] as const] : []
    })
  )
}

/** Searched columns that refuse every term, such as MySQL's `concat('pi_', id)`, and those that refuse some: latin1. */
async function limitedColumns(looked: Looked): Promise<[refusing: Set<string>, narrow: Set<string>]> {
  const [refusing, narrow] = [new Set<string>(), new Set<string>()]
  const { records, users } = looked.list.search
  for (const paths of [records, users]) {
    if (paths.length === 0 || (await takes(looked, paths, everyTerm))) continue
    for (const path of paths) {
      if (await takes(looked, [path], everyTerm)) continue
      narrow.add(path)
      if (!(await takes(looked, [path], 'a'))) refusing.add(path)
    }
  }
  return [refusing, narrow]
}

/** Characters that only a column with all of Unicode can hold. */
const everyTerm = '漢🙂'

/** Whether the database can compare the columns of one table with the term. Reads no row. */
async function takes({ list, tables, column, session }: Looked, paths: readonly Path[], term: string) {
  const [alias = ''] = String(paths[0]).split('.')
  const contain = paths.map((path) => session.dialect.contains(column(path), parameterOf(term)))
  const from = sql`from ${tables.of(String(tablesOf(list)[alias])).table} as ${sql.id(alias)}`
  try {
    await session.run(
      session.compile(
        sql`select 1 as one ${from} where ${sql.join(contain, sql` or `)} ${session.dialect.limit(sql.lit(0))}`
      )
    )
    return true
  } catch (error) {
    if (isTextError(error)) return false
    throw error
  }
}

const isFalse = (text: Text): boolean => text === '0' || text === 'false'
const isTrue = (text: Text): boolean => text === '1' || text === 'true'

/** Finds missing indexes, and writes the statements that create them. */
import { sql } from 'kysely'
import type { BaseTable } from '../database/dialect.js'
import type { Filter, List, ListColumn } from '../lists/list.js'
import type { sharedTables } from '../lists/shared-tables.js'
import { columnsOfReach, reachesOf } from '../visibility/reach-of-role.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import type { KnownColumn, KnownColumns } from './known-columns.js'

/** For the tables that lists join. The last of several columns is optional: it saves a sort or a table lookup. */
const sharedIndexes: Readonly<Record<keyof typeof sharedTables, readonly (readonly string[])[]>> = {
  users: [['user_id']],
  practitioners: [['practitioner_id']],
  memberships: [['user_id', 'org_name']],
  links: [['owner_id', 'user_id']]
}

/**
 * For the ids, and each order, reach, condition and filter. All questions compare those of `within`, which come first.
 */
function indexesOf(list: List): string[][] {
  const { id, owner, order, orders, columns, filters } = list
  const tenant = Object.keys(list.within)
  const isServed = (column: string, operator: Filter['operator']) =>
    !(columns[column] as ListColumn).rules.stored.computed?.includes(operator)
  const [ranges, equal] = [/[<>]/, /^[^<>]+$/].map((form) =>
    Object.values(filters).flatMap(({ column, operator }) =>
      form.test(operator) && isServed(column, operator) ? column : []
    )
  ) as [string[], string[]]
  // A grant without an id finds its records by its conditions.
  const conditions = reachesOf(list).flatMap((reach) =>
    reach.flatMap(({ column, where = [] }) => (column ? [] : [where.map(([name]) => name)]))
  )
  const compared = [
    ...[owner ?? [], columnsOfReach(list), equal].flat().map((column) => [column]),
    ...conditions.map((names) => names.filter((name) => isServed(name, '=')))
  ].map((names) => names.filter((name) => !tenant.includes(name)))
  const chosen = compared.filter((names) => names.length > 0).map((names) => [...names, order.column, id])
  const sorted = [...ranges, ...Object.values(orders).map(({ column }) => column)].map((column) => [column, id])
  // An index on the id finds the one record of a caller.
  const others = [...chosen, ...sorted].filter(([column]) => column !== id)
  const ofTenant = [[order.column, id], ...others].map((names) => [...tenant, ...names])
  return [...new Map([[id], ...ofTenant].map((names) => [names.join(), names])).values()]
}

export function checkIndexes(database: CheckedDatabase, known: KnownColumns): DatabaseFinding[] {
  const texts = database.names.flatMap((tableName) => {
    const list = database.lists.find(({ name }) => name === tableName)
    const columns = known.filter((column) => column.tableName === tableName)
    const found = columns.filter(({ type, catalog }) => type !== undefined && catalog.isTable)
    const shared = sharedIndexes[tableName as keyof typeof sharedTables] ?? [['owner_id', 'linked_id']]
    const wanted = list ? indexesOf(list) : shared
    const firsts = wanted.map(([first]) => String(first))
    const { names, bases } = database.tables.of(tableName)
    const hidden = firsts.filter((name) => {
      const known = columns.find((column) => column.name === name)
      if (known) return !known.catalog.isTable
      return bases(name).length === 0 && (names?.includes(name) ?? true)
    })
    const whats =
      hidden.length === firsts.length
        ? [`the indexes of ${tableName}`]
        : hidden.map((name) => `the index of ${tableName}.${name}`)
    for (const what of whats)
      database.miss(what, 'only the database knows what a view, a subquery or an expression reads')
    return wanted.flatMap((names) => missingIndexes(database, found, names, isOrder(list, names)))
  })
  const longest = texts.filter((text) => !texts.some((other) => other !== text && other.includes(beginning(text))))
  return [...new Set(longest)].map((text) => finding('warning', 'indexes', text))
}

/** Whether the index is for the order of all records. */
function isOrder(list: List | undefined, names: readonly string[]): boolean {
  if (!list) return false
  const [first, ...others] = names.slice(Object.keys(list.within).length)
  return others.length === 1 && [list.order, ...Object.values(list.orders)].some(({ column }) => column === first)
}

/** What the statement of a longer index on the same columns contains. */
const beginning = (text: string) =>
  text.startsWith('--') ? text : text.slice(text.indexOf(' on ')).replace(/\);$/, ', ')

function missingIndexes(database: CheckedDatabase, columns: KnownColumns, names: readonly string[], isOrder: boolean) {
  const { miss } = database
  const { needsId, isLong: isLongType, tooLong } = database.dialect.check.index
  const isLong = ({ type = '', stored }: KnownColumn) => isLongType(type, stored.isShort ?? false)
  const found = names.map((name) => columns.find((column) => column.name === name))
  const [first] = found
  if (!first) return []
  // The index ends before a computed column.
  const end = found.findIndex((column) => column?.catalog !== first.catalog)
  const all = found.slice(0, end < 0 ? names.length : end) as KnownColumn[]
  const needed = all.slice(0, Math.max(1, names.length - 1))
  const next = isOrder && needsId ? all[needed.length] : undefined
  const { schema, table, catalog } = first
  const lacking = [...catalog.indexes].flatMap(([table, indexes]) =>
    indexes.some((index) => isServedBy(index, needed, next)) ? [] : [table]
  )
  if (lacking.length === 0) return []
  const long = needed.find(isLong)
  if (long) {
    const path = `${long.table}.${long.column}`
    if (tooLong) return [`-- ${path} ${tooLong}`]
    miss(`the index of ${path}`, 'a long value may not fit into an index')
    return []
  }
  // A new index of a table is one of its partitions too, but not one of the tables that inherit from it.
  const inheriting = catalog.indexes.has(table) && !lacking.includes(table)
  const indexed = all.filter((column) => !isLong(column))
  return (inheriting ? lacking : [table]).map((table) => createIndex(database, { schema, table }, indexed))
}

const isServedBy = (index: readonly string[], columns: KnownColumns, next?: KnownColumn): boolean =>
  columns.every(({ column }, place) => index[place] === column.toLowerCase()) &&
  (!next || [undefined, next.column.toLowerCase()].includes(index[columns.length]))

function createIndex({ db, dialect }: CheckedDatabase, base: BaseTable, columns: KnownColumns): string {
  const parts = [base.table, ...columns.map(({ column }) => column)]
  const whole = parts.join('_')
  // The limit is 64 characters, and 63 in PostgreSQL.
  const name = whole.length < 60 ? whole : parts.map((part) => part.slice(0, 14)).join('_')
  const ids = sql.join(columns.map(({ column }) => sql.id(column)))
  return `${dialect.check.index.create(name, base, ids).compile(db).sql};`
}

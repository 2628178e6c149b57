/** The cells of a page's rows, and the items that are made of them. */
import { type CellReader, type Row, type Text, textOf } from '../../database/cells.js'
import type { RecordKey } from '../../database/dialect.js'
import { Failure } from '../../errors/failure.js'
import type { UnreadableValue } from '../../kinds/kind.js'
import type { Field, Filter, List, ListColumn, Order } from '../../lists/list.js'
import type { Question } from '../asked/question.js'

// Names of cells other than the fields. A field's name never contains a space.
/** The value of the column that sorts the list. */
export const sortKey = 'sort key'
export const recordTotal = 'record total'
export const recordGone = 'record gone'
/** Not null for a record whose id the database equates with another one of the page, or with the place before it. */
export const recordTied = 'record tied'
export const matchedKey = 'matched key'
/** Cells of a whole statement. Of an empty page, one row has them. */
export const wholeCells = {
  size: 'page size',
  settings: 'session settings',
  counts: (place: number) => `counts ${place}`
}

/** The cells with the number of records of each value of a filter. */
export const countName = (place: number) => `count ${place}`

// A new string is slower as the name of a property.
const cellNames: string[] = []

/** A driver may convert values by column name, such as `user_id`. */
export const cellName = (place: number): string => {
  cellNames[place] ??= `cell ${place}`
  return cellNames[place]
}

/** The cell that is null in a record in which a group of fields is hidden. */
export const flagName = (place: number): string => `shown ${place}`

export interface ReadPage {
  readonly items: unknown[]
  /** Number of items, plus records that were deleted while the page was read. */
  readonly count: number
  /** At least one for each record that the statement has found: the number of rows, or exactly that of ids. */
  readonly rows: number
  /** Undefined if the statement does not count. */
  readonly total: number | undefined
  /** The keys of the records found, in their order. Only where the statement may find one more than the page has. */
  readonly keys: readonly RecordKey[]
  readonly isTied: boolean
  readonly counts?: Readonly<Record<string, Counts>> | undefined
}

interface ReadList extends Pick<Question, 'partly' | 'counts'> {
  readonly list: Pick<List, 'name' | 'id' | 'columns' | 'joins' | 'fields' | 'filters'>
  readonly order: Order
}

/** Groups the rows by record, one for each organization of its user. Only the first `most` records become items. */
export function toItems(
  { list, order, partly = [], counts: counted = [] }: ReadList,
  read: readonly Row[],
  readCell: CellReader,
  most?: number
): ReadPage {
  const [first = {}] = read
  const size = readCell(first[wholeCells.size])
  const rows = size === '0' ? [] : read
  const { name: listName, id: idName, columns, joins, fields } = list
  const sorting = { ...(columns[order.column] as ListColumn), column: `r.${order.column}` } as const
  const named = Object.entries(fields).map(([name, field], place) => {
    const group = partly.findIndex(({ fields }) => fields.includes(name))
    return [name, field, cellName(place), group >= 0 && flagName(group)] as const
  })
  const idCell = cellName(Object.keys(fields).indexOf(idName))
  const rowsOf = new Map<Text, [Row, ...Row[]]>()
  let gone = 0
  for (const row of rows) {
    const id = readCell(row[idCell])
    const others = rowsOf.get(id)
    if (id === null && readCell(row[recordGone]) !== null) gone++
    else if (others) others.push(row)
    else rowsOf.set(id, [row])
  }
  const keys = most === undefined ? [] : keysOf(rows, idCell, readCell)
  for (const { id } of keys.slice(most)) rowsOf.delete(id)
  const items = Array.from(rowsOf, ([id, rows]) => {
    const read = (alias: string, field: Pick<Field, 'column' | 'read'>) => {
      try {
        return field.read(readCell(rows[0][alias]), () => rows.map((row) => readCell(row[alias])))
      } catch (error) {
        // A field throws no other error.
        const { message } = error as UnreadableValue
        const [joined = '', column] = field.column.split('.')
        const name = `${joins[joined] ?? listName}.${column}`
        throw new Failure('internal', `Column ${name} of ${idName} ${id} ${message}.`)
      }
    }
    // The order depends on this value, so the value must be valid even if no field shows it (contract 87).
    read(sortKey, sorting)
    const item: Record<string, unknown> = {}
    for (const [name, field, alias, flag] of named) {
      if (!flag || readCell(rows[0][flag]) !== null) item[name] = read(alias, field)
    }
    return item
  })
  const total = readCell(first[recordTotal])
  const counts = counted.flatMap(({ filter }, place) => {
    const cells = readCell(first[wholeCells.counts(place)])
    return cells === null ? [] : [[filter, toCounts(list.filters[filter], JSON.parse(cells), textOf)] as const]
  })
  return {
    items,
    count: items.length + gone,
    rows: size === null ? rows.length : Number(size),
    total: total === null ? undefined : Number(total),
    keys,
    isTied: rows.some((row) => recordTied in row && readCell(row[recordTied]) !== null),
    counts: counts.length > 0 ? Object.fromEntries(counts) : undefined
  }
}

/** A join of the host may repeat a record. */
function keysOf(rows: readonly Row[], idCell: string, readCell: CellReader): RecordKey[] {
  const values = new Map<string, string>()
  for (const row of rows) {
    const id = String(readCell(row[idCell]) ?? readCell(row[recordGone]))
    if (!values.has(id)) values.set(id, String(readCell(row[sortKey])))
  }
  return Array.from(values, ([id, value]) => ({ value, id }))
}

/** The number of records by the value of a filter. */
export type Counts = Readonly<Record<string, number>>

export const toCounts = ({ counted = [] }: Partial<Filter> = {}, row: Row = {}, readCell: CellReader): Counts =>
  Object.fromEntries(counted.map((value, place) => [value, Number(readCell(row[countName(place)]))]))

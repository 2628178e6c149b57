/** The place of a record in the order of a list, and its text `next`, which a client sends back as `after`. */
import type { RecordKey } from '../../database/dialect.js'
import { Failure } from '../../errors/failure.js'
import { maxPositionLength } from '../../limits.js'
import type { List, Order } from '../../lists/list.js'
import { canLack, nameOfOrder } from '../../lists/sort-parameter.js'

/** A driver or a database can end a text at NUL, and replace half a surrogate pair. */
const isText = (text: string | null): boolean => text === null || !/[\p{Cs}\0]/u.test(text)

/** Refuses a place that no statement can compare, and `from` itself, as where a driver of SQLite ends a text at NUL. */
export function placeOf(list: Pick<List, 'id'>, order: Order, key: RecordKey, from?: RecordKey): RecordKey {
  const isSame = key.value === from?.value && key.id === from.id
  return isText(key.value) && isText(key.id) && !isSame ? key : refuse(list, order, key)
}

function refuse({ id }: Pick<List, 'id'>, { column }: Order, key: RecordKey): never {
  const problem = `Nothing can be read after the ${id} ${key.id}, because its ${column} or its ${id}`
  throw new Failure('internal', `${problem} is too long, is empty or has a NUL: sort by another column.`)
}

const textOf = (list: Pick<List, 'name'>, order: Order, { value, id }: RecordKey): string =>
  Buffer.from(JSON.stringify([list.name, nameOfOrder(order), value, id])).toString('base64url')

/** @throws Failure for a place that no URL should hold, such as one of a text of a thousand characters */
export function nextOf(list: List, order: Order, key: RecordKey, from?: RecordKey): string {
  const next = textOf(list, order, placeOf(list, order, key, from))
  const isPlace = next.length <= maxPositionLength && positionOf(next, list, order)
  return isPlace ? next : refuse(list, order, key)
}

/** Undefined for a text that no page of the list gives in this order. A position is no right: it only compares. */
export function positionOf(
  text: string,
  list: Pick<List, 'name' | 'columns' | 'fields' | 'id'>,
  order: Order
): RecordKey | undefined {
  const { columns, id: idName } = list
  try {
    const [, , value, id]: [unknown, unknown, value: string | null, id: string] = JSON.parse(
      Buffer.from(text, 'base64url').toString()
    )
    const isCell = (column: string, cell: unknown) =>
      typeof cell === 'string' && isText(cell) && columns[column]?.read(cell) !== null
    const isNone = value === null && canLack(list, order)
    const isKey = (isNone || isCell(order.column, value)) && id !== '' && isCell(idName, id)
    // Another list, another order and other notations give another text.
    return isKey && textOf(list, order, { value, id }) === text ? { value, id } : undefined
  } catch {
    // No JSON, no array, or a value that the column cannot have.
    return undefined
  }
}

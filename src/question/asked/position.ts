/** The place of a record in the order of a list, and its text `next`, which a client sends back as `after`. */
import type { Key, RecordKey } from '../../database/dialect.js'
import { Failure } from '../../errors/failure.js'
import { maxPositionLength } from '../../limits.js'
import type { List, Order } from '../../lists/list.js'
import { nameOfOrder } from '../../lists/orders.js'
import { sortsTexts } from './question.js'
import { placeInSeconds } from './whole-seconds.js'

/** The records of a page, the record that follows them, and where they begin. */
export interface Stretch {
  readonly keys: readonly RecordKey[]
  readonly following: RecordKey
  readonly from?: Key | undefined
}

/** Whether a database may equate two ids, such as `abc` and `ABC`. */
function isAlike(one: string, other: string): boolean {
  if (folded(one) === folded(other)) return true
  const both = (one + other).normalize('NFKD')
  // A collation may equate other letters, and `٣` with `3`, but no other digits.
  return /\P{ASCII}/u.test(both) && (digitsOf(one) === digitsOf(other) || /[^\d\P{N}]/u.test(both))
}

const digitsOf = (id: string) => id.normalize('NFKD').replace(/\D/g, '')
const folded = (id: string) =>
  id
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The key after the last record of a page. */
export function keyAfter({ keys, following, from }: Stretch): Key {
  const last = keys.at(-1) as RecordKey
  const isHere = ({ time, id }: RecordKey) => time === last.time && isAlike(id, last.id)
  if (!isHere(following)) return last
  const before = from?.id !== undefined && isHere({ ...from, id: from.id }) ? (from.shown ?? [from.id]) : []
  return { ...last, shown: [...before, ...keys.filter(isHere).map(({ id }) => id)] }
}

const textOf = (list: Pick<List, 'name'>, order: Order, { time, id, shown = [] }: Key): string =>
  Buffer.from(JSON.stringify([list.name, nameOfOrder(order), time, id ?? null, ...shown])).toString('base64url')

/**
 * The text of the place after a page. More records of one second than a URL can name are told apart by their fractions.
 *
 * @param from the position that the client sent
 * @throws Failure for a value that no URL should hold, such as a text of a thousand characters
 */
export function nextOf(list: List, order: Order, stretch: Stretch, from = stretch.from): string {
  const key = keyAfter(stretch)
  const inSeconds = sortsTexts({ list, order }) ? undefined : placeInSeconds(stretch.keys, order, from)
  const texts = [inSeconds ?? key, key].map((place) => textOf(list, order, place))
  const next = texts.find(({ length }) => length <= maxPositionLength)
  if (next !== undefined) return next
  const problem = `The ${order.column} of ${list.id} ${key.id} is too long to continue after: sort by a shorter column.`
  throw new Failure('internal', problem)
}

/** Undefined for a text that no page of the list gives in this order. A position is no right: it only compares. */
export function positionOf(
  text: string,
  list: Pick<List, 'name' | 'columns' | 'fields' | 'id'>,
  order: Order
): Key | undefined {
  const { columns, id: idName } = list
  try {
    const parts: [unknown, unknown, time: string | null, id: string | null, ...string[]] = JSON.parse(
      Buffer.from(text, 'base64url').toString()
    )
    const [, , time, id, ...shown] = parts
    const key: Key = { time, id: id ?? undefined, ...(shown.length > 0 && { shown }) }
    const ids = id === null ? shown : [id, ...shown]
    const isCell = (column: string, cell: unknown) =>
      typeof cell === 'string' && !/[\p{Cs}\0]/u.test(cell) && columns[column]?.read(cell) !== null
    const isOfRoles = Object.values(list.fields).some(({ column, roles }) => roles && column === `r.${order.column}`)
    const isNone = time === null && id !== null && (isOfRoles || columns[order.column]?.whenNull !== 'error')
    const isKey = (isNone || isCell(order.column, time)) && ids.every((each) => each !== '' && isCell(idName, each))
    // Another list, another order and other notations give another text.
    return isKey && textOf(list, order, key) === text ? key : undefined
  } catch {
    // No JSON, no array, or a value that the column cannot have.
    return undefined
  }
}

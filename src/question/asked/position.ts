/** The place of a record in the order of a list, and its text `next`, which a client sends back as `after`. */
import type { Key, RecordKey } from '../../database/dialect.js'
import { Failure } from '../../errors/failure.js'
import { maxPositionLength } from '../../limits.js'
import type { List, Order } from '../../lists/list.js'
import { nameOfOrder } from '../../lists/orders.js'

/** The records of a page, the record that follows them, and where they begin. */
export interface Stretch {
  readonly keys: readonly RecordKey[]
  readonly following: RecordKey
  readonly from?: Key | undefined
}

/** Whether a database may equate two ids, such as `abc` and `ABC`. */
const isAlike = (one: string, other: string): boolean => folded(one) === folded(other) || /\P{ASCII}/u.test(one + other)
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

/**
 * The same place, told in whole seconds, because items show no fractions of a second. Undefined for times without them.
 */
function placeInSeconds({ keys, following, from }: Stretch, isDescending: boolean): Key | undefined {
  const { time } = keys.at(-1) as RecordKey
  const [, second] = /^(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)\.\d/.exec(time) ?? []
  const end = second && secondAfter(second)
  if (!end) return undefined
  const isWithin = ({ time }: Pick<Key, 'time'>) => time.startsWith(second)
  // Texts of several forms have another order.
  if (!isWithin(following) && following.time < end !== isDescending) return undefined
  if (!isWithin(following)) return { time: isDescending ? second : end }
  // The ids alone tell which records of the second come next.
  const place = isDescending ? end : second
  if (from && isWithin(from) && from.id !== undefined) return undefined
  const before = from?.time === place ? (from.shown ?? []) : []
  return { time: place, shown: [...before, ...keys.filter(isWithin).map(({ id }) => id)] }
}

/** Undefined for a time that does not exist, and for the end of the year 9999. */
function secondAfter(second: string): string | undefined {
  const next = new Date(Date.parse(`${second.replace(' ', 'T')}Z`) + 1000)
  return Number.isNaN(next.getTime()) || next.getUTCFullYear() > 9999
    ? undefined
    : next.toISOString().slice(0, 19).replace('T', second.charAt(10))
}

const textOf = (list: Pick<List, 'name'>, order: Order, { time, id, shown = [] }: Key): string =>
  Buffer.from(JSON.stringify([list.name, nameOfOrder(order), time, id ?? null, ...shown])).toString('base64url')

/**
 * The text of the place after a page. More records of one second than a URL can name are told apart by their fractions.
 *
 * @throws Failure for a value that no URL should hold, such as a text of a thousand characters
 */
export function nextOf(list: Pick<List, 'name' | 'id'>, order: Order, stretch: Stretch): string {
  const key = keyAfter(stretch)
  const inSeconds = placeInSeconds(stretch, order.direction === 'desc')
  const texts = [inSeconds ?? key, key].map((place) => textOf(list, order, place))
  const next = texts.find(({ length }) => length <= maxPositionLength)
  if (next !== undefined) return next
  const problem = `The ${order.column} of ${list.id} ${key.id} is too long to continue after: sort by a shorter column.`
  throw new Failure('internal', problem)
}

/** Undefined for a text that no page of the list gives in this order. A position is no right: it only compares. */
export function positionOf(text: string, list: Pick<List, 'name' | 'columns' | 'id'>, order: Order): Key | undefined {
  const { columns, id: idName } = list
  try {
    const parts: [unknown, unknown, time: string, id: string | null, ...string[]] = JSON.parse(
      Buffer.from(text, 'base64url').toString()
    )
    const [, , time, id, ...shown] = parts
    const key: Key = { time, id: id ?? undefined, ...(shown.length > 0 && { shown }) }
    const ids = id === null ? shown : [id, ...shown]
    const isCell = (column: string, cell: unknown) =>
      typeof cell === 'string' && !/[\p{Cs}\0]/u.test(cell) && columns[column]?.read(cell) !== null
    const isKey = isCell(order.column, time) && ids.every((each) => each !== '' && isCell(idName, each))
    // Another list, another order and other notations give another text.
    return isKey && textOf(list, order, key) === text ? key : undefined
  } catch {
    // No JSON, no array, or a value that the column cannot have.
    return undefined
  }
}

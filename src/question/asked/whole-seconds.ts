/**
 * Places in an order of times with fractions of a second. Items do not show them, so a position does not tell them either:
 * the record after which the next page begins is looked up, and tells its own.
 */
import type { Key, RecordKey } from '../../database/dialect.js'
import type { Order } from '../../lists/list.js'

/** The place at the end of a second, or at its begin in an ascending order. Undefined for a time without a fraction. */
function placeOf(time: string | null, { direction }: Order): { time: string; second: string } | undefined {
  const [, second] = /^(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)\.\d*[1-9]/.exec(time ?? '') ?? []
  const end = second && secondAfter(second)
  return end ? { time: direction === 'desc' ? end : second, second } : undefined
}

/** Undefined for a time that does not exist, and for the end of the year 9999. */
function secondAfter(second: string): string | undefined {
  const next = new Date(Date.parse(`${second.replace(' ', 'T')}Z`) + 1000)
  return Number.isNaN(next.getTime()) || next.getUTCFullYear() > 9999
    ? undefined
    : next.toISOString().slice(0, 19).replace('T', second.charAt(10))
}

/**
 * The same place without the fraction of a second, which items do not show: the ids tell what the pages had of the second,
 * and the last one is the record after which the next page begins.
 */
export function placeInSeconds(keys: readonly RecordKey[], order: Order, from: Key | undefined): Key | undefined {
  const place = placeOf((keys.at(-1) as RecordKey).time, order)
  if (!place) return undefined
  const { time, second } = place
  // An exact place does not tell what earlier pages had of the second.
  if (from?.id !== undefined && from.time?.startsWith(second)) return undefined
  const before = from?.time === time ? (from.shown ?? []) : []
  return { time, shown: [...before, ...keys.filter(({ time }) => time?.startsWith(second)).map(({ id }) => id)] }
}

/** The record after which a page begins, where the position does not tell the fraction of its second. */
export const recordOf = ({ id, shown }: Partial<Key>): string | undefined =>
  id === undefined ? shown?.at(-1) : undefined

/** The exact place of a position without a fraction. Undefined if the record has been deleted or has another time now. */
export const exactPlace = (from: Key, order: Order, record: RecordKey | undefined): Key | undefined =>
  record && placeOf(record.time, order)?.time === from.time ? { ...from, ...record } : undefined

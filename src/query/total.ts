/**
 * Decides whether a page needs a count, and shares counts between identical requests (option `shareTotals`). A later
 * page of `findLarge` counts first. A page has its total in the rows for the reach `own`, and with `withTotal`.
 */
import type { Row } from '../database/driver-samples.js'
import type { List } from '../lists/list.js'
import { recordTotal, textsOf, toItems } from './items.js'
import { offsetOf, type Page } from './paging.js'

/** The items of the rows, and the total. Counts only if neither the rows nor the length of the page gives the total. */
export async function itemsAndTotal(list: List, page: Page, rows: Row[], count: Count) {
  const { items, found } = toItems(list, rows)
  const total = totalIn(rows) ?? provenTotal(page, found) ?? (await count())
  // Records may have been deleted after the page was read (contract 82).
  return { items, total: items.length > 0 ? Math.max(total, offsetOf(page) + items.length) : total }
}

/** Undefined if the statement does not count. */
export const totalIn = (rows: Row[]): number | undefined => textsOf(rows.slice(0, 1), recordTotal).map(Number)[0]

/**
 * The total, if the page is the last page. An empty page after the first may be past the end.
 *
 * @param found number of records on the page
 */
export function provenTotal(page: Page, found: number): number | undefined {
  if (found === page.limit) return undefined
  if (found === 0 && page.page > 1) return undefined
  return offsetOf(page) + found
}

export type Count = () => Promise<number>

export interface CountStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** @param database undefined if the count must not be shared */
export type ShareCount = (database: object | undefined, statement: CountStatement, count: Count) => Promise<number>

interface Shared {
  running: Promise<number>
  /** Starts after `running`. */
  next?: Promise<number>
}

/**
 * Shares counts between identical requests. A request joins the next count and never a running count, so no total is
 * older than its request.
 */
export function sharedCounts(): ShareCount {
  const databases = new WeakMap<object, Map<string, Shared>>()

  return (database, statement, count) => {
    const key = keyOf(statement)
    if (!database || !key) return count()
    const counts = databases.get(database) ?? new Map<string, Shared>()
    databases.set(database, counts)
    return share(counts, key, count)
  }
}

function share(counts: Map<string, Shared>, key: string, count: Count): Promise<number> {
  const shared = counts.get(key)
  if (!shared) return start()
  shared.next ??= shared.running.then(start, start)
  return shared.next

  function start(): Promise<number> {
    const shared: Shared = { running: count() }
    counts.set(key, shared)
    const end = () => {
      if (!shared.next) counts.delete(key)
    }
    shared.running.then(end, end)
    return shared.running
  }
}

/** Undefined if a parameter is an object, which a select of the host can contain. */
function keyOf({ sql, parameters }: CountStatement): string | undefined {
  const kinds = parameters.map((value) => {
    if (Buffer.isBuffer(value)) return `buffer ${value.toString('hex')}`
    return typeof value === 'object' && value !== null ? undefined : `${typeof value} ${String(value)}`
  })
  return kinds.includes(undefined) ? undefined : JSON.stringify([sql, ...kinds])
}

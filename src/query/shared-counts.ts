/**
 * Shares a count among identical concurrent requests (the option `shareTotals`). A request never joins a count that is
 * already running. It waits for the next one, so that no total is older than its request.
 */

export type Count = () => Promise<number>

/** A statement that counts, as it is sent to the database. */
export interface CountStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/**
 * Runs `count`, or joins the count of another request with the same statement on the same database.
 *
 * @param database undefined when nothing may be shared
 */
export type ShareCount = (database: object | undefined, statement: CountStatement, count: Count) => Promise<number>

/** The count that runs now, and the one that starts when it has ended. */
interface Shared {
  running: Promise<number>
  next?: Promise<number>
}

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

/** A text that only equal statements have. None where a select of the host has an object as a parameter. */
function keyOf({ sql, parameters }: CountStatement): string | undefined {
  const kinds = parameters.map((value) => {
    if (Buffer.isBuffer(value)) return `buffer ${value.toString('hex')}`
    return typeof value === 'object' && value !== null ? undefined : `${typeof value} ${String(value)}`
  })
  return kinds.includes(undefined) ? undefined : JSON.stringify([sql, ...kinds])
}

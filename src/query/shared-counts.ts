/**
 * Shares counts between identical requests (option `shareTotals`). A request joins the next count and never a running
 * count, so no total is older than its request.
 */

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

/**
 * Shares a count among identical concurrent requests (the option `shareTotals`). Who arrives while one
 * runs does not get that one, which may have begun before a write that the caller knows of, but joins
 * the next one, so that no total is older than its request.
 */

export type Count = () => Promise<number>

/** A statement that counts, as it is sent to the database. */
export interface CountStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/**
 * Runs `count`, or joins another caller's of the same statement on the same database.
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
    if (!database) return count()
    const counts = databases.get(database) ?? new Map<string, Shared>()
    databases.set(database, counts)
    const key = JSON.stringify([statement.sql, statement.parameters], withBigints)
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
}

/** JSON has no bigint, which a host's own select may have among its parameters. */
const withBigints = (_key: string, value: unknown) => (typeof value === 'bigint' ? { bigint: String(value) } : value)

/** Shares counts between identical requests (option `shareTotals`). */
import { withinDeadline } from '../database/deadline.js'
import { keyOfStatement, type Statement } from '../database/parameter.js'
import type { Session } from '../database/session.js'
import { failureOf } from '../errors/classify.js'

type Count = () => Promise<number>

export type ShareCount = (
  session: Pick<Session, 'shareable' | 'deadline'>,
  statement: Statement,
  count: Count
) => Promise<number>

interface Shared {
  running: Promise<number>
  /** Starts after `running`. */
  next?: Promise<number>
}

/**
 * A request joins the next count and never a running count, so no total is older than its request.
 */
export function sharedCounts(): ShareCount {
  const databases = new WeakMap<object, Map<string, Shared>>()

  return (session, statement, count) => {
    const { shareable, deadline } = session
    const key = keyOfStatement(statement)
    if (!shareable || !key) return count()
    const counts = databases.get(shareable) ?? new Map<string, Shared>()
    databases.set(shareable, counts)
    let isStarter = false
    // On a dead connection, a count never ends, and the requests after its starter would wait forever.
    const start = () => {
      isStarter = true
      return withinDeadline(deadline.timeLeft(), [], count)
    }
    const join = (): Promise<number> => {
      deadline.onWait?.('statement')
      return share(counts, key, start).catch((error) => {
        // The request that started the count has timed out. This request has time left, and joins the next count.
        if (!isStarter && failureOf(error).kind === 'timeout' && deadline.timeLeft() > 0) return join()
        throw error
      })
    }
    return join()
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

/** The statements of a list, fitted to what is known of its columns. */
import { isDeepStrictEqual } from 'node:util'
import type { Session } from '../database/session.js'
import type { Tables } from '../database/source.js'
import type { List } from '../lists/list.js'
import { lookTtl } from '../numbers.js'
import { attemptsOf, type Traits } from './fitted.js'
import { look } from './slow/look.js'
import { type StepsOf, statementCache, stepsWith } from './statements.js'

interface Known {
  readonly traits: Traits
  readonly attempts: readonly StepsOf[]
  /** In the time of `performance.now()`. */
  readonly until: number
}

/**
 * The statements to try in turn, until the database takes the texts of a question. What is known belongs to the tables, and so
 * is lost with tables that a plugin has made for one request.
 */
export function knownAttempts(ttl = lookTtl) {
  const cache = statementCache()
  const byList = new WeakMap<List, WeakMap<Tables, Known>>()

  // Requests do not share a running look, because it ends at the deadline of the request that started it.
  return async (list: List, session: Session): Promise<readonly StepsOf[]> => {
    const { tables, dialect, timed } = session
    const known = byList.get(list) ?? new WeakMap<Tables, Known>()
    byList.set(list, known)
    const before = known.get(tables)
    if (before && performance.now() < before.until) return before.attempts
    // Tables can change while the server runs.
    const traits = await timed('columns', () => look(list, session))
    const last = known.get(tables)
    const attempts =
      last && isDeepStrictEqual(traits, last.traits)
        ? last.attempts
        : attemptsOf(list, tables, dialect, traits).map((fitted) => stepsWith(fitted, cache))
    known.set(tables, { traits, attempts, until: performance.now() + ttl })
    return attempts
  }
}

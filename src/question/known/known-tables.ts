/** What is known of the tables of a list: the SQL that fits them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Session } from '../../database/session.js'
import type { Tables } from '../../database/source.js'
import { lookPatience, lookTtl } from '../../limits.js'
import type { List } from '../../lists/list.js'
import { type Fitted, fittedOf, type Traits } from './fitted-sql.js'
import { look } from './look.js'

/** For a check, which reads a list once. */
export const knownNow = async (list: List, tables: Tables, session: Session): Promise<Fitted> =>
  fittedOf(list, tables, session.dialect, await look(list, tables, session))

/**
 * Looks at the tables once a minute. What is known belongs to the tables, and so is lost with tables that a plugin has made
 * for one request. No key of one tenant can meet another's.
 *
 * While a later look fails or waits, as for the lock of a migration on a table that the request does not even read, what is
 * known still serves.
 */
export function knownTables(ttl = lookTtl) {
  /** `until` is in the time of `performance.now()`. */
  type Known = { traits: Traits; fitted: Fitted; until: number }
  const byList = new WeakMap<List, WeakMap<Tables, Known>>()

  // Requests do not share a running look, because it ends at the deadline of the request that started it.
  return async (list: List, tables: Tables, session: Session): Promise<Fitted> => {
    const { dialect, timed } = session
    const known = byList.get(list) ?? new WeakMap<Tables, Known>()
    byList.set(list, known)
    const before = known.get(tables)
    if (before && performance.now() < before.until) return before.fitted
    const traits = await timed('columns', () =>
      before ? lookAgain(list, tables, session, before.traits) : look(list, tables, session)
    )
    // Another request may have looked in the meantime.
    const last = known.get(tables)
    const fitted =
      last && isDeepStrictEqual(traits, last.traits) ? last.fitted : fittedOf(list, tables, dialect, traits)
    known.set(tables, { traits, fitted, until: performance.now() + ttl })
    return fitted
  }
}

/** @param before serves until the next look, if this one fails or takes a part of the request's time */
async function lookAgain(list: List, tables: Tables, session: Session, before: Traits): Promise<Traits> {
  const patience = session.deadline.timeLeft() * lookPatience
  const over = sleep(patience, before, { ref: false })
  const hurried: Session = { ...session, run: (statement) => session.run(statement, patience) }
  return Promise.race([look(list, tables, hurried), over]).catch(() => before)
}

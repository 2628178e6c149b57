/** What is known of the tables of a list: the SQL that fits them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Session } from '../../database/session.js'
import type { Tables } from '../../database/source.js'
import { failureOf } from '../../errors/classify.js'
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
 * One request looks again, and waits for a part of its time. What was known serves the others, and this one too if the
 * database is busy, as with a migration that locks a table which the request does not even read.
 */
export function knownTables(ttl = lookTtl) {
  /** `until` is in the time of `performance.now()`. */
  type Known = { traits: Traits; fitted: Fitted; until: number }
  const byList = new WeakMap<List, WeakMap<Tables, Known>>()

  async function lookAt(list: List, tables: Tables, session: Session, before: Known | undefined): Promise<Fitted> {
    const { dialect, deadline, timed } = session
    const known = byList.get(list) ?? new WeakMap<Tables, Known>()
    byList.set(list, known)
    const keep = (traits: Traits): Fitted => {
      // Another request may have looked in the meantime.
      const last = known.get(tables)
      const fitted =
        last && isDeepStrictEqual(traits, last.traits) ? last.fitted : fittedOf(list, tables, dialect, traits)
      known.set(tables, { traits, fitted, until: performance.now() + ttl })
      return fitted
    }
    // Requests do not share the first look, because it ends at the deadline of the request that started it.
    if (!before) return keep(await timed('columns', () => look(list, tables, session)))
    known.set(tables, { ...before, until: performance.now() + ttl })
    const patience = deadline.timeLeft() * lookPatience
    const hurried: Session = { ...session, run: (statement) => session.run(statement, patience) }
    const looked = look(list, tables, hurried).then(keep, (error) => {
      if (failureOf(error).kind !== 'internal') return before.fitted
      // The tables have changed.
      known.delete(tables)
      throw error
    })
    return timed('columns', () => Promise.race([looked, sleep(patience, before.fitted, { ref: false })]))
  }

  return async (list: List, tables: Tables, session: Session): Promise<Fitted> => {
    const before = byList.get(list)?.get(tables)
    return before && performance.now() < before.until ? before.fitted : lookAt(list, tables, session, before)
  }
}

/** What is known of the tables of a list: the SQL that fits them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Session } from '../../database/session.js'
import type { Tables } from '../../database/source.js'
import { failureOf } from '../../errors/classify.js'
import { lookPatience, lookTtl } from '../../limits.js'
import type { List } from '../../lists/list.js'
import { type Fitted, fittedOf, type Traits } from './fitted-sql.js'
import { look } from './look-at-columns.js'

/** For a check, which reads a list once. */
export const knownNow = async (list: List, tables: Tables, session: Session): Promise<Fitted> =>
  fittedOf(list, tables, session.dialect, await look(list, tables, session))

/**
 * Looks at the tables once a minute, for all views of a list. What is known is kept with the tables, so tenants share
 * nothing. One request looks again, and waits for a part of its time. What was known serves the others, and this one
 * too if the database is busy, as with a migration that locks a table which the request does not even read.
 */
export function knownTables(ttl = lookTtl) {
  /** `until` is in the time of `performance.now()`. */
  type Known = { traits: Traits; fitted: WeakMap<List, Fitted>; until: number }
  const byList = new WeakMap<List, WeakMap<Tables, Known>>()

  async function lookAt(list: List, tables: Tables, session: Session, before: Known | undefined): Promise<Known> {
    const { deadline, timed } = session
    const ofTables = byList.get(list) ?? new WeakMap<Tables, Known>()
    byList.set(list, ofTables)
    const keep = (traits: Traits): Known => {
      // Another request may have looked in the meantime.
      const last = ofTables.get(tables)
      const fitted = last && isDeepStrictEqual(traits, last.traits) ? last.fitted : new WeakMap<List, Fitted>()
      const known = { traits, fitted, until: performance.now() + ttl }
      ofTables.set(tables, known)
      return known
    }
    // Requests do not share the first look, because it ends at the deadline of the request that started it.
    if (!before) return keep(await timed('columns', () => look(list, tables, session)))
    ofTables.set(tables, { ...before, until: performance.now() + ttl })
    const patience = deadline.timeLeft() * lookPatience
    const hurried: Session = { ...session, run: (statement) => session.run(statement, patience) }
    const looked = look(list, tables, hurried).then(keep, (error) => {
      if (failureOf(error).kind !== 'internal') return before
      // The tables have changed.
      ofTables.delete(tables)
      throw error
    })
    return timed('columns', () => Promise.race([looked, sleep(patience, before, { ref: false })]))
  }

  return async (view: List, tables: Tables, session: Session): Promise<Fitted> => {
    const list = view.base ?? view
    const before = byList.get(list)?.get(tables)
    const isFresh = before && performance.now() < before.until
    const { traits, fitted } = isFresh ? before : await lookAt(list, tables, session, before)
    const known = fitted.get(view) ?? fittedOf(view, tables, session.dialect, traits)
    fitted.set(view, known)
    return known
  }
}

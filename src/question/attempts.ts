/** Tries the statements of a list in turn, until the database takes the texts of a question. */
import { isDeepStrictEqual } from 'node:util'
import type { Session } from '../database/session.js'
import type { Tables } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import { isTextError } from '../errors/driver-errors.js'
import type { List } from '../lists/list.js'
import { lookTtl } from '../numbers.js'
import { attemptsOf, type Fitted, type Traits } from './fitted.js'
import { needsSnapshot, type Question } from './question.js'
import { look } from './slow/look.js'
import { type Steps, statementCache, stepsOf } from './statements.js'

/**
 * Returns what does the work of a question: with the usual SQL, and with slower SQL after the database has refused a text.
 * It rejects only with a `Failure`.
 */
export function attempter() {
  const attemptsFor = knownAttempts()
  const cache = statementCache()
  return async <Result>(
    question: Question,
    tables: Tables,
    session: Session,
    work: (steps: Steps) => Promise<Result>
  ): Promise<Result> => {
    try {
      let refusal: unknown
      // The first attempt answers all but texts that a column cannot hold.
      for (const fitted of await attemptsFor(question.list, tables, session)) {
        const workOn = (on: Session) => work(stepsOf(question, fitted, on, cache))
        try {
          return await (needsSnapshot(question, session.dialect) ? session.snapshot(workOn) : workOn(session))
        } catch (error) {
          if (!isTextError(error)) throw error
          refusal = error
        }
      }
      throw refusal
    } catch (error) {
      throw failureOf(error)
    }
  }
}

/**
 * What is known belongs to the tables, and so is lost with tables that a plugin has made for one request. No key of one
 * tenant can meet another's.
 */
export function knownAttempts(ttl = lookTtl) {
  /** `until` is in the time of `performance.now()`. */
  type Known = { traits: Traits; attempts: readonly Fitted[]; until: number }
  const byList = new WeakMap<List, WeakMap<Tables, Known>>()

  // Requests do not share a running look, because it ends at the deadline of the request that started it.
  return async (list: List, tables: Tables, session: Session): Promise<readonly Fitted[]> => {
    const { dialect, timed } = session
    const known = byList.get(list) ?? new WeakMap<Tables, Known>()
    byList.set(list, known)
    const before = known.get(tables)
    if (before && performance.now() < before.until) return before.attempts
    const traits = await timed('columns', () => look(list, tables, session))
    // Another request may have looked in the meantime.
    const last = known.get(tables)
    const attempts =
      last && isDeepStrictEqual(traits, last.traits) ? last.attempts : attemptsOf(list, tables, dialect, traits)
    known.set(tables, { traits, attempts, until: performance.now() + ttl })
    return attempts
  }
}

/** Finds the answer to a question: what is known of its tables, the statements that fit them, their rows, the answer. */
import type { Session } from '../database/session.js'
import type { Tables } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import { isTextError } from '../errors/driver-errors.js'
import { directPause } from '../limits.js'
import type { AnswerKind } from './answers/answer.js'
import { canMove, needsSnapshot, type Question } from './asked/question.js'
import type { Fitted } from './known/fitted-sql.js'
import { knownTables } from './known/known-tables.js'
import { runOn, statementCache, statementsOf } from './sql/compiled-statements.js'
import { sessionSettings } from './sql/items.js'

/** Rejects only with a `Failure`. */
export type Find = <Answer>(
  answer: AnswerKind<Answer>,
  question: Question,
  tables: Tables,
  session: Session
) => Promise<Answer>

/** Thrown for the rows of a session whose settings are not right for a direct statement. */
const wrongSettings = new Error('The request needs a transaction.')

/**
 * Returns what finds. It keeps what it knows of the tables, and its statements.
 *
 * @param timeout the milliseconds of a request, which no session may exceed
 */
export function finder(timeout: number): Find {
  const knownFor = knownTables()
  const cache = statementCache()
  /** When requests may be direct again, in the time of `performance.now()`. */
  const pauses = new WeakMap<Tables, number>()

  /** A session without transactions, which checks the settings under which the rows were read. */
  const directly = (session: Session, { whole, readCell }: Fitted): Session => {
    const direct = session.direct()
    const run: Session['run'] = async (...statement) => {
      const rows = await direct.run(...statement)
      if (whole?.isRight(readCell(rows[0]?.[sessionSettings]), timeout)) return rows
      throw wrongSettings
    }
    return { ...direct, run }
  }

  return async <Answer>(answer: AnswerKind<Answer>, question: Question, tables: Tables, session: Session) => {
    const answerWith = async (fitted: Fitted): Promise<Answer> => {
      const statementsFor = (asked: Question) => statementsOf(asked, fitted, session, cache)
      const statements = statementsFor(question)
      const answerOn = (on: Session) =>
        answer({ question, statements, statementsFor, run: runOn(on), deadline: on.deadline })
      try {
        if (fitted.isDirect && !canMove(question) && performance.now() >= (pauses.get(tables) ?? 0)) {
          try {
            return await answerOn(directly(session, fitted))
          } catch (error) {
            if (error !== wrongSettings) throw error
            pauses.set(tables, performance.now() + directPause)
          }
        }
        return await (needsSnapshot(question, session.dialect) ? session.snapshot(answerOn) : answerOn(session))
      } catch (error) {
        if (!fitted.slower || !isTextError(error)) throw error
        return answerWith(fitted.slower)
      }
    }
    try {
      return await answerWith(await knownFor(question.list, tables, session))
    } catch (error) {
      throw (isTextError(error) && question.refused?.()) || failureOf(error)
    }
  }
}

/** Finds the answer to a question: what is known of its tables, the statements that fit, their rows, the answer. */
import type { Session } from '../database/session.js'
import type { Tables } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import { isTextError } from '../errors/driver-error-codes.js'
import type { AnswerKind } from './answers/answer.js'
import { canMove, needsSnapshot, type Question } from './asked/question.js'
import { directly } from './direct.js'
import type { Fitted } from './fitted/fitted-sql.js'
import { knownTables } from './fitted/known-tables.js'
import { runnerOf, statementCache } from './sql/statement-cache.js'

/** Rejects only with a `Failure`. */
export type Find = <Answer>(
  answer: AnswerKind<Answer>,
  question: Question,
  tables: Tables,
  session: Session
) => Promise<Answer>

/** Keeps what it knows of the tables, and its statements. `timeout`: the milliseconds of a request. */
export function finder(timeout: number): Find {
  const knownFor = knownTables()
  const cache = statementCache()
  const direct = directly(timeout)

  return async <Answer>(answer: AnswerKind<Answer>, question: Question, tables: Tables, session: Session) => {
    const answerWith = async (fitted: Fitted): Promise<Answer> => {
      const answerOn = (on: Session) => {
        const runFor = (asked: Question) => runnerOf(asked, fitted, on, cache)
        return answer({ question, planning: fitted.planning, run: runFor(question), runFor, deadline: on.deadline })
      }
      try {
        const { whole } = fitted
        const found = whole && !canMove(question) ? await direct(session, fitted, whole, answerOn) : undefined
        if (found) return found
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

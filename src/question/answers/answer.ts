/** What a kind of answer is. Another kind, such as a page after a key, is one more file of this folder. */
import type { Deadline } from '../../database/deadline.js'
import type { Question } from '../asked/question.js'
import type { Run, Statements } from '../sql/compiled-statements.js'

/** What a kind of answer is made from. */
export interface Asking {
  readonly question: Question
  readonly statements: Statements
  readonly run: Run
  readonly deadline: Deadline
}

/** Runs some of the statements, and makes the answer of what they read. */
export type AnswerKind<Answer> = (asking: Asking) => Promise<Answer>

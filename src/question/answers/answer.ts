/** What a kind of answer is. Each kind, such as a page or one record, is a file of this folder. */
import type { Deadline } from '../../database/deadline.js'
import type { Matches, Question } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'
import type { Run } from '../sql/statement.js'

/** What a search matches: `few` has the ids of both sides, `many` has none of a side with too many. */
export type Search =
  | { readonly kind: 'unlimited'; readonly matches?: undefined }
  | { readonly kind: 'none' | 'few' | 'many'; readonly matches: Matches }

/** What a kind of answer is made from. */
export interface Asking extends Pick<Fitted, 'planning'> {
  readonly question: Question
  /** Runs a statement of the question. */
  readonly run: Run
  /** The same for another question on the same tables. */
  readonly runFor: (question: Question) => Run
  readonly deadline: Deadline
  /** What the search matches, if it was read already. */
  readonly search?: Search | undefined
}

/** Runs some statements, and makes the answer of what they read. */
export type AnswerKind<Answer> = (asking: Asking) => Promise<Answer>

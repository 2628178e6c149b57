/** What a kind of answer is. Each kind, such as a page or one record, is a file of this folder. */
import type { Deadline } from '../../database/deadline.js'
import type { Question } from '../asked/question.js'
import type { Run, Statements } from '../sql/compiled-statements.js'
import type { Matches } from '../sql/search.js'

/** What a search matches: `few` has the ids of both sides, `many` has none of a side with too many. */
export type Search =
  | { readonly kind: 'unlimited'; readonly matches?: undefined }
  | { readonly kind: 'none' | 'few' | 'many'; readonly matches: Matches }

/** What a kind of answer is made from. */
export interface Asking {
  readonly question: Question
  readonly statements: Statements
  /** The statements of another question on the same tables. */
  readonly statementsFor: (question: Question) => Statements
  readonly run: Run
  readonly deadline: Deadline
  /** What the search matches, if it was read already. */
  readonly search?: Search | undefined
}

/** Runs some of the statements, and makes the answer of what they read. */
export type AnswerKind<Answer> = (asking: Asking) => Promise<Answer>

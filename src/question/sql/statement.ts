/** What a statement is. Each kind of statement is a function of another file of this folder. */
import type { RawBuilder } from 'kysely'
import type { CellReader, Row } from '../../database/cells.js'
import type { Step } from '../../database/session.js'
import type { Question, Shape } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'

/** What one statement reads: its SQL, and how its rows are read. */
export interface Statement<Result> {
  readonly step: Step
  /** What tells it from the other statements of a shape. Undefined if it serves this question only. */
  readonly key: readonly unknown[] | undefined
  /** The values of its own slots. The texts of the question have others. */
  readonly values?: object
  sql(shape: Shape, fitted: Fitted): RawBuilder<Row>
  read(rows: Row[], readCell: CellReader, question: Question): Result
}

/** @param milliseconds a limit in addition to the deadline */
export type Run = <Result>(statement: Statement<Result>, milliseconds?: number) => Promise<Result>

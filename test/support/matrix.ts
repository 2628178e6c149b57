/** Appends a row of a test matrix as a JSON line to the file of `MATRIX_REPORT`, if that is set. */
import { appendFileSync } from 'node:fs'

export interface MatrixRow {
  /** The name of the matrix. */
  part: string
  name: string
  /** The number of compared answers, and the number of those with the same bytes. */
  tried: number
  identical: number
  /** The message to the operator, if the answer was a refusal with a reason. */
  refused?: string
  /** One line for each different answer. */
  different: string[]
}

export function report(row: MatrixRow): void {
  const file = process.env.MATRIX_REPORT
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`)
}

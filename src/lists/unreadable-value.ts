/** The error of a cell that a field cannot read. The message completes "Column x of record y …". */
export class UnreadableValue extends Error {}

export const refuse = (problem: string): never => {
  throw new UnreadableValue(problem)
}

/** A cell whose text a field cannot read. The message completes the sentence "Column x of record y …". */
export class UnreadableValue extends Error {}

export const refuse = (problem: string): never => {
  throw new UnreadableValue(problem)
}

/** Reads the value of a cell from its text. What cannot be read is an error and never a guess. */
import { day, time as readTime } from './dates.js'

/** The error of a cell that a column cannot read. The message completes "Column x of record y …". */
export class UnreadableValue extends Error {}

/** A BIT is a character with the code 0 or 1. */
const booleans = new Map([
  ...['1', 'true', 't', '\u0001'].map((text) => [text, true] as const),
  ...['0', 'false', 'f', '\0'].map((text) => [text, false] as const)
])

export function refuse(problem: string): never {
  throw new UnreadableValue(problem)
}

export function dayOf(text: string): string | null {
  const found = day(text)
  if (found !== undefined) return found
  const advice = readTime(text) === undefined ? '' : ': select date(…) of a date and time'
  return refuse(`is not a date in the form YYYY-MM-DD${advice}`)
}

export const booleanOf = (text: string): boolean => booleans.get(text) ?? refuse('is not 0, 1, true or false')

export function timeOf(text: string): string | null {
  const parsed = readTime(text)
  return parsed === undefined ? refuse('is not a date and time') : parsed
}

export function number(text: string, form: RegExp, isExact: (value: number) => boolean, expected: string): number {
  const value = Number(text)
  return form.test(text) && isExact(value) ? value : refuse(`is not ${expected}`)
}

/** Suggests the name that a misspelt name stands for. */
import { distance } from 'fastest-levenshtein'
import { describe } from './describe.js'

/** @returns undefined when no known name is similar */
export const suggestionFor = (name: string, known: readonly string[]): string | undefined => {
  const distanceTo = (other: string) => distance(name.toLowerCase(), other.toLowerCase())
  const [nearest = ''] = [...known].sort((one, other) => distanceTo(one) - distanceTo(other))
  return distanceTo(nearest) <= Math.min(2, Math.floor(nearest.length / 3)) ? nearest : undefined
}

/** Shows a wrong word of a closed set, which is no password. */
export const describeWord = (value: unknown, known: readonly string[]): string =>
  typeof value === 'string' && value ? `'${value.slice(0, 64)}'${hintFor(value, known)}` : describe(value)

/** For the end of a message. Empty when no known name is similar. */
export function hintFor(name: string, known: readonly string[]): string {
  const suggestion = suggestionFor(name, known)
  return suggestion ? ` (did you mean '${suggestion}'?)` : ''
}

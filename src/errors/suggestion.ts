/** Suggests the name that a misspelt name stands for. */
import { closest, distance } from 'fastest-levenshtein'

/** @returns undefined when no known name is similar */
export function suggestionFor(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  const nearest = closest(
    lower,
    known.map((each) => each.toLowerCase())
  )
  const suggestion = known.find((each) => each.toLowerCase() === nearest)
  return distance(lower, nearest) <= Math.min(2, Math.floor(nearest.length / 3)) ? suggestion : undefined
}

/** For the end of a message. Empty when no known name is similar. */
export function hintFor(name: string, known: readonly string[]): string {
  const suggestion = known.length > 0 ? suggestionFor(name, known) : undefined
  return suggestion ? ` (did you mean '${suggestion}'?)` : ''
}

/** Suggests the name that a misspelt name stands for. */
import { closest, distance } from 'fastest-levenshtein'

/** @returns undefined when no known name is similar */
export function suggestionFor(name: string, known: readonly string[]): string | undefined {
  const nearest = closest(name, known)
  return distance(name.toLowerCase(), nearest.toLowerCase()) <= Math.ceil(nearest.length / 4) ? nearest : undefined
}

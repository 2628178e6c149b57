/** Describes what a host has written wrongly, and suggests what the host may mean. */
import { distance } from 'fastest-levenshtein'

/** The value without its contents, which can be a password. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string'
  if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Promise) return 'a promise'
  // A key that is no identifier can be data.
  const names = Object.keys(value).filter((name) => /^[a-z_$]\w{0,31}$/i.test(name))
  return `an object with ${names.slice(0, 8).join(', ') || 'no properties'}`
}

/** The word with two neighbours swapped, such as `emial` for `email`. */
const swapsOf = (word: string) =>
  Array.from(word.slice(1), (next, place) => word.slice(0, place) + next + word[place] + word.slice(place + 2))

/** @returns undefined when no known name is similar */
export const suggestionFor = (name: string, known: readonly string[]): string | undefined => {
  const [word, ...swapped] = [name.toLowerCase(), ...swapsOf(name.toLowerCase().slice(0, 64))]
  const distanceTo = (other: string) => {
    const known = other.toLowerCase()
    return swapped.includes(known) ? 1 : distance(word, known)
  }
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

/** Also of another realm, as in Jest, and without a prototype, as the `query` of a Fastify request. */
export const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  [value, Object.getPrototypeOf(value)].some((each) => each === null || Object.getPrototypeOf(each) === null)

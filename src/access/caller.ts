/** Who asks, and which records they may see. */
import { describe, isPlainObject } from '../errors/describe.js'
import { Failure } from '../errors/failure.js'
import type { Caller, Grants } from '../lists/grants.js'
import type { List } from '../lists/list.js'
import { grantsFor } from '../lists/view.js'

/** @throws Failure for roles that may not see the list, and for a caller without an id that the whole list needs */
export function reachFor(list: List, caller: Caller): Grants {
  const grants = grantsFor(list, caller)
  if (!grants) throw new Failure('forbidden', 'The role may not see this list.')
  const missing = missingId(list, caller)
  if (missing === undefined) return grants
  const text = `resolveRole must return ids.${missing}, because '${list.name}' is within it; it returned none.`
  throw new Failure('internal', text, { callback: 'resolveRole' })
}

/** The name of an id that the whole list needs, and that the caller lacks. */
export const missingId = ({ within }: Pick<List, 'within'>, { ids }: Pick<Caller, 'ids'>): string | undefined =>
  Object.values(within).find((name) => !Object.hasOwn(ids, name))

/** The host can be plain JavaScript. */
export function callerFrom(given: unknown, refuse: (rule: string, got: string) => never): Caller {
  const { userId, role, ids } = typeof given === 'object' ? Object(given) : {}
  const got = (value: unknown) => describe(value === undefined ? given : value)
  if (!isId(userId)) {
    refuse('userId that is a safe integer, a bigint or a non-empty string without control characters', got(userId))
  }
  // A later change of the host's object has no effect.
  const roles: unknown[] = [role].flat()
  if (!roles.every((each): each is string => typeof each === 'string')) {
    return refuse('role that is a string, or an array of strings', got(role))
  }
  const named = ids ? idsFrom(ids, refuse) : []
  const held = named.flatMap(([name, id]) => (id === null || id === undefined ? [] : [[name, String(id)] as const]))
  return { userId: String(userId), roles, ids: Object.fromEntries(held), idNames: named.map(([name]) => name) }
}

/** An id that is null or undefined is one that the caller does not have. */
function idsFrom(given: unknown, refuse: (rule: string, got: string) => never): [name: string, id: unknown][] {
  if (!isPlainObject(given)) refuse('plain object as ids', describe(given))
  const named = Object.entries(given as object)
  const [name, wrong] = named.find(([, id]) => id !== undefined && id !== null && !isId(id)) ?? []
  if (name !== undefined) refuse(`valid id as ids.${name}, such as userId`, describe(wrong))
  return named
}

/** Drivers can end a text at NUL, and replace half a surrogate pair by another character. */
const isId = (userId: unknown): boolean =>
  typeof userId === 'string'
    ? /^[^\p{Cc}\p{Cs}]+$/u.test(userId)
    : typeof userId === 'bigint' || Number.isSafeInteger(userId)

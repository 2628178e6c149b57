/** Who asks, and which records they may see. */
import { describe } from '../errors/describe.js'
import { Failure } from '../errors/failure.js'
import type { List } from '../lists/list.js'
import { type Caller, type ResolvedReach, reachOfRole } from '../lists/reach.js'

/** @throws Failure for a role that may not see the list */
export function reachFor(list: List, { role }: Caller): ResolvedReach {
  const reach = reachOfRole(list, role)
  if (reach === 'none') throw new Failure('forbidden', 'The role may not see this list.')
  return reach
}

/** The host can be plain JavaScript. */
export function callerFrom(given: unknown, refuse: (rule: string, got: string) => never): Caller {
  const { userId, role } = typeof given === 'object' ? Object(given) : {}
  const got = (value: unknown) => describe(value === undefined ? given : value)
  if (!isId(userId)) {
    refuse('userId that is a safe integer, a bigint or a non-empty string without control characters', got(userId))
  }
  if (typeof role !== 'string') refuse('role that is a string', got(role))
  return { userId: String(userId), role }
}

/** Drivers can end a text at NUL, and replace half a surrogate pair by another character. */
const isId = (userId: unknown): boolean =>
  typeof userId === 'string'
    ? /^[^\p{Cc}\p{Cs}]+$/u.test(userId)
    : typeof userId === 'bigint' || Number.isSafeInteger(userId)

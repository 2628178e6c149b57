/**
 * The caller: checks what `resolveRole` has returned.
 *
 * This folder decides who may see what: caller + list → grants (`reach-of-role.ts`) → what may be asked
 * (`allowed-parameters.ts`) → what stands in which record (`partial-columns.ts`). A role only adds: whatever a caller
 * may see or ask with one role, they may also see and ask with that role and others. The SQL of it is
 * `question/sql/visibility.ts`.
 */
import { describe, isPlainObject } from '../errors/describe.js'

export interface Caller {
  readonly userId: string
  readonly roles: readonly string[]
  /** More ids of the caller, by the names that grants and `within` have for them. */
  readonly ids: Readonly<Record<string, string>>
}

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
  return { userId: String(userId), roles, ids: Object.fromEntries(held) }
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

/** Who gets no answer: a caller whose roles may not see the list, and one without the id of the tenant. */
import { Failure } from '../errors/failure.js'
import type { List } from '../lists/list.js'
import type { Caller } from './caller.js'
import type { Grants } from './grants.js'
import { grantsFor } from './role-grants.js'

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

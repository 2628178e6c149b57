/** The ids of a caller that the whole list needs, such as that of the tenant. */
import { Failure } from '../errors/failure.js'
import type { List } from '../lists/list.js'
import type { Caller } from './caller.js'

/** @throws Failure for a caller without an id that the whole list needs */
export function requireTenantId(list: Pick<List, 'name' | 'within'>, caller: Pick<Caller, 'ids'>): void {
  const missing = missingId(list, caller)
  if (missing === undefined) return
  const text = `resolveRole must return ids.${missing}, because '${list.name}' is within it; it returned none.`
  throw new Failure('internal', text, { callback: 'resolveRole' })
}

/** The name of an id that the whole list needs, and that the caller lacks. */
export const missingId = ({ within }: Pick<List, 'within'>, { ids }: Pick<Caller, 'ids'>): string | undefined =>
  Object.values(within).find((name) => !Object.hasOwn(ids, name))

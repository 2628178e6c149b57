/** Which records of a list the roles of a caller reach, what a role gets that the list does not name, and who gets a 403. */
import { Failure } from '../errors/failure.js'
import type { List } from '../lists/list.js'
import type { LinkedBy, OwnBy, Reach, RoleReach, Roles, WhereValue } from '../lists/roles.js'
import type { Caller } from './caller.js'
import { everything, type Grant, type Grants, heldBy, united } from './grant.js'
import { hiddenFields } from './hidden-fields.js'
import { requireTenantId } from './tenant-id.js'

/** @throws Failure for roles that may not see the list, and for a caller without an id that the whole list needs */
export function reachFor(list: List, caller: Caller): Grants {
  const grants = grantsFor(list, caller)
  if (!grants) throw new Failure('forbidden', 'The role may not see this list.')
  requireTenantId(list, caller)
  return grants
}

/** The grants of all roles of a caller. Undefined if none of the roles may see the list. */
export function grantsFor(list: List, { roles, ids }: Pick<Caller, 'roles' | 'ids'>): Grants | undefined {
  const grants = grantsOfRoles(list, roles).flat()
  if (grants.length === 0) return undefined
  const held = heldBy({ ids }, grants)
  return roles.length > 1 ? united(held) : held
}

export const grantsOfRoles = (list: List, roles: Caller['roles']): Grants[] =>
  (roles.length > 0 ? roles : [undefined]).map((role) => grantsOfRole(list, role))

function grantsOfRole(list: List, role: string | undefined): Grants {
  const hides = hiddenFields(list, role)
  return reachOfRole(list, role).map((grant) => (hides.length > 0 ? { ...grant, hides } : grant))
}

/** Without an owner, a definition names neither `own` nor `linked`. */
export function reachOf(given: RoleReach, { owner = '' }: Pick<Roles, 'owner'>): Grants {
  if (given === 'all') return everything
  if (given === 'none') return []
  if (given === 'own') return [{ column: owner }]
  if (given === 'linked') return [{ column: owner, by: 'links' }, { column: owner }]
  return [given].flat().map(grantOf)
}

function grantOf(part: Exclude<RoleReach, Reach | readonly unknown[]>): Grant {
  const { own, linked, by = 'links', callerId, where }: Partial<OwnBy & LinkedBy> = part
  const column = own ?? linked
  const textOf = (value: WhereValue | null | undefined) => (value === null ? null : String(value))
  const conditions = Object.entries(where ?? {}).map(([name, values]) => [name, [values].flat().map(textOf)] as const)
  return {
    ...(column !== undefined && { column }),
    ...(linked !== undefined && { by }),
    ...(callerId !== undefined && { callerId }),
    ...(conditions.length > 0 && { where: conditions })
  }
}

/** @param role undefined for a caller without any, who is as one of an unknown role */
export const reachOfRole = (list: Roles, role: string | undefined): Grants =>
  reachOf((role !== undefined && Object.hasOwn(list.roles, role) && list.roles[role]) || list.otherRoles, list)

export const reachesOf = (list: Roles): Grants[] =>
  [...Object.values(list.roles), list.otherRoles].map((given) => reachOf(given, list))

/** The columns whose ids decide whether a record is in the reach of a role. */
export const columnsOfReach = (list: Roles, by?: string): string[] => {
  const grants = reachesOf(list).flatMap((reach) => reach.filter((grant) => by === undefined || grant.by === by))
  const within = by === undefined ? Object.keys(list.within) : []
  return [...new Set([...grants.flatMap(({ column }) => column ?? []), ...within])]
}

export const columnsOfWhere = (list: Roles): string[] =>
  reachesOf(list).flatMap((reach) => reach.flatMap(({ where = [] }) => where.map(([column]) => column)))

/** Tells the operator of roles that may be misspelt, and of roles that may see a stranger's records as their own. */
import type { FastifyInstance } from 'fastify'
import { hintFor } from '../errors/describe.js'
import type { List } from '../lists/list.js'
import type { RoleReach } from '../lists/roles.js'
import type { Settings } from '../options/settings.js'
import { reachOf } from '../visibility/reach-of-role.js'

export type NoticeRole = (role: string) => void

/** Returns what logs a role once that no list names, such as `ADMIN`. */
export function roleNoticer(
  { log }: Pick<FastifyInstance, 'log'>,
  { lists, newRoles }: Pick<Settings, 'lists' | 'newRoles'>
): NoticeRole {
  const known = new Set(lists.flatMap(({ roles }) => Object.keys(roles)))
  // The option `roles` takes any role.
  for (const role of newRoles) {
    const others = [...known].filter((other) => other !== role)
    const hint = hintFor(role, others)
    if (hint) log.warn(`The role '${role}' is new, or misspelt in the option roles${hint}.`)
  }
  for (const list of lists) {
    for (const role of othersOwn(lists, list)) {
      const text = `The role '${role}' has records by another column in one list, and is any other role in '${list.name}'`
      log.warn(`${text}: give it a reach there, in the definition or in the option roles.`)
    }
  }
  const logged = new Set<string>()
  return (role) => {
    // The limit bounds the memory.
    if (known.has(role) || logged.has(role) || logged.size === 100) return
    logged.add(role)
    log.warn(
      { role: role.slice(0, 64), known: [...known] },
      'The role is unknown, so its callers see what any other role sees. Check its spelling, or give it a reach, in the definition or in the option roles.'
    )
  }
}

/** Roles whose `userId` may be an instructor's and no user's: another list says so, and this list takes it for a user's. */
function othersOwn(lists: readonly List[], list: List): Set<string> {
  const ofUserId = (of: List, reach: RoleReach) =>
    reachOf(reach, of).filter(({ column, callerId }) => column !== undefined && callerId === undefined)
  if (ofUserId(list, list.otherRoles).length === 0) return new Set()
  const named = lists.flatMap((of) =>
    Object.keys(of.roles).filter((role) =>
      ofUserId(of, of.roles[role] as RoleReach).some(
        ({ column, by = 'links' }) => column !== of.owner || by !== 'links'
      )
    )
  )
  return new Set(named.filter((role) => !Object.hasOwn(list.roles, role)))
}

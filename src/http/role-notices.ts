/** Tells the operator of roles that may be misspelt. */
import type { FastifyInstance } from 'fastify'
import { hintFor } from '../errors/describe.js'
import type { List } from '../lists/list.js'
import { type RoleReach, reachOf } from '../lists/reach.js'
import type { Settings } from '../options/settings.js'

/** @returns logs each unknown role once, which reveals a misspelt role such as `ADMIN` */
export function roleNoticer({ log }: FastifyInstance, { lists, newRoles }: Pick<Settings, 'lists' | 'newRoles'>) {
  const known = new Set(lists.flatMap(({ roles }) => Object.keys(roles)))
  // The option `roles` takes any role.
  for (const role of newRoles) {
    const others = [...known].filter((other) => other !== role)
    const hint = hintFor(role, others)
    if (hint) log.warn(`The role '${role}' is new, or misspelt in the option roles${hint}.`)
  }
  // An instructor's id can be the id of a user, whose records the instructor would see.
  for (const list of lists) {
    for (const role of othersOwn(lists, list)) {
      const text = `The role '${role}' has records by another column in one list, and is any other role in '${list.name}'`
      log.warn(`${text}: give it a reach there, in the definition or in the option roles.`)
    }
  }
  const logged = new Set<string>()
  return (role: string): void => {
    // The limit bounds the memory.
    if (known.has(role) || logged.has(role) || logged.size === 100) return
    logged.add(role)
    log.warn(
      { role: role.slice(0, 64), known: [...known] },
      'The role is unknown, so its callers see what any other role sees. Check its spelling, or give it a reach, in the definition or in the option roles.'
    )
  }
}

/**
 * The roles that may be confused with users here: the list does not name them and compares their `userId`, and another list
 * compares it with other ids than those of users. Where a part compares an id of its own name, the `userId` is still a user's.
 */
function othersOwn(lists: readonly List[], list: List): Set<string> {
  const ofUserId = (of: List, reach: RoleReach) =>
    reachOf(reach, of).filter(({ column, callerId }) => column !== undefined && callerId === undefined)
  if (ofUserId(list, list.otherRoles).length === 0) return new Set()
  const named = lists.flatMap((of) =>
    Object.entries(of.roles).filter(([, reach]) =>
      ofUserId(of, reach).some(({ column, by = 'links' }) => column !== of.owner || by !== 'links')
    )
  )
  return new Set(named.map(([role]) => role).filter((role) => !Object.hasOwn(list.roles, role)))
}

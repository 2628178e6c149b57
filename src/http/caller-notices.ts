/** Tells the operator of roles, and of names of ids, that may be misspelt. */
import type { FastifyInstance } from 'fastify'
import { hintFor } from '../errors/describe.js'
import type { List } from '../lists/list.js'
import type { RoleReach } from '../lists/reach.js'
import type { Settings } from '../options/settings.js'
import type { Caller } from '../visibility/caller.js'
import { idNamesOf } from '../visibility/grants.js'
import { reachesOf, reachOf } from '../visibility/reach.js'

/** The requests after which the names of ids are compared. */
const enough = 100

export type NoticeCaller = (list: Pick<List, 'roles'>, caller: Pick<Caller, 'roles' | 'idNames'>) => void

/** Logs an unknown role once, such as a misspelt `ADMIN`, and each name of an id that no early request has had. */
export function callerNoticer(
  { log }: Pick<FastifyInstance, 'log'>,
  { lists, newRoles }: Pick<Settings, 'lists' | 'newRoles'>
): NoticeCaller {
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
  const noticeRole = (role: string): void => {
    // The limit bounds the memory.
    if (known.has(role) || logged.has(role) || logged.size === 100) return
    logged.add(role)
    log.warn(
      { role: role.slice(0, 64), known: [...known] },
      'The role is unknown, so its callers see what any other role sees. Check its spelling, or give it a reach, in the definition or in the option roles.'
    )
  }

  const compared = new Set(lists.flatMap((list) => idNamesOf(list, reachesOf(list).flat())))
  const had = new Set<string>()
  let requests = 0
  const noticeIds = (names: readonly string[]): void => {
    if (requests === enough) return
    for (const name of names) had.add(name)
    if (++requests < enough) return
    for (const name of compared) {
      if (had.has(name)) continue
      const text = `In ${enough} requests, resolveRole has not returned the id '${name}'${hintFor(name, [...had])}, which a list compares`
      log.warn(`${text}: check its name in 'callerId' or 'within', and in the 'ids' that resolveRole returns.`)
    }
  }

  return (list, { roles, idNames = [] }) => {
    for (const role of roles) if (!Object.hasOwn(list.roles, role)) noticeRole(role)
    noticeIds(idNames)
  }
}

/** Roles whose `userId` may be no user's, because another list compares it with other ids, and this one with users. */
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

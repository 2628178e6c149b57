/**
 * What the roles of a caller give of a list: the grants, and the list without the fields that no role shows, and without
 * what would tell their values.
 */
import { joinsOf } from './define-list.js'
import { type Caller, type Grants, heldBy, uncovered } from './grants.js'
import type { List } from './list.js'
import { sortSchema } from './orders.js'
import { reachOfRole } from './reach.js'
import { itemSchema, pageSchema } from './schemas.js'

/** The grants of all roles of a caller. Undefined if none of the roles may see the list. */
export function grantsFor(list: List, { roles, ids }: Pick<Caller, 'roles' | 'ids'>): Grants | undefined {
  const grants = grantsOfRoles(list, roles).flat()
  if (grants.length === 0) return undefined
  const reached = heldBy({ ids }, grants)
  return roles.length > 1 ? uncovered(reached) : reached
}

const grantsOfRoles = (list: List, roles: Caller['roles']): Grants[] =>
  (roles.length > 0 ? roles : [undefined]).map((role) => grantsOfRole(list, role))

function grantsOfRole(list: List, role: string | undefined): Grants {
  const reach = reachOfRole(list, role)
  const isHidden = (name: string) => list.fields[name]?.roles?.every((reader) => reader !== role)
  const hides = Object.keys(list.fields).filter(isHidden)
  return hides.length === 0 ? reach : reach.map((grant) => ({ ...grant, hides }))
}

/** The columns of hidden fields that no other field shows. A column that no field shows at all is not hidden. */
export function hiddenColumns({ fields }: Pick<List, 'fields'>, hides: readonly string[]): string[] {
  const columnOf = (name: string) => fields[name]?.column ?? []
  const shown = Object.keys(fields).flatMap((name) => (hides.includes(name) ? [] : columnOf(name)))
  return hides.flatMap(columnOf).filter((column) => !shown.includes(column))
}

const viewsOf = new WeakMap<List, Map<string, List>>()
const bases = new WeakMap<List, List>()

/** The list of a view. */
export const baseOf = (view: List): List => bases.get(view) ?? view

/**
 * What any of the roles shows, whatever ids the caller has. The callers who get the same fields share a view, so that roles of
 * any name make few views.
 */
export function viewOf(list: List, roles: Caller['roles']): List {
  const ofRoles = Object.keys(list.fields).filter((name) => list.fields[name]?.roles)
  if (ofRoles.length === 0) return list
  const hidden = grantsOfRoles(list, roles).flatMap(([grant]) => (grant ? [grant.hides ?? []] : []))
  const never = ofRoles.filter((name) => hidden.every((hides) => hides.includes(name)))
  const partly = ofRoles.filter((name) => !never.includes(name) && hidden.some((hides) => hides.includes(name)))
  const views = viewsOf.get(list) ?? new Map<string, List>()
  const key = JSON.stringify([never, partly])
  const known = views.get(key)
  if (known) return known
  const view = viewWith(list, never, partly)
  viewsOf.set(list, views.set(key, view))
  bases.set(view, list)
  return view
}

function viewWith(list: List, never: readonly string[], partly: readonly string[]): List {
  const hidden = hiddenColumns(list, never)
  const filters = where(list.filters, ({ column }) => !hidden.includes(`r.${column}`))
  const orders = where(list.orders, ({ column }) => !hidden.includes(`r.${column}`))
  const [records, users] = [list.search.records, list.search.users].map((paths) =>
    paths.filter((path) => !hidden.includes(path))
  )
  const search = { ...list.search, records, users } as List['search']
  const { '': _order, ...sorts } = orders
  const parameters = where(list.parameters, (_schema, name) =>
    name === 'search' ? search.records.length + search.users.length > 0 : Object.hasOwn(filters, name)
  )
  if (Object.keys(sorts).length > 0) parameters.sort = sortSchema(sorts)
  const seen = Object.entries(list.fields).filter(([name]) => !never.includes(name))
  const fields = Object.fromEntries(
    seen.map(([name, field]) => [name, partly.includes(name) ? field : { ...field, roles: undefined }])
  )
  const item = itemSchema(fields)
  const page = pageSchema({ ...list, filters }, item)
  return Object.freeze({ ...list, fields, joins: joinsOf(fields), filters, orders, search, parameters, item, page })
}

const where = <Of>(record: Readonly<Record<string, Of>>, isKept: (value: Of, name: string) => boolean) =>
  Object.fromEntries(Object.entries(record).filter(([name, value]) => isKept(value, name)))

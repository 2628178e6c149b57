/** What a caller may ask of a list: no fields that no role shows, and no parameters that would tell their values. */
import { joinsOf } from '../lists/aliases.js'
import { itemSchema, pageSchema } from '../lists/answer-schemas.js'
import type { List } from '../lists/list.js'
import { sortSchema } from '../lists/sort-parameter.js'
import type { Caller } from './caller.js'
import { hiddenColumns, shownByAny, visibleFields } from './hidden-fields.js'
import { grantsOfRoles } from './reach-of-role.js'

const viewsOf = new WeakMap<List, Map<string, List>>()

/** What any role shows, whatever ids the caller has. Equal views are one, so that roles of any name make few. */
export function viewOf(list: List, roles: Caller['roles']): List {
  if (!Object.values(list.fields).some(({ roles }) => roles)) return list
  const hides = grantsOfRoles(list, roles).flatMap(([grant]) => (grant ? [grant.hides ?? []] : []))
  const { never, always } = shownByAny(list, hides)
  const views = viewsOf.get(list) ?? new Map<string, List>()
  const key = JSON.stringify([never, always])
  const view = views.get(key) ?? viewWith(list, never, always)
  viewsOf.set(list, views.set(key, view))
  return view
}

function viewWith(list: List, never: readonly string[], always: readonly string[]): List {
  const hidden = hiddenColumns(list, never)
  const isAsked = ({ column }: { readonly column: string }) => !hidden.includes(`r.${column}`)
  const [filters, orders] = [kept(list.filters, isAsked), kept(list.orders, isAsked)]
  const [records, users] = [list.search.records, list.search.users].map((paths) =>
    paths.filter((path) => !hidden.includes(path))
  )
  const search = { ...list.search, records, users } as List['search']
  const { '': _order, ...sorts } = orders
  const parameters = kept(list.parameters, (_schema, name) =>
    name === 'search' ? search.records.length + search.users.length > 0 : Object.hasOwn(filters, name)
  )
  if (Object.keys(sorts).length > 0) parameters.sort = sortSchema(sorts)
  const fields = visibleFields(list, never, always)
  const item = itemSchema(fields)
  const page = pageSchema({ ...list, filters }, item)
  const view = { ...list, base: list, fields, joins: joinsOf(fields), filters, orders, search, parameters, item, page }
  return Object.freeze(view)
}

const kept = <Of>(members: Readonly<Record<string, Of>>, isKept: (member: Of, name: string) => boolean) =>
  Object.fromEntries(Object.entries(members).filter(([name, member]) => isKept(member, name)))

/** The list as a caller may ask it: without fields that no role shows, and parameters that would tell their values. */

import { joinsOf } from '../lists/aliases.js'
import type { List } from '../lists/list.js'
import { sortSchema } from '../lists/orders.js'
import { itemSchema, pageSchema } from '../lists/schemas.js'
import type { Caller } from './caller.js'
import { hiddenColumns } from './fields.js'
import { grantsOfRoles } from './reach.js'

const viewsOf = new WeakMap<List, Map<string, List>>()
const bases = new WeakMap<List, List>()

export const baseOf = (view: List): List => bases.get(view) ?? view

/** What any role shows, whatever ids the caller has. Equal views are one, so that roles of any name make few. */
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

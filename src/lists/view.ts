/** A list as a role sees it: without the fields of other roles, and without what would tell their values. */
import { joinsOf } from './define-list.js'
import type { List } from './list.js'
import { sortSchema } from './orders.js'
import { itemSchema, pageSchema } from './schemas.js'

const viewsOf = new WeakMap<List, Map<string, List>>()

/** The roles that get the same fields share a view, so that roles of any name make few views. */
export function viewOf(list: List, role: string): List {
  const all = Object.entries(list.fields)
  if (all.every(([, { roles }]) => !roles)) return list
  const seen = all.filter(([, { roles }]) => roles?.includes(role) ?? true)
  const views = viewsOf.get(list) ?? new Map<string, List>()
  const key = seen.map(([name]) => name).join()
  const view = views.get(key) ?? viewWith(list, Object.fromEntries(seen))
  viewsOf.set(list, views.set(key, view))
  return view
}

function viewWith(list: List, seen: List['fields']): List {
  const shown = Object.values(seen).map(({ column }) => column)
  const hidden = new Set(Object.values(list.fields).flatMap(({ column }) => (shown.includes(column) ? [] : column)))
  const isSeen = ({ column }: { column: string }) => !hidden.has(`r.${column}`)
  const [filters, orders] = [where(list.filters, isSeen), where(list.orders, isSeen)]
  const [records, users] = [list.search.records, list.search.users].map((paths) =>
    paths.filter((path) => !hidden.has(path))
  )
  const search = { ...list.search, records, users } as List['search']
  const { '': _order, ...sorts } = orders
  const parameters = where(list.parameters, (_schema, name) =>
    name === 'search' ? search.records.length + search.users.length > 0 : Object.hasOwn(filters, name)
  )
  if (Object.keys(sorts).length > 0) parameters.sort = sortSchema(sorts)
  const fields = Object.fromEntries(Object.entries(seen).map(([name, field]) => [name, { ...field, roles: undefined }]))
  const item = itemSchema(fields)
  const page = pageSchema(list.key, item)
  return Object.freeze({ ...list, fields, joins: joinsOf(fields), filters, orders, search, parameters, item, page })
}

const where = <Of>(record: Readonly<Record<string, Of>>, isKept: (value: Of, name: string) => boolean) =>
  Object.fromEntries(Object.entries(record).filter(([name, value]) => isKept(value, name)))

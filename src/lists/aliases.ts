/**
 * The SQL aliases of the tables of a list. Statements also use `k` (the ids of a page), `v` (the visible ids), `o` (own
 * records) and `b` (the first records of a grant).
 */
import type { List, Path } from './list.js'
import type { LinkedBy, Roles } from './roles.js'

/** A field reads a column of the record, whose alias is `r`, or of one of these tables. */
export const joinable = { users: 'u', practitioners: 'p', memberships: 'm' } as const
export type Joinable = keyof typeof joinable

/** `r.title` for `title`, and `u.email` for `users.email`. */
export function pathOf(column: string): Path {
  const [table, name] = column.split('.') as [Joinable, string?]
  return name === undefined ? `r.${column}` : `${joinable[table]}.${name}`
}

/** @internal The tables that fields read, by alias. */
export const joinsOf = (fields: List['fields']): List['joins'] => {
  const aliases = new Set(Object.values(fields).map(({ column }) => column.split('.')[0]))
  const used = Object.entries(joinable).filter(([, alias]) => aliases.has(alias))
  return Object.fromEntries(used.map(([table, alias]) => [alias, table]))
}

/** @internal All tables of a list by alias: `{ r: 'payments', u: 'users', l_clinic_staff: 'clinic_staff' }`. */
export function tablesOf(list: List): Readonly<Record<string, string>> {
  const { name, search, joins } = list
  return {
    r: name,
    ...((search.users.length > 0 || joins.u) && { u: 'users' }),
    ...Object.fromEntries(linkTablesOf(list).map((by) => [linkAlias(by), by])),
    ...joins
  }
}

/** The tables of links that any role reads. */
export const linkTablesOf = ({ roles, otherRoles }: Pick<Roles, 'roles' | 'otherRoles'>): string[] => {
  const parts = [...Object.values(roles), otherRoles].flat()
  const tables = parts.flatMap((part) => {
    if (typeof part === 'string') return part === 'linked' ? ['links'] : []
    const { linked, by = 'links' }: Partial<LinkedBy> = part
    return linked === undefined ? [] : [by]
  })
  return [...new Set(tables)]
}

export const linkAlias = (by: string): string => (by === 'links' ? 'l' : `l_${by}`)

export const linkedColumn = (by: string) => (by === 'links' ? 'user_id' : 'linked_id')

export const linkedId = (by: string) => `${linkAlias(by)}.${linkedColumn(by)}` as const

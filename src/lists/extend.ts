/** Copies a definition without the properties that are undefined, and adds to it what `extend` says. */
import { isPlainObject } from '../errors/describe.js'
import { type Additions, type Definition, isColumn } from './types/definition.js'

/**
 * A copy, so that a later change has no effect. A property that is undefined, as in
 * `otherRoles: isOpen ? 'all' : undefined`, is left out, but no column and no condition, because callers would see more.
 */
export function given<Of>(value: Of, isCondition?: boolean): Of
export function given(value: unknown, isCondition = false): unknown {
  if (Array.isArray(value)) return value.map((each) => given(each, isCondition))
  if (!isPlainObject(value) || isColumn(value)) return value
  const { own, linked }: { own?: unknown; linked?: unknown } = value
  const isKept = (name: string, part: unknown) =>
    part !== undefined || isCondition || ((name === 'own' || name === 'linked') && own === linked)
  const kept = Object.entries(value).filter(([name, part]) => isKept(name, part))
  return Object.fromEntries(
    kept.map(([name, part]) => [name, given(part, isCondition || name === 'where' || name === 'within')])
  )
}

export function extended(definition: Definition, additions: Additions): Definition {
  const { openapi, columns, joined, fields, search, filters, sort, unshown, ...replaced } = additions
  const allFilters = Object.entries({ ...definition.filters, ...filters })
  return {
    ...definition,
    ...replaced,
    openapi: { ...definition.openapi, ...openapi },
    columns: { ...definition.columns, ...columns },
    joined: {
      users: { ...definition.joined?.users, ...joined?.users },
      practitioners: { ...definition.joined?.practitioners, ...joined?.practitioners }
    },
    fields: { ...definition.fields, ...fields },
    ...(search && {
      search: {
        examples: [],
        ...definition.search,
        ...search,
        columns: [...(definition.search?.columns ?? []), ...(search.columns ?? [])]
      }
    }),
    filters: Object.fromEntries(
      allFilters.map(([name, filter]) => [name, { ...definition.filters?.[name], ...filter }])
    ),
    sort: [...(definition.sort ?? []), ...(sort ?? [])],
    unshown: [...(definition.unshown ?? []), ...(unshown ?? [])]
  } as Definition
}

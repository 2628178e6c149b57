/** Which fields of a list a role does not see, and a caller with several roles, and so which columns. */
import type { List } from '../lists/list.js'

/** @param role undefined for a caller without any */
export const hiddenFields = ({ fields }: Pick<List, 'fields'>, role: string | undefined): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.roles?.every((reader) => reader !== role))

/** Of the fields for roles, those that a caller never sees, and those in every record. `hides`: of each of the roles. */
export function shownByAny({ fields }: Pick<List, 'fields'>, hides: readonly (readonly string[])[]) {
  const ofRoles = Object.keys(fields).filter((name) => fields[name]?.roles)
  const never = ofRoles.filter((name) => hides.every((hidden) => hidden.includes(name)))
  const always = ofRoles.filter((name) => !never.includes(name) && !hides.some((hidden) => hidden.includes(name)))
  return { never, always }
}

/** The fields of a list without those that the caller never sees. Those in every record are no more for some roles. */
export const visibleFields = ({ fields }: Pick<List, 'fields'>, never: readonly string[], always: readonly string[]) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (never.includes(name)) return []
      return [[name, always.includes(name) ? { ...field, roles: undefined } : field]]
    })
  )

/** The columns that only hidden fields show. A column that no field shows at all is not hidden. */
export function hiddenColumns({ fields }: Pick<List, 'fields'>, hides: readonly string[]): string[] {
  const columnOf = (name: string) => fields[name]?.column ?? []
  const shown = Object.keys(fields).flatMap((name) => (hides.includes(name) ? [] : columnOf(name)))
  return hides.flatMap(columnOf).filter((column) => !shown.includes(column))
}

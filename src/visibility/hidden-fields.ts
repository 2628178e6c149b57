/** Which fields of a list a role does not see, and so which columns. */
import type { List } from '../lists/list.js'

/** @param role undefined for a caller without any */
export const hiddenFields = ({ fields }: Pick<List, 'fields'>, role: string | undefined): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.roles?.every((reader) => reader !== role))

/** The columns that only hidden fields show. A column that no field shows at all is not hidden. */
export function hiddenColumns({ fields }: Pick<List, 'fields'>, hides: readonly string[]): string[] {
  const columnOf = (name: string) => fields[name]?.column ?? []
  const shown = Object.keys(fields).flatMap((name) => (hides.includes(name) ? [] : columnOf(name)))
  return hides.flatMap(columnOf).filter((column) => !shown.includes(column))
}

/** The records that a caller should see, as far as items tell: the caller's, or else those of the widest caller. */
import { type Grant, type Grants, isEverything, linkTables } from '../visibility/grant.js'
import { linkedOf } from './host.js'
import { fieldOf, type Item, type ListUnderTest, type SeenItem, type Viewer, valueIn } from './viewer.js'

/** The first caller who sees every record, or every record of the tenant of another caller. */
export function widestIn({ list, viewers }: ListUnderTest, other?: Viewer): Viewer | undefined {
  const tenantOf = ({ caller }: Viewer) => JSON.stringify(Object.values(list.within).map((name) => caller.ids[name]))
  return viewers.find((each) => isEverything(each.reach) && (!other || tenantOf(each) === tenantOf(other)))
}

/** The columns that decide whether grants reach a record. */
export const columnsOf = (grants: Grants): string[] => [
  ...new Set(grants.flatMap(({ column, where = [] }) => [column ?? [], where.map(([name]) => name)].flat()))
]

/** A column of the reach that no item shows, so that nobody can tell whether a record is within it. */
export function hiddenColumn(viewer: Viewer): string | undefined {
  const showing = widestIn(viewer.tested, viewer) ?? viewer
  // The widest caller of a tenant stands for its other callers.
  const within = showing === viewer ? Object.keys(viewer.view.within) : []
  return [...columnsOf(viewer.reach), ...within].find((column) => !fieldOf(showing.view, `r.${column}`))
}

/** An item of the caller, and the `cells` that any item shows of the record. */
export type SeenRecord = SeenItem & { readonly cells: Item }

export async function recordsOf(viewer: Viewer): Promise<SeenRecord[]> {
  const { found } = await viewer.walk()
  const widest = await widestIn(viewer.tested, viewer)?.walk()
  const items = new Map(widest?.found.map(({ id, item }) => [id, item]))
  return found.map((seen) => ({ ...seen, cells: { ...items.get(seen.id), ...seen.item } }))
}

/** Whether grants reach a record. Undefined if its cells lack a column that decides. */
export function reachedBy(grants: Grants, { caller, given, tested: { list } }: Viewer) {
  const linked = linkedOf(given)
  const columns = columnsOf(grants)
  const isKnown = linkTables(grants).every((by) => linked[by])
  return (cells: Item): boolean | undefined => {
    const cellOf = (column: string) => valueIn(cells, list, `r.${column}`)
    const isOneOf = (column: string, values: readonly unknown[] = []) =>
      values.some((value) => String(value ?? '') === String(cellOf(column) ?? ''))
    const isReached = ({ column, by, callerId, where = [] }: Grant) => {
      const id = callerId === undefined ? caller.userId : caller.ids[callerId]
      const hasId = column === undefined || isOneOf(column, by === undefined ? [id] : linked[by])
      return hasId && where.every(([name, values]) => isOneOf(name, values))
    }
    if (!isKnown || columns.some((column) => cellOf(column) === undefined)) return undefined
    const tenant = Object.entries(list.within).filter(([column]) => cellOf(column) !== undefined)
    return tenant.every(([column, name]) => isOneOf(column, [caller.ids[name]])) && grants.some(isReached)
  }
}

/** In which records the columns that a question reads stand, and the fields, for a caller with several grants. */
import type { List, ListColumn, Order, Path } from '../lists/list.js'
import { canLack } from '../lists/sort-parameter.js'
import { type Grants, isEverything, isWithin, united, unitedRecords } from './grant.js'
import { hiddenColumns } from './hidden-fields.js'

/** Fields that stand only in the records of some grants. */
export interface Partly {
  readonly fields: readonly string[]
  readonly grants: Grants
}

/** Columns that stand only in the records of some grants. */
export type Limited = Readonly<Record<Path, Grants>>

/** A filter whose values are counted, in the records where its column stands. */
export interface CountedFilter {
  readonly filter: string
  readonly reach: Grants
  readonly limited?: Limited | undefined
}

/** The records that have a place by their value in a column, or the others. */
export interface Part {
  readonly column: string
  readonly isRest: boolean
}

/** What a question reads. */
interface Reading {
  /** The view of the caller. */
  readonly list: List
  readonly term?: string | undefined
  readonly filters: Readonly<Record<string, unknown>>
}

interface Sorted extends Reading {
  readonly order: Order
  readonly after?: { readonly value: string | null } | undefined
}

/** What a question reads besides its search and its filters. */
interface More {
  /** A column that stands in every record that is found. */
  readonly found?: Path
  readonly read?: Path
  /** Instead of the fewest records that hold all that is found. */
  readonly reach?: Grants
}

/**
 * A record has the rights of all grants that reach it: a filter, the search or an order reads a column only where one
 * of them shows it. What an item shows does not depend on the question.
 */
export function granted(grants: Grants, { list, term, filters }: Reading, { found, read, ...more }: More = {}) {
  if (!grants.some(({ hides }) => hides)) return { reach: more.reach ?? grants }
  const compared = [...Object.keys(filters).map((name) => columnOf(list, name)), ...(found ? [found] : [])]
  const searched = term === undefined ? [] : [...list.search.records, ...list.search.users]
  // What a filter or the search finds lies in the records where its columns stand.
  const finding = [...compared.map((path) => [path]), ...(searched.length > 0 ? [searched] : [])]
  const sets = finding.map((paths) => united(paths.flatMap((path) => showing(list, grants, path))))
  const [fewest = []] = [...sets, unitedRecords(grants)].sort((one, other) => sizeOf(one) - sizeOf(other))
  const { reach = fewest } = more
  const paths = [...compared, ...searched, ...(read ? [read] : [])]
  const standing = paths.map((path) => [path, showing(list, grants, path)] as const)
  const limited: Limited = Object.fromEntries(standing.filter(([, by]) => !reach.every((grant) => isWithin(grant, by))))
  return { reach, limited, partly: partlyShown(list, grants) }
}

const columnOf = (list: List, filter: string): Path => `r.${list.filters[filter]?.column}`

/** The grants that show a column. */
const showing = (list: List, grants: Grants, path: Path): Grants =>
  unitedRecords(grants.filter(({ hides = [] }) => !hiddenColumns(list, hides).includes(path)))

/** The records of an id are fewer than those of linked ids, and these are fewer than those of a condition. */
const sizeOf = (grants: Grants): number =>
  grants.reduce((size, { column, by }) => size + (column === undefined ? 100 : by === undefined ? 1 : 10), 0)

/** A count is the total of a request with the filter, so it counts where the column of the filter stands. */
export const countedFilters = (grants: Grants, reading: Reading, names: readonly string[]): CountedFilter[] =>
  names.map((filter) => {
    const reach = showing(reading.list, grants, columnOf(reading.list, filter))
    return { filter, reach, limited: granted(grants, reading, { reach }).limited }
  })

/** Undefined where each record of the caller has a place by its value. */
export function partsOf<Question extends Sorted>(grants: Grants, question: Question) {
  const { list, order, after } = question
  const { column, direction } = order
  if (!canLack(list, order)) return undefined
  const path: Path = `r.${column}`
  const rest = granted(grants, question, { read: path })
  // Another role may have walked to this place.
  const isLast = after?.value === null
  if (!rest.limited?.[path] && (list.columns[column] as ListColumn).whenNull === 'error' && !isLast) return undefined
  const byId: Order = { column: list.id, direction }
  return [
    { ...question, ...granted(grants, question, { found: path }), part: { column, isRest: false } },
    { ...question, ...rest, part: { column, isRest: true }, order: byId }
  ] as const
}

/** The fields that the view shows, but not each grant. Those of the same grants stand together. */
function partlyShown({ fields }: List, grants: Grants): Partly[] {
  const groups = new Map<string, Partly>()
  for (const name of Object.keys(fields).filter((name) => fields[name]?.roles)) {
    const by = unitedRecords(grants.filter(({ hides = [] }) => !hides.includes(name)))
    if (isEverything(by)) continue
    const key = JSON.stringify(by)
    groups.set(key, { grants: by, fields: [...(groups.get(key)?.fields ?? []), name] })
  }
  return [...groups.values()]
}

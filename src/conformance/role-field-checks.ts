/** Checks in which records a field for roles stands, and that filters go by what stands in each record. */
import type { Filter, Path } from '../lists/list.js'
import { grantsFor } from '../visibility/reach-of-role.js'
import { fail, type Query } from './client.js'
import { reachedBy, recordsOf, type SeenRecord } from './expected-reach.js'
import { fieldsOf, type Item, type ListUnderTest, type SeenItem, type Viewer, valueIn } from './viewer.js'

export async function fieldsFollowTheirRoles(tested: ListUnderTest): Promise<string | undefined> {
  let isTold = false
  for (const viewer of tested.viewers) {
    if (viewer.given.role === undefined) continue
    const records = await recordsOf(viewer)
    if (requireFields(viewer, records)) isTold = true
    await requireFilters(viewer, records)
    await requireFound(viewer, records)
  }
  const why = "No caller has a 'role' that gets such a field, or no field shows the columns of its reach."
  return isTold ? undefined : why
}

/** @returns whether any item tells that a role of the caller gets a field */
function requireFields(viewer: Viewer, records: readonly SeenRecord[]): boolean {
  const { list } = viewer.tested
  const grants = grantsFor(list, viewer.caller) ?? []
  let isTold = false
  for (const [name, { roles }] of Object.entries(list.fields)) {
    if (!roles) continue
    const showing = grants.filter(({ hides = [] }) => !hides.includes(name))
    const isReached = reachedBy(showing, viewer)
    for (const { id, item, cells, answer } of records) {
      const is = isReached(cells)
      if (is === undefined) continue
      isTold ||= showing.length > 0
      if (is === Object.hasOwn(item, name)) continue
      const wrong = is ? `lacks ${name}, although a role` : `shows ${name}, but no role`
      fail(answer, `record ${id} ${wrong} that gets the field reaches the record.`)
    }
  }
  return isTold
}

async function requireFilters(viewer: Viewer, records: readonly SeenRecord[]): Promise<void> {
  const { list } = viewer.tested
  for (const [name, filter] of Object.entries(viewer.view.filters)) {
    const path: Path = `r.${filter.column}`
    const fields = fieldsOf(list, path)
    if (fields.length === 0 || fields.some((field) => !list.fields[field]?.roles)) continue
    const isHidden = ({ item }: SeenItem) => valueIn(item, list, path) === undefined
    // The value of a hidden cell proves most.
    const cells = [...records.filter(isHidden), ...records].map(({ cells }) => valueIn(cells, list, path))
    const value = valueFor(filter, cells)
    if (value === undefined) continue
    const { answer, found } = await viewer.page({ [name]: value, limit: viewer.maxLimit })
    const wrong = found.find(isHidden)
    if (!wrong) continue
    fail(answer, `record ${wrong.id} does not show ${fields.join(' or ')}, but the parameter ${name} finds it.`)
  }
}

/** The record that shows the most values is found by all of them, whichever roles show them. */
async function requireFound(viewer: Viewer, records: readonly SeenItem[]): Promise<void> {
  const queries = records.map(({ id, item }) => ({ id, query: queryFinding(viewer, item) }))
  const [most] = queries.sort((one, other) => Object.keys(other.query).length - Object.keys(one.query).length)
  const names = Object.keys(most?.query ?? {})
  if (!most || names.length === 0) return
  const { answer, total, found } = await viewer.page({ ...most.query, limit: viewer.maxLimit })
  if (total > found.length || found.some(({ id }) => id === most.id)) return
  fail(answer, `record ${most.id} shows the values of ${names.join(' and ')}, but is not found by them.`)
}

function queryFinding({ tested: { list }, view }: Viewer, item: Item): Query {
  const query: Record<string, string> = {}
  for (const [name, filter] of Object.entries(view.filters)) {
    const cell = valueIn(item, list, `r.${filter.column}`)
    // Items round other numbers and times.
    const isRounded = /[<>]/.test(filter.operator) && list.columns[filter.column]?.kind !== 'integer'
    if (cell === undefined || isRounded) continue
    const isEmpty = cell === '' || cell === null
    const value = filter.operator === 'has' && isEmpty ? 'false' : valueFor(filter, [cell])
    if (value !== undefined) query[name] = value
  }
  // A host's own `term` may change the text.
  const searched = view.search.term === String ? [...view.search.records, ...view.search.users] : []
  const texts = searched.map((path) => String(valueIn(item, list, path) ?? ''))
  const search = texts.find((text) => /^[ -~]{1,64}$/.test(text))
  return search === undefined ? query : { ...query, search }
}

/** A parameter has a `T` between a day and a time. */
function valueFor({ operator, notation }: Filter, cells: readonly unknown[]): string | undefined {
  const isValue = (text: string) => (notation ? notation.read(text) !== undefined : /^[ -~]{1,256}$/.test(text))
  const texts = cells.map((cell) => String(cell ?? '')).flatMap((text) => [text, text.replace(' ', 'T')])
  return operator === 'has' ? 'true' : texts.find(isValue)
}

/** Checks in which records a field for roles stands, and that filters go by what stands in each record. */

import type { Filter } from '../lists/list.js'
import type { Grants } from '../visibility/grants.js'
import { fail } from './client.js'
import type { AnyCaller } from './host.js'
import { fieldsOf, type ListUnderTest, type SeenItem } from './list-under-test.js'

export async function fieldsFollowTheirRoles(tested: ListUnderTest): Promise<string | undefined> {
  let isTold = false
  for (const caller of tested.allowed) {
    const grants = tested.grantsOf(caller)
    if (!grants) continue
    for (const [name, { roles }] of Object.entries(tested.list.fields)) {
      const showing = grants.filter(({ hides = [] }) => !hides.includes(name))
      if (roles && (await requireField(tested, caller, name, showing))) isTold ||= showing.length > 0
    }
    await requireFilters(tested, caller)
    await requireFound(tested, caller)
  }
  const why = "No caller has a 'role' that gets such a field, or no field shows the columns of its reach."
  return isTold ? undefined : why
}

/** @returns whether any item tells which grants reach it */
async function requireField(tested: ListUnderTest, caller: AnyCaller, name: string, showing: Grants): Promise<boolean> {
  const isWithin = await tested.within(caller, showing)
  const { found } = await tested.walk(caller)
  const told = found.filter((record) => isWithin(record) !== undefined)
  const wrong = told.find((record) => isWithin(record) !== Object.hasOwn(record.item, name))
  if (!wrong) return told.length > 0
  const [what, role] = isWithin(wrong) ? ['lacks', 'although a role'] : ['shows', 'but no role']
  fail(wrong.answer, `record ${wrong.id} ${what} ${name}, ${role} that gets the field reaches the record.`)
}

async function requireFilters(tested: ListUnderTest, caller: AnyCaller): Promise<void> {
  const { list, settings } = tested
  const { found } = await tested.walk(caller)
  const read = await tested.readerFor(caller)
  for (const [name, filter] of Object.entries(tested.listOf(caller).filters)) {
    const fields = fieldsOf(list, `r.${filter.column}`)
    if (fields.length === 0 || fields.some((field) => !list.fields[field]?.roles)) continue
    const isHidden = ({ item }: SeenItem) => !fields.some((field) => Object.hasOwn(item, field))
    // The value of a hidden cell proves most.
    const cells = [...found.filter(isHidden), ...found].map((record) => read(record, filter.column) ?? '')
    const value = valueFor(filter, cells)
    if (value === undefined) continue
    const page = await tested.page(caller, { [name]: value, limit: settings.maxLimit })
    const wrong = page.found.find(isHidden)
    if (!wrong) continue
    fail(wrong.answer, `record ${wrong.id} does not show ${fields.join(' or ')}, but the parameter ${name} finds it.`)
  }
}

/** The record that shows the most values is found by all of them, whichever roles show them. */
async function requireFound(tested: ListUnderTest, caller: AnyCaller): Promise<void> {
  const { list, settings } = tested
  const { found } = await tested.walk(caller)
  const { filters, search } = tested.listOf(caller)
  /** The text of a column in an item. Undefined where the item does not show the column. */
  const shownIn = ({ item }: SeenItem, path: string) => {
    const field = fieldsOf(list, path).find((field) => Object.hasOwn(item, field))
    return field === undefined ? undefined : String(item[field] ?? '')
  }
  const valuesOf = (record: SeenItem) => {
    const filtered = Object.entries(filters).flatMap(([name, filter]) => {
      const cell = shownIn(record, `r.${filter.column}`)
      // Items round other numbers and times.
      const isRounded = /[<>]/.test(filter.operator) && list.columns[filter.column]?.kind !== 'integer'
      if (cell === undefined || isRounded) return []
      const value = cell === '' && filter.operator === 'has' ? 'false' : valueFor(filter, [cell])
      return value === undefined ? [] : [[name, value] as const]
    })
    // A host's own `term` may change the text.
    const searched = search.term === String ? [...search.records, ...search.users] : []
    const text = searched.map((path) => shownIn(record, path)).find((text) => /^[ -~]{1,64}$/.test(text ?? ''))
    return text === undefined ? filtered : [...filtered, ['search', text] as const]
  }
  const [most] = found
    .map((record) => ({ record, values: valuesOf(record) }))
    .sort((one, other) => other.values.length - one.values.length)
  if (!most || most.values.length === 0) return
  const page = await tested.page(caller, { ...Object.fromEntries(most.values), limit: settings.maxLimit })
  if (page.total > page.found.length || page.found.some(({ id }) => id === most.record.id)) return
  const names = most.values.map(([name]) => name).join(' and ')
  fail(page.answer, `record ${most.record.id} shows the values of ${names}, but is not found by them.`)
}

/** A parameter has a `T` between a day and a time. */
function valueFor({ operator, notation }: Filter, cells: readonly string[]): string | undefined {
  const isValue = (text: string) => (notation ? notation.read(text) !== undefined : /^[ -~]{1,256}$/.test(text))
  return operator === 'has' ? 'true' : cells.flatMap((cell) => [cell, cell.replace(' ', 'T')]).find(isValue)
}

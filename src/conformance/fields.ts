/** Checks in which records a field for roles stands, and that no filter tells more. */
import type { Filter } from '../lists/list.js'
import { fail } from './client.js'
import { fieldsOf, type ListUnderTest, type SeenItem } from './list-under-test.js'

/** @returns why the check is skipped */
export async function fieldsFollowTheirRoles(tested: ListUnderTest): Promise<string | undefined> {
  const { list, allowed, settings } = tested
  const ofRoles = (name: string) => list.fields[name]?.roles !== undefined
  let isTold = false
  for (const caller of allowed) {
    const grants = tested.grantsOf(caller)
    if (!grants) continue
    const { found } = await tested.walk(caller)
    for (const name of Object.keys(list.fields).filter(ofRoles)) {
      const showing = grants.filter(({ hides = [] }) => !hides.includes(name))
      const isWithin = await tested.within(caller, showing)
      for (const record of found) {
        const [isShown, isReached] = [Object.hasOwn(record.item, name), isWithin(record)]
        if (isReached === undefined) continue
        isTold ||= showing.length > 0
        if (isReached === isShown) continue
        const [what, why] = isShown ? ['shows', 'but no'] : ['lacks', 'although a']
        fail(record.answer, `record ${record.id} ${what} ${name}, ${why} role that gets the field reaches the record.`)
      }
    }
    const read = await tested.readerFor(caller)
    for (const [name, filter] of Object.entries(tested.listOf(caller).filters)) {
      const fields = fieldsOf(list, `r.${filter.column}`)
      const isHidden = ({ item }: SeenItem) => !fields.some((field) => Object.hasOwn(item, field))
      // The value of a hidden cell proves most.
      const cells = [...found.filter(isHidden), ...found].map((record) => read(record, filter.column) ?? '')
      const value = fields.length > 0 && fields.every(ofRoles) ? valueFor(filter, cells) : undefined
      if (value === undefined) continue
      const page = await tested.page(caller, { [name]: value, limit: settings.maxLimit })
      const wrong = page.found.find(isHidden)
      if (wrong)
        fail(
          wrong.answer,
          `record ${wrong.id} does not show ${fields.join(' or ')}, but the parameter ${name} finds it.`
        )
    }
  }
  return isTold
    ? undefined
    : "No caller has a 'role' that gets such a field, or no field shows the columns of its reach."
}

/** A parameter has a `T` between a day and a time. */
function valueFor({ operator, notation }: Filter, cells: readonly string[]): string | undefined {
  const isValue = (text: string) => (notation ? notation.read(text) !== undefined : /^[ -~]{1,256}$/.test(text))
  return operator === 'has' ? 'true' : cells.flatMap((cell) => [cell, cell.replace(' ', 'T')]).find(isValue)
}

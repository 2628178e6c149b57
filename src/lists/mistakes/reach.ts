/** Finds what is wrong with a reach, of a definition, of the option `roles`, or of a caller of the conformance checks. */
import { describeWord, hintFor } from '../../errors/describe.js'
import type { List } from '../list.js'
import { sharedTables } from '../shared-tables.js'
import { wordExcept } from './refuse.js'

/** What a reach must be. */
export const aReach =
  'own, linked, all, none, { own: an id column }, { linked: an id column, by: a table of links } or an array of such objects'

/** What a host has written instead of a reach. Undefined for a reach. */
export function notReach(given: unknown, list: Pick<List, 'name' | 'owner' | 'columns'>): string | undefined {
  if (given === 'all' || given === 'none') return undefined
  if (given === 'own' || given === 'linked') {
    return list.owner === undefined ? `'${given}', which needs the property 'owner'` : undefined
  }
  if (!Array.isArray(given)) return notPart(given, list)
  const notPartOf = (part: unknown) => (typeof part === 'string' ? describeWord(part, []) : notPart(part, list))
  const wrong = given.length === 0 ? 'no part' : given.map(notPartOf).find(Boolean)
  return wrong && `an array with ${wrong}`
}

function notPart(part: unknown, { name, columns }: Pick<List, 'name' | 'columns'>): string | undefined {
  const { own, linked: column = own, by = 'links' }: Record<string, unknown> = Object(part)
  const names = Object.keys(Object(part)).sort().join()
  const isPart = ['own', 'linked', 'by,linked'].includes(names) && typeof column === 'string'
  if (!isPart) return describeWord(part, ['own', 'linked', 'all', 'none'])
  const ids = Object.keys(columns).filter((id) => columns[id]?.rules.uses.includes('id'))
  const text = `{ ${names.replace('by,', '')}: '${column}' }`
  if (!ids.includes(column)) return `${text}, which is no id column${hintFor(column, ids)}; there are ${ids.join(', ')}`
  // A database cuts longer aliases, which could then be the same.
  const isShort = typeof by === 'string' && by.length <= 60
  if (by === 'links' || (isShort && wordExcept(...Object.keys(sharedTables), name).test(by))) return undefined
  if (typeof by === 'string' && !isShort) return `${text} by a table of more than 60 characters`
  return `${text} by ${describeWord(by, [])}, which cannot be the name of a table of links`
}

/** Finds what is wrong with a reach: of a definition, the option `roles`, or a caller of the conformance checks. */
import { describe, describeWord, isPlainObject } from '../../errors/describe.js'
import { kindsFor } from '../../kinds/index.js'
import type { KindRules } from '../../kinds/kind.js'
import type { List, ListColumn } from '../list.js'
import { sharedTables } from '../shared-tables.js'
import { thereAre, wordExcept } from './rules.js'

export const aReach =
  'own, linked, all, none, { own: an id column }, { linked: an id column, by: a table of links }, { where: values of columns } or an array of such objects'

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

function notPart(given: unknown, { name, columns }: Pick<List, 'name' | 'columns'>): string | undefined {
  const { where, callerId, ...part }: Record<string, unknown> = Object(given)
  const { own, linked: column = own, by = 'links' } = part
  const wrong = where === undefined ? undefined : notWhere(where, columns)
  if (wrong) return `a part with 'where' ${wrong}`
  const names = Object.keys(part).sort().join()
  if (names === '' && where !== undefined && callerId === undefined) return undefined
  const isPart = ['own', 'linked', 'by,linked'].includes(names) && typeof column === 'string'
  if (!isPart) return describeWord(given, ['own', 'linked', 'all', 'none'])
  if (callerId !== undefined && (typeof callerId !== 'string' || callerId === '')) {
    return `a part with 'callerId' ${describe(callerId)}, which cannot be the name of an id in 'ids' of resolveRole`
  }
  const ids = Object.keys(columns).filter((id) => columns[id]?.rules.uses.includes('id'))
  const text = `{ ${names.replace('by,', '')}: '${column}' }`
  if (!ids.includes(column)) return `${text}, which is no id column${thereAre(ids, column)}`
  // A database cuts longer aliases, which could then be the same.
  const isShort = typeof by === 'string' && by.length <= 60
  if (by === 'links' || (isShort && wordExcept(...Object.keys(sharedTables), name).test(by))) return undefined
  if (typeof by === 'string' && !isShort) return `${text} by a table of more than 60 characters`
  return `${text} by ${describeWord(by, [])}, which cannot be the name of a table of links`
}

/** An empty condition would reach every record, and so would a value that is undefined by mistake. */
function notWhere(where: unknown, columns: List['columns']): string | undefined {
  const conditions = isPlainObject(where) ? Object.entries<unknown>(where as Record<string, unknown>) : []
  if (conditions.length === 0) return `${describe(where)}, which names no column`
  const names = Object.keys(columns).filter((name) => columns[name]?.rules.uses.includes('equal'))
  for (const [name, given] of conditions) {
    if (!names.includes(name)) {
      return `of '${name}', which is no column of the kind ${kindsFor('equal').join(', ')}${thereAre(names, name)}`
    }
    const { rules } = columns[name] as ListColumn
    const values: unknown[] = Array.isArray(given) && given.length > 0 ? given : [given]
    const wrong = values.findIndex((value) => value !== null && !isOfKind(value, rules))
    if (wrong < 0) continue
    const allowed = rules.values?.join(', ') ?? `a value of the kind ${rules.name}`
    return `of '${name}' with ${describeWord(values[wrong], rules.values ?? [])}, and not ${allowed} or null`
  }
  return undefined
}

/** Whether a parameter of the query string could hold the value. */
function isOfKind(value: unknown, { values, notation }: KindRules): boolean {
  const isOne = ['string', 'boolean', 'bigint'].includes(typeof value) || Number.isSafeInteger(value)
  const text = isOne ? String(value) : ''
  const isRead = notation ? notation.read(text) !== undefined : /^[^\p{Cc}\p{Cs}]+$/u.test(text)
  return isRead && (values?.includes(text) ?? true)
}

/** Finds the mistakes that need no column. The compiler finds most of them, but a host may be written in JavaScript. */
import { describe, hintFor, isPlainObject } from '../../errors/describe.js'
import type { Columns } from '../columns.js'
import type { FilterEntry } from '../filters.js'
import type { SearchEntry } from '../search.js'
import { type Joinable, sharedTables } from '../shared-tables.js'
import { type Additions, columnsOf, type Definition, isColumn, joinedOf } from '../types/definition.js'
import { type Refuse, refuseFor, wordExcept } from './refuse.js'

const textExcept = (...names: string[]) => new RegExp(`^(?!(${names.join('|')})$).`)
const anyText: TextRule = [/./, 'a text']
const identifier: TextRule = [/^[\w.-]+$/, "a word of letters, digits, '.', '_' and '-'"]

/** The properties of every answer. */
const envelope = ['status', 'message', 'page', 'limit', 'total']
const tables = Object.keys(sharedTables)

type TextRule = readonly [form: RegExp, what: string]

const texts: Readonly<Record<string, TextRule>> = {
  name: [wordExcept(...tables), `a word of letters, digits, '_' and '-', and none of ${tables.join(', ')}`],
  path: [/^\/[^\s?#%;]+$/, "a text that begins with '/', and has no space, '?', ';', '#' or '%'"],
  key: [textExcept(...envelope), `a text, and none of ${envelope.join(', ')}`],
  order: [/./, "the column that sorts the list, such as 'issued_at', or '-issued_at' for the newest first"],
  'openapi.name': identifier,
  'openapi.operationId': identifier,
  'openapi.summary': anyText,
  'openapi.description': anyText,
  'messages.found': anyText,
  'messages.forbidden': anyText
}

const identifierOfParameter = "a text such as '/lesson/:lesson_id', with one parameter as a whole part of the path"
const ofRecord: Readonly<Record<string, TextRule>> = {
  'record.path': [/^(\/[^\s?#%;:*/]+)*\/:[A-Za-z_]\w*(\/[^\s?#%;:*/]+)*$/, identifierOfParameter],
  'record.key': [textExcept('status', 'message'), 'a text, and none of status, message'],
  'record.messages.found': anyText,
  'record.messages.notFound': anyText
}

const additions = 'columns joined fields filters search sort unshown path key paging record openapi'.split(' ')
const others = ['name', 'id', 'owner', 'order', 'practitioner', 'roles', 'otherRoles', 'within', 'messages']
const documented = ['column', 'description', 'examples']
const ofField = [...documented, 'roles']
const ofFilter = [...documented, 'several', 'range', 'present', 'counted']
const ofSearch = ['columns', 'description', 'examples', 'required', 'term']

export function checkShape(definition: Definition): void {
  const refuse: Refuse = refuseFor(Object(definition).name)
  /** @param known the properties that the object may have. Undefined for an object of words */
  const checkObject = (what: string, value: unknown, known?: readonly string[]) => {
    if (Object(value) !== value || Array.isArray(value)) refuse(`${what} must be an object, and is ${describe(value)}`)
    const other = Object.keys(value as object).find((name) => !(known?.includes(name) ?? wordExcept().test(name)))
    if (other === undefined) return
    if (known) refuse(`${what} has no property '${other}'${hintFor(other, known)}`)
    const rule = "must be a word of letters, digits, '_' and '-', and no name that every object has"
    refuse(`the name '${other}' in ${what} ${rule}`)
  }
  checkObject('the definition', definition, [...additions, ...others])
  const { record } = definition
  if (record !== undefined) checkObject("'record'", record, ['path', 'key', 'messages'])
  for (const [path, [form, what]] of Object.entries({ ...texts, ...(record && ofRecord) })) {
    const value = path.split('.').reduce((part, name) => Object(part)[name], definition as unknown)
    if (typeof value !== 'string' || !form.test(value)) refuse(`'${path}' must be ${what}, and is ${describe(value)}`)
  }
  const { columns = {}, joined: more = {}, fields, search, filters = {}, sort = [], unshown = [] } = definition
  const { roles, within = {} } = definition
  for (const [name, part] of Object.entries({ columns, fields, filters, within })) checkObject(`'${name}'`, part)
  checkObject("'joined'", more, ['users', 'practitioners'])
  for (const [name, entry] of Object.entries(fields)) {
    if (!isColumn(Object(entry))) checkObject(`'fields.${name}'`, entry, ofField)
  }
  for (const [name, filter] of Object.entries(filters)) checkObject(`'filters.${name}'`, filter, ofFilter)
  requireNew('the list has the column', columns, columnsOf({ fields }), refuse)
  for (const [table, ofTable] of Object.entries<Columns>({ columns: columnsOf(definition), ...(more as object) })) {
    checkObject(`'${table}'`, ofTable)
    requireNew(`the table '${table}' has the column`, ofTable, sharedTables[table as Joinable], refuse)
    for (const [name, column] of Object.entries(ofTable)) {
      if (!isColumn(Object(column))) refuse(`'${table}.${name}' must be made by 'column', and is ${describe(column)}`)
      if (column.roles !== undefined && (table !== 'columns' || columnsOf({ fields })[name] !== column)) {
        refuse(`'${table}.${name}' cannot have 'roles': give them to the field that shows the column`)
      }
      const { mistake } = column.rules
      if (mistake) refuse(`column '${name}' ${mistake}`)
    }
  }
  const { key, paging = 'number' } = definition
  if (!['number', 'after'].includes(paging)) refuse(`'paging' must be 'number' or 'after', and is ${describe(paging)}`)
  const isCounted = Object.values<FilterEntry>(filters).some(({ counted }) => counted)
  if ((paging === 'after' && key === 'next') || (isCounted && key === 'counts')) {
    refuse(`'key' cannot be '${key}', which is another property of an answer of this list`)
  }
  for (const [name, part] of Object.entries({ sort, unshown })) {
    if (!Array.isArray(part)) refuse(`'${name}' must be an array of columns, and is ${describe(part)}`)
  }
  if (search !== undefined) checkObject("'search'", search, ofSearch)
  const { columns: searched, term }: Partial<SearchEntry> = search ?? { columns: [''] }
  if (!Array.isArray(searched) || searched.length === 0) {
    refuse(`'search.columns' must be an array of at least one text, and is ${describe(searched)}`)
  }
  if (!['undefined', 'function'].includes(typeof term)) {
    refuse(`'search.term' must be a function of a text, and is ${describe(term)}`)
  }
  if (Object.keys(Object(roles)).length === 0) {
    refuse(`'roles' must be an object with at least one role and its reach, and is ${describe(roles)}`)
  }
}

/** @throws TypeError for a name that the list has already, and for a property that a list cannot change */
export function checkAdditions(definition: Definition, added: Additions): void {
  const refuse = refuseFor(definition.name)
  if (Object(added) !== added) refuse(`'extend' needs an object, and not ${describe(added)}`)
  const other = Object.keys(added).find((name) => !additions.includes(name))
  if (other) refuse(`'extend' cannot change '${other}'; it takes ${additions.join(', ')}`)
  const before = { ...definition, columns: columnsOf(definition) }
  for (const part of ['columns', 'fields', 'filters'] as const) {
    const isMore = ([, entry]: [string, object]) =>
      part !== 'filters' || !isPlainObject(entry) || Object.keys(entry).some((name) => name !== 'counted')
    const more = Object.fromEntries(Object.entries<object>(added[part] ?? {}).filter(isMore))
    requireNew(`the list has the ${part.slice(0, -1)}`, more, before[part], refuse)
  }
  for (const table of ['users', 'practitioners'] as const) {
    requireNew(`the table '${table}' has the column`, added.joined?.[table], joinedOf(definition)[table], refuse)
  }
}

function requireNew(what: string, added: object = {}, before: object = {}, refuse: Refuse): void {
  const taken = Object.keys(added).find((name) => Object.hasOwn(before, name))
  if (taken !== undefined) refuse(`${what} '${taken}' already`)
}

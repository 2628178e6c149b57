/** Finds the mistakes that need no column. The compiler finds most of them, but a host may be written in JavaScript. */
import { describe, hintFor, isPlainObject } from '../../errors/describe.js'
import type { Joinable } from '../aliases.js'
import type { Columns } from '../column.js'
import type { FilterEntry } from '../filter-parameters.js'
import { sharedTables } from '../shared-tables.js'
import { type Additions, columnsOf, type Definition, isColumn, joinedOf } from '../types/definition.js'
import { mustBe, type Refuse, type Rule, refuseFor, rule, text, wordExcept } from './rules.js'

const textExcept = (...names: string[]): Rule =>
  text(`a text, and none of ${names.join(', ')}`, new RegExp(`^(?!(${names.join('|')})$).`))
const anyText = text('a text')
const identifier = text("a word of letters, digits, '.', '_' and '-'", /^[\w.-]+$/)
const namesOfColumns = rule('an array of columns', (value = []) => Array.isArray(value))
const madeByColumn = rule("made by 'column'", (value) => isColumn(Object(value)))
const tables = Object.keys(sharedTables)

const ofDefinition: Readonly<Record<string, Rule>> = {
  name: text(`a word of letters, digits, '_' and '-', and none of ${tables.join(', ')}`, wordExcept(...tables)),
  path: text("a text that begins with '/', and has no space, '?', ';', '#' or '%'", /^\/[^\s?#%;]+$/),
  // The properties of every answer.
  key: textExcept('status', 'message', 'page', 'limit', 'total'),
  order: text("the column that sorts the list, such as 'issued_at', or '-issued_at' for the newest first"),
  'openapi.name': identifier,
  'openapi.operationId': identifier,
  'openapi.summary': anyText,
  'openapi.description': anyText,
  'messages.found': anyText,
  'messages.forbidden': anyText,
  paging: rule("'number' or 'after'", (value = 'number') => value === 'number' || value === 'after'),
  sort: namesOfColumns,
  unshown: namesOfColumns,
  roles: rule('an object with at least one role and its reach', (roles) => Object.keys(Object(roles)).length > 0)
}

const ofRecord: Readonly<Record<string, Rule>> = {
  'record.path': text(
    "a text such as '/lesson/:lesson_id', with one parameter as a whole part of the path",
    /^(\/[^\s?#%;:*/]+)*\/:[A-Za-z_]\w*(\/[^\s?#%;:*/]+)*$/
  ),
  'record.key': textExcept('status', 'message'),
  'record.messages.found': anyText,
  'record.messages.notFound': anyText
}

const ofSearch: Readonly<Record<string, Rule>> = {
  'search.columns': rule('an array of at least one text', (value) => Array.isArray(value) && value.length > 0),
  'search.term': rule('a function of a text', (value) => ['undefined', 'function'].includes(typeof value))
}

const additions = 'columns joined fields filters search sort unshown path key paging record openapi'.split(' ')
const others = ['name', 'id', 'owner', 'order', 'practitioner', 'roles', 'otherRoles', 'within', 'messages']
const documented = ['column', 'description', 'examples']
const ofField = [...documented, 'roles']
const ofFilter = [...documented, 'several', 'range', 'present', 'counted']
const propertiesOf: Readonly<Record<string, readonly string[]>> = {
  record: ['path', 'key', 'messages'],
  joined: ['users', 'practitioners'],
  search: ['columns', 'description', 'examples', 'required', 'term']
}

export function checkShape(definition: Definition): void {
  const refuse: Refuse = refuseFor(Object(definition).name)
  /** @param known the properties that the object may have. Undefined for an object of words */
  const checkObject = (what: string, value: unknown, known?: readonly string[]) => {
    if (Object(value) !== value || Array.isArray(value)) refuse(`${what} must be an object, and is ${describe(value)}`)
    const other = Object.keys(value as object).find((name) => !(known?.includes(name) ?? wordExcept().test(name)))
    if (other === undefined) return
    if (known) refuse(`${what} has no property '${other}'${hintFor(other, known)}`)
    const aWord = "must be a word of letters, digits, '_' and '-', and no name that every object has"
    refuse(`the name '${other}' in ${what} ${aWord}`)
  }
  checkObject('the definition', definition, [...additions, ...others])
  const { record = {}, columns = {}, joined = {}, fields, search = {}, filters = {}, within = {} } = definition
  for (const [name, part] of Object.entries({ record, columns, fields, filters, within, joined, search })) {
    checkObject(`'${name}'`, part, propertiesOf[name])
  }
  const rules = { ...ofDefinition, ...(definition.record && ofRecord), ...(definition.search && ofSearch) }
  for (const [path, rule] of Object.entries(rules)) {
    const value = path.split('.').reduce((part, name) => Object(part)[name], definition as unknown)
    mustBe(refuse, `'${path}'`, rule, value)
  }
  for (const [name, entry] of Object.entries(fields)) {
    if (!isColumn(Object(entry))) checkObject(`'fields.${name}'`, entry, ofField)
  }
  for (const [name, filter] of Object.entries(filters)) checkObject(`'filters.${name}'`, filter, ofFilter)
  const shown = columnsOf({ fields })
  requireNew('the list has the column', columns, shown, refuse)
  for (const [table, ofTable] of Object.entries<Columns>({ columns: columnsOf(definition), ...(joined as object) })) {
    checkObject(`'${table}'`, ofTable)
    requireNew(`the table '${table}' has the column`, ofTable, sharedTables[table as Joinable], refuse)
    for (const [name, column] of Object.entries(ofTable)) {
      const what = `'${table}.${name}'`
      mustBe(refuse, what, madeByColumn, column)
      if (column.roles !== undefined && (table !== 'columns' || shown[name] !== column)) {
        refuse(`${what} cannot have 'roles': give them to the field that shows the column`)
      }
      const { mistake } = column.rules
      if (mistake) refuse(`column '${name}' ${mistake}`)
    }
  }
  const { key, paging } = definition
  const isCounted = Object.values<FilterEntry>(filters).some(({ counted }) => counted)
  if ((paging === 'after' && key === 'next') || (isCounted && key === 'counts')) {
    refuse(`'key' cannot be '${key}', which is another property of an answer of this list`)
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

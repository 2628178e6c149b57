/** Finds the mistakes in a definition. The compiler finds most of them, but a host may be written in JavaScript. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { InvalidOption } from '../errors/boot-error.js'
import { describe, describeWord, hintFor } from '../errors/describe.js'
import type { Column, Columns } from './columns.js'
import { type Additions, columnsOf, type Definition, isColumn, joinedOf } from './definition.js'
import { type FilterEntry, orderOf, parametersOf, type SearchEntry, wayOf, ways } from './filters.js'
import type { Kind, List } from './list.js'
import { type Joinable, joinable, sharedTables } from './shared-tables.js'

type Refuse = (problem: string) => never

/** Throws a TypeError that names the list. */
const refuseFor =
  (list: unknown): Refuse =>
  (problem) => {
    throw new InvalidOption(`List '${list}': ${problem}.`)
  }

/** Objects have members such as `constructor` already. */
const ofEveryObject = Object.getOwnPropertyNames(Object.prototype)
const wordExcept = (...names: string[]) =>
  new RegExp(`^(?!(${[...ofEveryObject, ...names].join('|')})$)[A-Za-z_][\\w-]*$`)
const textExcept = (...names: string[]) => new RegExp(`^(?!(${names.join('|')})$).`)
const anyText: Rule = [/./, 'a text']
const identifier: Rule = [/^[\w.-]+$/, "a word of letters, digits, '.', '_' and '-'"]

/** The properties of every answer, and the parameters of every list. */
const envelope = ['status', 'message', 'page', 'limit', 'total']
const reserved = ['search', 'sort', 'page', 'limit']
const tables = Object.keys(sharedTables)

type Rule = readonly [form: RegExp, what: string]

/** What these texts must be. */
const texts: Readonly<Record<string, Rule>> = {
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

const additions = ['columns', 'joined', 'fields', 'filters', 'search', 'sort', 'path', 'key', 'openapi']
const others = ['name', 'id', 'owner', 'order', 'practitioner', 'roles', 'otherRoles', 'messages']
const documented = ['column', 'description', 'examples']
const ofField = [...documented, 'roles']
const ofFilter = [...documented, 'several', 'range', 'present']
const ofSearch = ['columns', 'description', 'examples', 'required', 'term']

/** @throws TypeError that names the list and the mistake */
export function check(definition: Definition): void {
  const refuse: Refuse = refuseFor(Object(definition).name)
  checkShape(definition, refuse)
  const { id, owner, practitioner, order, sort = [], fields, search, filters = {} } = definition
  const own = columnsOf(definition)
  const shown = { ...own, ...joinedByPath(definition) }
  const searchable = Object.fromEntries(
    Object.entries(shown).filter(([path]) => Object.hasOwn(own, path) || (owner && path.startsWith('users.')))
  )
  const find = (property: string, path: unknown, known: Columns, kinds?: readonly Kind[]): Column => {
    const names = Object.keys(known)
    const found = Object.hasOwn(known, String(path)) && known[String(path)]
    if (!found)
      return refuse(`${property} has no column '${path}'${hintFor(String(path), names)}; there are ${names.join(', ')}`)
    if (kinds?.includes(found.kind) === false) {
      refuse(`${property} needs a column of the kind ${kinds.join(' or ')}, and '${path}' is of the kind ${found.kind}`)
    }
    return found
  }
  const findNeverNull = (property: string, path: unknown, kinds: readonly Kind[]) => {
    const { whenNull } = find(property, path, own, kinds)
    if (whenNull !== 'error') {
      refuse(`the column '${path}' of ${property} must never be null: give it whenNull: 'error'`)
    }
  }
  const once = (what: (name: string) => string, names: readonly string[]) => {
    const twice = names.find((name, place) => names.indexOf(name) !== place)
    if (twice !== undefined) refuse(what(twice))
  }

  findNeverNull("'id'", id, ['id'])
  if (owner !== undefined) find("'owner'", owner, own, ['id'])
  if (practitioner !== undefined) find("'practitioner'", practitioner, own, ['id'])
  const { column: ofOrder } = orderOf(order)
  findNeverNull("'order'", ofOrder, ['time', 'date'])
  for (const column of sort)
    findNeverNull(
      "'sort'",
      column,
      ways.present.kinds.filter((kind) => kind !== 'boolean')
    )
  once((name) => `'sort' names the column '${name}' twice`, sort)

  for (const [name, entry] of Object.entries(fields)) {
    const given: { column?: string; roles?: unknown } = entry
    const { column = isColumn(entry) ? name : undefined, roles } = given
    if (column === undefined) refuse(`field '${name}' needs 'column', or is itself a column, such as column.text()`)
    find(`field '${name}'`, column, shown)
    const [person, who] = column.startsWith('practitioners.') ? ['practitioner', practitioner] : ['user', owner]
    if (column.includes('.') && who === undefined) {
      const property = person === 'user' ? 'owner' : person
      refuse(`field '${name}' needs the property '${property}', the column with the id of the ${person}`)
    }
    if (roles === undefined) continue
    if (!Array.isArray(roles) || roles.length === 0 || !roles.every((role) => typeof role === 'string')) {
      refuse(`'roles' of field '${name}' must be an array of at least one role, and is ${describe(roles)}`)
    }
    if ([id, ofOrder].includes(column)) {
      refuse(`field '${name}' cannot have 'roles', because '${column}' is in every order of the list`)
    }
  }
  if (!isColumn(Object(fields[id]))) refuse(`'fields' needs the column of the id, '${id}: column.id({ examples })'`)

  for (const column of search?.columns ?? []) find("'search'", column, searchable, ['text'])
  once((name) => `'search' names the column '${name}' twice`, search?.columns ?? [])

  const parameters = Object.entries<FilterEntry>(filters).flatMap(([name, filter]) => {
    const what = `filter '${name}'`
    const { column = name, description, several, range, present } = filter
    if ([several, range, present].filter(Boolean).length > 1) {
      refuse(`${what} can have only one of 'several', 'range' and 'present'`)
    }
    const ends = range && typeof description === 'object' ? [description.from, description.to] : [description ?? '']
    if (!ends.every((end) => typeof end === 'string')) {
      refuse(`'description' of ${what} must be a text${range ? ', or { from, to } with two texts' : ''}`)
    }
    find(what, column, own, ways[wayOf(filter)].kinds)
    return parametersOf(own, name, filter).map(({ name }) => name)
  })
  once((name) => `the parameter '${name}' is taken`, [...reserved, ...parameters])

  const { roles, otherRoles = 'none' } = definition
  for (const [role, reach] of [...Object.entries(roles), ['otherRoles', otherRoles] as const]) {
    const wrong = notReach(reach, { name: definition.name, owner, columns: own })
    if (wrong) refuse(`the reach of '${role}' must be ${aReach}, and is ${wrong}`)
  }
}

/** Finds the mistakes that need no column. */
function checkShape(definition: Definition, refuse: Refuse): void {
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
  for (const [path, [form, what]] of Object.entries(texts)) {
    const value = path.split('.').reduce((part, name) => Object(part)[name], definition as unknown)
    if (typeof value !== 'string' || !form.test(value)) refuse(`'${path}' must be ${what}, and is ${describe(value)}`)
  }
  const { columns = {}, joined: more = {}, fields, search, filters = {}, sort = [], roles } = definition
  for (const [name, part] of Object.entries({ columns, fields, filters })) checkObject(`'${name}'`, part)
  checkObject("'joined'", more, ['users', 'practitioners'])
  for (const [name, entry] of Object.entries(fields)) {
    if (!isColumn(Object(entry))) checkObject(`'fields.${name}'`, entry, ofField)
  }
  for (const [name, filter] of Object.entries(filters)) checkObject(`'filters.${name}'`, filter, ofFilter)
  requireNew('the list has the column', columns, columnsOf({ fields }), refuse)
  for (const [table, ofTable] of Object.entries<Columns>({ columns: columnsOf(definition), ...more })) {
    checkObject(`'${table}'`, ofTable)
    requireNew(`the table '${table}' has the column`, ofTable, sharedTables[table as Joinable], refuse)
    for (const [name, column] of Object.entries(ofTable)) {
      if (!isColumn(Object(column))) refuse(`'${table}.${name}' must be made by 'column', and is ${describe(column)}`)
      if (column.roles !== undefined && columnsOf({ fields })[name] !== column) {
        refuse(`'${table}.${name}' cannot have 'roles': give them to the field that shows the column`)
      }
      if (column.kind !== 'enum' || isEnum(column.values)) continue
      const rule = 'that are not empty, have no control characters and differ in more than case and accents'
      refuse(`column '${name}' needs texts ${rule}`)
    }
  }
  if (!Array.isArray(sort)) refuse(`'sort' must be an array of columns, and is ${describe(sort)}`)
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
    requireNew(`the list has the ${part.slice(0, -1)}`, added[part], before[part], refuse)
  }
  for (const table of ['users', 'practitioners'] as const) {
    requireNew(`the table '${table}' has the column`, added.joined?.[table], joinedOf(definition)[table], refuse)
  }
}

/** @throws TypeError for an example that does not fit its field or its parameter */
export function checkExamples(list: string, fields: List['fields'], parameters: TProperties): void {
  const refuse = refuseFor(list)
  const check = (what: string, schema: TSchema, format?: RegExp) => {
    const { examples, description: _description, ...rule } = schema as TSchema & { examples?: unknown }
    if (!Array.isArray(examples) || examples.length === 0) return refuse(`${what} needs 'examples', an array`)
    for (const example of examples as unknown[]) {
      if (Value.Check(schema, example) && (typeof example !== 'string' || (format?.test(example) ?? true))) continue
      const form = format ? ` and the form ${format.source}` : ''
      refuse(
        `the example ${JSON.stringify(example)} does not fit ${what}, whose schema is ${JSON.stringify(rule)}${form}`
      )
    }
  }
  for (const [name, { schema, format }] of Object.entries(fields)) check(`field '${name}'`, schema, format)
  for (const [name, schema] of Object.entries(parameters)) check(`parameter '${name}'`, schema)
}

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
  const ids = Object.keys(columns).filter((id) => columns[id]?.kind === 'id')
  const text = `{ ${names.replace('by,', '')}: '${column}' }`
  if (!ids.includes(column)) return `${text}, which is no id column${hintFor(column, ids)}; there are ${ids.join(', ')}`
  if (by === 'links' || (typeof by === 'string' && wordExcept(...tables, name).test(by))) return undefined
  return `${text} by ${describeWord(by, [])}, which cannot be the name of a table of links`
}

function requireNew(what: string, added: object = {}, before: object = {}, refuse: Refuse): void {
  const taken = Object.keys(added).find((name) => Object.hasOwn(before, name))
  if (taken !== undefined) refuse(`${what} '${taken}' already`)
}

/** Texts that a query string can hold, and that no collation equates. */
const isEnum = (values: unknown): boolean =>
  Array.isArray(values) &&
  values.length > 0 &&
  values.every((value) => typeof value === 'string' && /^\P{Cc}+$/u.test(value)) &&
  new Set(values.map((value) => value.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().trimEnd())).size ===
    values.length

/** The columns of the joined tables by their paths. Without the ids: a record can lack its user. */
const joinedByPath = (definition: Definition): Columns =>
  Object.fromEntries(
    (Object.keys(joinable) as Joinable[]).flatMap((table) =>
      Object.entries(joinedOf(definition)[table] as Columns)
        .filter(([name]) => (sharedTables[table] as Columns)[name]?.kind !== 'id')
        .map(([name, column]) => [`${table}.${name}`, column])
    )
  )

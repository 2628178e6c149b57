/** Finds the mistakes in the shape of a definition and in the names. The compiler finds most of these mistakes, too. */
import { describe } from '../errors/describe.js'
import { hintFor } from '../errors/suggestion.js'
import type { PlainDefinition } from './definition.js'
import { people } from './people.js'

type Refuse = (problem: string) => never

const required = ['name', 'path', 'key', 'openapi', 'columns', 'id', 'owner', 'newest', 'fields', 'roles', 'messages']
const optional = ['practitioner', 'search', 'filters', 'otherRoles']

/** The properties of the parts that are objects. */
const parts = {
  openapi: ['name', 'operationId', 'summary', 'description'],
  messages: ['found', 'forbidden'],
  search: ['columns', 'required', 'description', 'examples']
}

/** The properties of each entry. */
const entries = {
  fields: ['column', 'description', 'examples'],
  filters: ['column', 'range', 'description', 'examples']
}

/** The properties of every answer. */
const envelope = ['status', 'message', 'page', 'limit', 'total']

/** The keys of a caller in the conformance kit. */
const keysOfCallers = ['headers', 'userId', 'linked']

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const rule = "must be a word of letters, digits, '_' and '-', and no name that every object has"

/** Objects have members such as `constructor` already. */
const isWord = (value: unknown): boolean => /^[a-z_][\w-]*$/i.test(String(value)) && !(String(value) in {})

export function checkShape(given: PlainDefinition, refuse: Refuse): void {
  const { name, path, key, openapi } = given
  const requireObject = (what: string, value: unknown): object =>
    Object(value) === value && !Array.isArray(value)
      ? (value as object)
      : refuse(`${what} must be an object, and is ${describe(value)}`)
  const requireKnown = (what: string, value: object, known: readonly string[]) => {
    for (const property of Object.keys(value)) {
      if (!known.includes(property)) refuse(`${what} has no property '${property}'${hintFor(property, known)}`)
    }
  }

  requireKnown('the definition', given, [...required, ...optional])
  const takenNames = [...Object.keys(people), ...keysOfCallers]
  if (!isWord(name) || takenNames.includes(name)) {
    refuse(`'name' must be a word of letters, digits, '_' and '-', and none of ${takenNames.join(', ')}`)
  }
  if (!/^\/[^\s?#%;]+$/.test(String(path))) refuse("'path' must begin with '/', and has no space, '?', ';', '#' or '%'")
  if (!isText(key) || envelope.includes(key)) refuse(`'key' must be a text, and none of ${envelope.join(', ')}`)

  for (const [part, known] of Object.entries(parts)) {
    const value = given[part as keyof typeof parts]
    if (value === undefined && optional.includes(part)) continue
    requireKnown(`'${part}'`, requireObject(`'${part}'`, value), known)
    if (part === 'search') continue
    for (const text of known) {
      const found: unknown = Object(value)[text]
      if (!isText(found)) refuse(`'${part}' needs the text '${text}', and has ${describe(found)}`)
    }
  }
  for (const text of ['name', 'operationId'] as const) {
    if (!/^[\w.-]+$/.test(openapi[text]))
      refuse(`'${text}' of 'openapi' must be a word of letters, digits, '.', '_' and '-'`)
  }

  requireObject("'roles'", given.roles)
  for (const [column, value] of Object.entries(requireObject("'columns'", given.columns))) {
    if (!isWord(column)) refuse(`the name of the column '${column}' ${rule}`)
    if (!isText(value?.kind)) refuse(`column '${column}' must be made by 'column', and is ${describe(value)}`)
  }
  for (const [part, known] of Object.entries(entries)) {
    const value = given[part as keyof typeof entries]
    if (value === undefined && optional.includes(part)) continue
    for (const [entry, described] of Object.entries(requireObject(`'${part}'`, value))) {
      const what = `${part.slice(0, -1)} '${entry}'`
      if (!isWord(entry)) refuse(`the name of the ${what} ${rule}`)
      requireKnown(what, requireObject(what, described), known)
    }
  }
}

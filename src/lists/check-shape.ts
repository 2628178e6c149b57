/** Finds the mistakes in the shape of a definition and in the names. The compiler finds most of these mistakes, too. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { Value, ValueErrorType } from '@sinclair/typebox/value'
import { InvalidOption } from '../errors/boot-error.js'
import { describe, hintFor } from '../errors/describe.js'
import { people } from './people.js'
import type { PlainDefinition } from './plain-definition.js'

/** Objects have members such as `constructor` already. */
const ofEveryObject = Object.getOwnPropertyNames(Object.prototype).join('|')
const word = (...others: string[]) => `^(?!(${[ofEveryObject, ...others].join('|')})$)[A-Za-z_][\\w-]*$`

/** Names that the option `tables` already has. */
const takenNames = Object.keys(people)

/** The properties of every answer. */
const envelope = ['status', 'message', 'page', 'limit', 'total']

// The description completes "must be …".
const text = Type.String({ minLength: 1, description: 'a text' })
const identifier = Type.String({ pattern: '^[\\w.-]+$', description: "a word of letters, digits, '.', '_' and '-'" })
const object = (properties: Record<string, TSchema>, options: SchemaOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, description: 'an object', ...options })
const named = (value: TSchema) =>
  Type.Record(Type.String({ pattern: word() }), value, { additionalProperties: false, description: 'an object' })
const anything = Type.Optional(Type.Unknown())
const flag = Type.Optional(Type.Boolean({ description: 'true' }))
const entry = { column: Type.Optional(text), description: anything, examples: anything }

const columns = named(Type.Object({ kind: text }, { description: "made by 'column'" }))

const shape = object({
  name: Type.String({
    pattern: word(...takenNames),
    description: `a word of letters, digits, '_' and '-', and none of ${takenNames.join(', ')}`
  }),
  path: Type.String({
    pattern: '^/[^\\s?#%;]+$',
    description: "a text that begins with '/', and has no space, '?', ';', '#' or '%'"
  }),
  key: Type.String({
    pattern: `^(?!(${envelope.join('|')})$).`,
    description: `a text, and none of ${envelope.join(', ')}`
  }),
  openapi: object({ name: identifier, operationId: identifier, summary: text, description: text }),
  columns,
  people: Type.Optional(object({ users: Type.Optional(columns), practitioners: Type.Optional(columns) })),
  id: text,
  owner: text,
  newest: Type.Optional(text),
  oldest: Type.Optional(text),
  sort: Type.Optional(Type.Array(text, { description: 'an array of columns' })),
  practitioner: Type.Optional(text),
  fields: named(object(entry)),
  search: Type.Optional(
    object({
      columns: Type.Array(text, { minItems: 1, description: 'an array of at least one text' }),
      required: anything,
      description: anything,
      examples: anything,
      term: Type.Optional(Type.Function([], Type.Unknown(), { description: 'a function of a text' }))
    })
  ),
  filters: Type.Optional(named(object({ ...entry, several: flag, range: flag, present: flag }))),
  roles: Type.Record(Type.String(), Type.Unknown(), {
    minProperties: 1,
    description: 'an object with at least one role and its reach'
  }),
  otherRoles: anything,
  messages: object({ found: text, forbidden: text })
})

export function checkShape(given: PlainDefinition, refuse: (problem: string) => never): void {
  const errors = [...Value.Errors(shape, given)]
  const unknown = errors.find(({ type }) => type === ValueErrorType.ObjectAdditionalProperties)
  const error = unknown ?? errors[0]
  if (!error) return
  const path = error.path.slice(1).replaceAll('/', '.')
  if (!unknown) refuse(`'${path}' must be ${error.schema.description}, and is ${describe(error.value)}`)
  const [, parent = '', name = ''] = /^(?:(.*)\.)?(.*)$/.exec(path) as RegExpExecArray
  const { properties } = error.schema
  const rule = "must be a word of letters, digits, '_' and '-', and no name that every object has"
  if (!properties) refuse(`the name '${name}' in '${parent}' ${rule}`)
  refuse(
    `${parent ? `'${parent}'` : 'the definition'} has no property '${name}'${hintFor(name, Object.keys(properties))}`
  )
}

/** @returns throws a TypeError that names the list */
export const refuseFor =
  (list: unknown) =>
  (problem: string): never => {
    throw new InvalidOption(`List '${list}': ${problem}.`)
  }

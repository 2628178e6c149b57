/** Builds the schemas of a list's routes for @fastify/swagger. */
import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { fill } from '../errors/client-texts.js'
import { ListErrorBody, pageSchema, recordSchema } from '../lists/answer-schemas.js'
import { type Field, idParameterOf, type List, type RecordRoute } from '../lists/list.js'
import { querySchema } from '../lists/paging-parameters.js'
import type { Settings } from '../options/settings.js'

type Answers = Pick<Settings, 'messages' | 'defaultLimit' | 'maxLimit'>

export function routeSchema(app: FastifyInstance, list: List, settings: Answers) {
  const { name, key, paging, messages, order } = list
  const { operationId, summary, description } = list.openapi
  const { defaultLimit: limit, maxLimit } = settings
  const numbers = paging === 'after' ? { limit, next: null } : { page: 1, limit, total: 1 }
  const example = { status: 'success', message: messages.found, ...numbers, [key]: [exampleOf(list)] }
  const first = order.direction === 'desc' ? 'newest' : 'oldest'
  return {
    operationId: operationIdOf(app, operationId),
    tags: [name],
    summary,
    description,
    querystring: querySchema(list, { defaultLimit: limit, maxLimit }),
    response: {
      200: answerSchema(`One page of the records, ${first} first.`, schemasOf(app, list).page, example),
      ...failuresOf(list, settings)
    }
  }
}

export function recordRouteSchema(app: FastifyInstance, list: List, route: RecordRoute, settings: Answers) {
  const { openapi, id, fields } = list
  const { key, messages } = route
  const example = { status: 'success', message: messages.found, [key]: exampleOf(list) }
  const unknown = fill(settings.messages.parameterUnknown, { name: 'page', allowed: 'none' })
  return {
    operationId: operationIdOf(app, `get${openapi.name}`),
    tags: [list.name],
    summary: `Get one ${openapi.name}`,
    description: 'One record, for callers who may see it in the list.',
    params: Type.Object({ [idParameterOf(route)]: (fields[id] as Field).schema }),
    response: {
      200: answerSchema('The record.', schemasOf(app, list).record as TSchema, example),
      ...failuresOf(list, settings),
      400: failure(400, 'The request has a query parameter.', unknown),
      404: failure(404, 'There is no such record, or the caller may not see it.', messages.notFound)
    }
  }
}

const exampleOf = ({ fields }: List) =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema.examples[0]]))

const failures = [
  [400, 'A query parameter is missing, unknown, repeated or not allowed.', 'parameterNotPositive'],
  [401, 'The token is missing, invalid or expired, or the server does not know its owner.', 'unauthorized'],
  [403, "The caller's role may not see this list.", 'forbidden'],
  [500, 'An unexpected error.', 'internal'],
  [
    503,
    'The database or another server cannot be reached. Try again after the number of seconds in `Retry-After`.',
    'unavailable'
  ],
  [504, 'The request took too long.', 'timeout']
] as const

/** In the form of @fastify/swagger. */
const headersOf: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { type: 'string', description: 'How to authenticate.', enum: ['Bearer'] } },
  503: { 'Retry-After': { type: 'integer', description: 'Seconds until the next attempt.', minimum: 0 } }
}

function failuresOf(list: List, { messages, maxLimit }: Answers) {
  const texts = { ...messages, ...list.messages }
  const errorOf = (kind: (typeof failures)[number][2]) => fill(texts[kind], { name: 'limit', maximum: maxLimit })
  return Object.fromEntries(failures.map(([status, when, kind]) => [status, failure(status, when, errorOf(kind))]))
}

const failure = (status: number, when: string, error: string) =>
  // If the property were enumerable, @fastify/response-validation would stop the boot because of an unknown keyword.
  Object.defineProperty(answerSchema(when, NamedListErrorBody, { status, error }), 'headers', {
    value: headersOf[status]
  })

// @fastify/swagger keeps the name of a schema only inside another schema.
const answerSchema = (description: string, schema: TSchema, example: object) => ({
  description,
  allOf: [schema],
  examples: [example]
})

/** Adds the `$id` for `components`. A server's registrations share an object: validators refuse a second such `$id`. */
const named = <Schema extends TSchema>($id: string, schema: Schema): Schema => ({ ...schema, $id })

const NamedListErrorBody = named('ListErrorBody', ListErrorBody)

/** `record` is undefined for a list without the route. */
type Schemas = Readonly<{ item: TSchema; page: TSchema; record: TSchema | undefined }>

const schemasOfServers = new WeakMap<object, Map<string, Schemas>>()

/** All registrations of a list share one schema. Another list of that name, such as an extended list, gets a number. */
function schemasOf({ server }: FastifyInstance, list: List): Schemas {
  const { openapi, item, record } = list
  const known = schemasOfServers.get(server) ?? new Map<string, Schemas>()
  schemasOfServers.set(server, known)
  let { name } = openapi
  for (let number = 2; (known.get(name)?.item ?? item) !== item; number++) name = `${openapi.name}${number}`
  const namedItem = named(`${name}Item`, item)
  const schemas = known.get(name) ?? {
    item,
    page: named(`${name}Page`, pageSchema(list, namedItem)),
    record: record && named(`${name}Record`, recordSchema(record.key, namedItem))
  }
  known.set(name, schemas)
  return schemas
}

const idsOfServers = new WeakMap<object, Set<string>>()

/** OpenAPI requires unique operation ids. A taken one gets the prefix of its registration, as in `listPaymentsV2`. */
function operationIdOf({ server, prefix }: FastifyInstance, operationId: string): string {
  const used = idsOfServers.get(server) ?? new Set()
  const words = prefix.replace(/[^a-z0-9]+(.?)/gi, (_separator, next: string) => next.toUpperCase())
  let unique = used.has(operationId) ? `${operationId}${words}` : operationId
  for (let number = 2; used.has(unique); number++) unique = `${operationId}${words}${number}`
  idsOfServers.set(server, used.add(unique))
  return unique
}

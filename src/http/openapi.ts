/** Builds the schema of a list's route for @fastify/swagger. */
import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { type Field, idParameterOf, type List, type RecordRoute } from '../lists/list.js'
import { ListErrorBody, pageSchema, querySchema, recordSchema } from '../lists/schemas.js'
import { fill } from '../options/messages.js'
import type { Settings } from '../options/settings.js'

const errors = [
  [400, 'A query parameter is missing, unknown, repeated or not allowed.', 'parameterNotPositive'],
  [401, 'The token is missing, invalid or expired, or its caller is not known.', 'unauthorized'],
  [403, "The caller's role may not see this list.", 'forbidden'],
  [500, 'An unexpected error.', 'internal'],
  [503, 'A server that is needed cannot be reached; try again after the seconds in `Retry-After`.', 'unavailable'],
  [504, 'The deadline passed.', 'timeout']
] as const

/** In the form of @fastify/swagger. */
const headersOf: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { type: 'string', description: 'How to authenticate.', enum: ['Bearer'] } },
  503: { 'Retry-After': { type: 'integer', description: 'Seconds until the next attempt.', minimum: 0 } }
}

function failuresOf({ messages: texts }: List, { messages, maxLimit }: Pick<Settings, 'messages' | 'maxLimit'>) {
  const failures = errors.map(([status, when, kind]) => {
    const error = fill(kind === 'forbidden' ? texts.forbidden : messages[kind], { name: 'limit', maximum: maxLimit })
    const schema = answer(when, NamedListErrorBody, { status, error })
    // If the property were enumerable, @fastify/response-validation would stop the boot because of an unknown keyword.
    return [status, Object.defineProperty(schema, 'headers', { value: headersOf[status] })]
  })
  return Object.fromEntries(failures)
}

const exampleOf = ({ fields }: List) =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema.examples[0]]))

export function recordRouteSchema(
  app: FastifyInstance,
  list: List,
  route: RecordRoute,
  settings: Pick<Settings, 'messages' | 'maxLimit'>
) {
  const { openapi, id, fields } = list
  const { key, messages } = route
  const error = fill(settings.messages.parameterUnknown, { name: 'page', allowed: 'none' })
  return {
    operationId: operationIdOf(app, `get${openapi.name}`),
    tags: [list.name],
    summary: `Get one ${openapi.name}`,
    description: 'The item of one record, to everybody who may see it in the list.',
    params: Type.Object({ [idParameterOf(route)]: (fields[id] as Field).schema }),
    response: {
      200: answer('The record.', schemasOf(app.server, list).record as TSchema, {
        status: 'success',
        message: messages.found,
        [key]: exampleOf(list)
      }),
      ...failuresOf(list, settings),
      400: answer('The request has a query parameter.', NamedListErrorBody, { status: 400, error }),
      404: answer('There is no such record, or the caller may not see it.', NamedListErrorBody, {
        status: 404,
        error: messages.notFound
      })
    }
  }
}

export function routeSchema(
  app: FastifyInstance,
  list: List,
  { messages, defaultLimit, maxLimit }: Pick<Settings, 'messages' | 'defaultLimit' | 'maxLimit'>
) {
  const { name, key, paging, messages: texts, order } = list
  const { operationId, summary, description } = list.openapi
  const numbers = paging === 'after' ? { limit: defaultLimit, next: null } : { page: 1, limit: defaultLimit, total: 1 }
  const found = { status: 'success', message: texts.found, ...numbers }
  return {
    operationId: operationIdOf(app, operationId),
    tags: [name],
    summary,
    description,
    querystring: querySchema(list, { defaultLimit, maxLimit }),
    response: {
      200: answer(
        `One page of the records, ${order.direction === 'desc' ? 'newest' : 'oldest'} first.`,
        schemasOf(app.server, list).page,
        { ...found, [key]: [exampleOf(list)] }
      ),
      ...failuresOf(list, { messages, maxLimit })
    }
  }
}

/** Adds the `$id` for `components`. A server's registrations share an object: validators refuse a second such `$id`. */
const named = <Schema extends TSchema>($id: string, schema: Schema): Schema => ({ ...schema, $id })

const NamedListErrorBody = named('ListErrorBody', ListErrorBody)

// @fastify/swagger keeps the name of a schema only inside another schema.
const answer = (description: string, schema: TSchema, example: object) => ({
  description,
  allOf: [schema],
  examples: [example]
})

interface Schemas {
  readonly item: TSchema
  readonly page: TSchema
  /** Undefined for a list without the route. */
  readonly record: TSchema | undefined
}

const schemasOfServers = new WeakMap<object, Map<string, Schemas>>()

/** All registrations of a list share one schema. Another list of that name, such as an extended list, gets a number. */
function schemasOf(server: object, list: List): Schemas {
  const { openapi, item, record } = list
  const pages = schemasOfServers.get(server) ?? new Map<string, Schemas>()
  schemasOfServers.set(server, pages)
  let { name } = openapi
  const isTaken = () => (pages.get(name) ?? { item }).item !== item
  for (let number = 2; isTaken(); number++) name = `${openapi.name}${number}`
  const namedItem = named(`${name}Item`, item)
  const schemas = pages.get(name) ?? {
    item,
    page: named(`${name}Page`, pageSchema(list, namedItem)),
    record: record && named(`${name}Record`, recordSchema(record.key, namedItem))
  }
  pages.set(name, schemas)
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

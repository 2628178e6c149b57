/** Builds the schema of a list's route for @fastify/swagger. */
import type { TSchema } from '@sinclair/typebox'
import type { FastifySchema } from 'fastify'
import type { List } from '../lists/list.js'
import { fill, type ListingMessages } from '../lists/messages.js'
import { type defaultPaging, NamedListErrorBody } from '../lists/schemas.js'

const errors = [
  [400, 'A query parameter is missing, unknown, repeated or not allowed.', 'parameterNotInteger'],
  [401, 'The token is missing, invalid or expired, or its caller is not known.', 'unauthorized'],
  [403, "The caller's role may not see this list.", 'forbidden'],
  [500, 'An unexpected error.', 'internal'],
  [503, 'A server that is needed cannot be reached; try again after the seconds in `Retry-After`.', 'unavailable'],
  [504, 'The deadline passed.', 'timeout']
] as const

/** @fastify/swagger is optional, so its fields are declared here. */
export interface RouteSchema extends FastifySchema {
  operationId: string
  tags: string[]
  summary: string
  description: string
}

export function routeSchema(
  list: List,
  querystring: TSchema,
  operationSuffix: string,
  settings: typeof defaultPaging & { messages: ListingMessages }
): RouteSchema {
  const { operationId, summary, description, name, page, texts } = list
  const { messages, maxLimit } = settings
  const failures = errors.map(([status, when, kind]) => {
    const error = fill(messages[kind === 'forbidden' ? texts.forbidden : kind], { name: 'limit', maximum: maxLimit })
    return [status, answer(when, NamedListErrorBody, { status, error })]
  })
  return {
    operationId: `${operationId}${operationSuffix}`,
    tags: [name],
    summary,
    description,
    querystring,
    response: {
      200: answer('One page of the records, newest first.', page, exampleOf(list, settings)),
      ...Object.fromEntries(failures)
    }
  }
}

// @fastify/swagger keeps the name of a schema only inside another schema.
const answer = (description: string, schema: TSchema, example: object) => ({
  description,
  allOf: [schema],
  examples: [example]
})

function exampleOf(
  { key, fields, texts }: List,
  { messages, defaultLimit }: { messages: ListingMessages; defaultLimit: number }
) {
  const item = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema.examples[0]]))
  return { status: 'success', message: messages[texts.found], page: 1, limit: defaultLimit, total: 1, [key]: [item] }
}

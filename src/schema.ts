/** The JSON schemas of a list's route: what @fastify/swagger shows, and what the query reader goes by. */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { ErrorBody, pageSchema } from './envelope.js'
import { type Fields, itemSchema } from './fields.js'
import { defaultPaging, pageParameters } from './page.js'

/** The longest search term or filter, in characters (contract B4). */
export const maxTextLength = 256

/** The JSON schema of a list's query string. */
export const querySchema = <const Parameters extends TProperties>(parameters: Parameters, paging = defaultPaging) =>
  Type.Object({ ...parameters, ...pageParameters(paging) }, { additionalProperties: false })

/**
 * The security scheme that the lists' operations name. A host puts it into its OpenAPI document:
 * `openapi: { openapi: '3.1.0', components: { securitySchemes } }`.
 */
export const securitySchemes = {
  bearerAuth: { type: 'http', scheme: 'bearer', description: 'A token of the host server.' }
} as const

const errors: Record<number, string> = {
  400: 'A query parameter is missing, unknown, repeated or not allowed.',
  401: 'The token is missing, invalid or expired, or its caller is not known.',
  403: "The caller's role may not see this list.",
  500: 'An unexpected error.',
  503: 'A server that is needed cannot be reached; try again after the seconds in `Retry-After`.',
  504: 'The deadline passed.'
}

/** What a route's schema says of a list. */
export interface Described {
  operationId: string
  summary: string
  description: string
  key: string
  records: string
  fields: Fields
}

export function routeSchema(list: Described, querystring: TSchema, operationSuffix: string) {
  const { operationId, summary, description, key, fields } = list
  const failures = Object.entries(errors).map(([status, text]) => [status, { ...ErrorBody, description: text }])
  return {
    operationId: `${operationId}${operationSuffix}`,
    tags: [list.records],
    summary,
    description,
    security: [{ bearerAuth: [] }],
    querystring,
    response: {
      200: { ...pageSchema(key, itemSchema(fields)), description: 'One page of the records, newest first.' },
      ...Object.fromEntries(failures)
    }
  }
}

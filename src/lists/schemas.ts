/** The JSON schemas of the query string, the page and the error body. */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { defaultLimits, type Limits } from '../limits.js'
import type { Field } from './list.js'

/** The parameters of every list (contract 16 to 20). */
export type PageParameters = {
  /** Number of the page, a whole number from 1. A page past the end is empty. The default is 1. */
  page?: number
  /** Records on a page, a whole number from 1 to the option `maxLimit`. The default is the option `defaultLimit`. */
  limit?: number
}

export const pageParameters = ({ defaultLimit, maxLimit }: Limits) => ({
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      // The offset of a later page would not be a safe integer.
      maximum: Math.floor(Number.MAX_SAFE_INTEGER / maxLimit),
      default: 1,
      description: 'Page number, counted from 1. A page past the end is empty.'
    })
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'Records on a page.' })
  )
})

export const querySchema = <const Parameters extends TProperties>(parameters: Parameters, limits = defaultLimits) =>
  Type.Object({ ...parameters, ...pageParameters(limits) }, { additionalProperties: false })

/** The body of every answer that is not a 200, as a JSON schema and a type (contract 91). */
export const ListErrorBody = Type.Object(
  {
    status: Type.Integer({ description: 'The HTTP status of the answer.', examples: [401] }),
    error: Type.String({ description: 'What is wrong, in one sentence.', examples: ['Invalid or expired token.'] })
  },
  { additionalProperties: false }
)
export type ListErrorBody = {
  /** The HTTP status of the answer, such as 401. */
  status: number
  /** One sentence that describes the error. The option `messages` changes the wording. */
  error: string
}

/** The properties that every 200 answer has besides the records (contract 26 to 30). */
export type PageProperties = {
  /** Always `success`. */
  status: 'success'
  /** A sentence for people. The option `messages` changes the wording. */
  message: string
  /** Number of this page, from 1. */
  page: number
  /** Maximum number of records on this page, as the request or the option `defaultLimit` gives it. */
  limit: number
  /** Exact number of records that match the request and that the caller may see, over all pages. */
  total: number
}

/** A field that only some roles get is optional. */
export const itemSchema = (fields: Readonly<Record<string, Field>>): TSchema =>
  Type.Object(
    Object.fromEntries(
      Object.entries(fields).map(([name, { schema, roles }]) => [name, roles ? Type.Optional(schema) : schema])
    ),
    { additionalProperties: false }
  )

export const pageSchema = <Key extends string, Item extends TSchema>(key: Key, item: Item) =>
  Type.Object(
    {
      status: Type.Literal('success'),
      message: Type.String(),
      page: Type.Integer({ minimum: 1, description: 'The page that was asked for.' }),
      limit: Type.Integer({ minimum: 1, description: 'Records on a page.' }),
      total: Type.Integer({
        minimum: 0,
        description: 'Number of matching records that the caller may see, over all pages.'
      }),
      ...({ [key]: Type.Array(item) } as Record<Key, ReturnType<typeof Type.Array<Item>>>)
    },
    { additionalProperties: false }
  )

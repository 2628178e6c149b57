/** The shapes on the wire: each schema beside the function that builds it (contract A "Envelope" and "Errors"). */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Page } from './page.js'

/** Media type of every answer, errors too. */
export const contentType = 'application/json; charset=utf-8'

/** Schema of every answer that is not a 200. */
export const ErrorBody = Type.Object(
  {
    status: Type.Integer({ description: 'The HTTP status of the answer.', examples: [401] }),
    error: Type.String({ description: 'What is wrong, in one sentence.', examples: ['Invalid or expired token.'] })
  },
  { additionalProperties: false }
)
export type ErrorBody = Static<typeof ErrorBody>

export const errorBody = (status: number, error: string): string =>
  JSON.stringify({ status, error } satisfies ErrorBody)

/** Schema of a 200 answer whose records stand under `key`. */
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

/** Everything in a 200 answer. */
export interface Answer extends Page {
  message: string
  total: number
  /** The name under which the records stand. */
  key: string
  items: readonly unknown[]
}

export const pageBody = ({ message, page, limit, total, key, items }: Answer): string =>
  JSON.stringify({ status: 'success', message, page, limit, total, [key]: items })

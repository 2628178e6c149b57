/** The JSON schemas of what goes over the wire: queries, pages and errors. */
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'

export const defaultPaging = { defaultLimit: 12, maxLimit: 100 }

/** The two parameters that every list has (contract 16 to 20). */
export const pageParameters = ({ defaultLimit, maxLimit }: typeof defaultPaging) => ({
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      // past this page the offset would no longer be an exact number
      maximum: Math.floor(Number.MAX_SAFE_INTEGER / maxLimit),
      default: 1,
      description: 'Page number, counted from 1. A page past the end is empty.'
    })
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'Records on a page.' })
  )
})

/** The longest search term or filter, in characters (contract 23). */
export const maxTextLength = 256

/** The JSON schema of a list's query string. */
export const querySchema = <const Parameters extends TProperties>(parameters: Parameters, paging = defaultPaging) =>
  Type.Object({ ...parameters, ...pageParameters(paging) }, { additionalProperties: false })

/** Schema of every answer that is not a 200. */
export const ErrorBody = Type.Object(
  {
    status: Type.Integer({ description: 'The HTTP status of the answer.', examples: [401] }),
    error: Type.String({ description: 'What is wrong, in one sentence.', examples: ['Invalid or expired token.'] })
  },
  { additionalProperties: false }
)
export type ErrorBody = Static<typeof ErrorBody>

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

/**
 * A schema under the name by which @fastify/swagger lists it in a document's components. Each is made once and
 * used by every registration: validators refuse two schemas of one name.
 */
const named = <Schema extends TSchema>($id: string, schema: Schema): Schema => ({ ...schema, $id })

export const NamedErrorBody = named('ListErrorBody', ErrorBody)

/** The schema of a list's 200 answer, with names for the answer and for its items. */
export const namedPage = (name: string, key: string, page: TObject, item: TSchema): TSchema =>
  named(`${name}Page`, { ...page, properties: { ...page.properties, [key]: Type.Array(named(`${name}Item`, item)) } })

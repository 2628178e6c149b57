/** The JSON schemas of the answers and of the error body. */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { maxPositionLength } from '../limits.js'
import type { Field, List } from './list.js'
import { countedIn, fromOne } from './paging-parameters.js'
import { type ObjectSchema, objectSchema } from './types/object-schema.js'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** A field that only some roles get is optional. */
export const itemSchema = (fields: Readonly<Record<string, Field>>): TSchema =>
  objectSchema(
    Object.fromEntries(
      Object.entries(fields).map(([name, { schema, roles }]) => [name, roles ? Type.Optional(schema) : schema])
    )
  )

const envelope = () => ({ status: Type.Literal('success'), message: Type.String() })

export const recordSchema = (key: string, item: TSchema): TSchema => objectSchema({ ...envelope(), [key]: item })

/** @internal */
export const pageSchema = ({ key, filters, paging }: Pick<List, 'key' | 'filters' | 'paging'>, item: TSchema) => {
  const counted = countedIn(filters)
  const page = fromOne('The page that was asked for.')
  const limit = fromOne('Records on a page.')
  const total = count('Number of matching records that the caller may see, over all pages.')
  const next = Type.Union([Type.String({ maxLength: maxPositionLength }), Type.Null()], {
    description: 'The `after` of the next page; null on the last one.'
  })
  return objectSchema({
    ...envelope(),
    ...(paging === 'after' ? { limit, next, total: Type.Optional(total) } : { page, limit, total }),
    ...(Object.keys(counted).length > 0 && { counts: Type.Optional(countsSchema(counted)) }),
    [key]: Type.Array(item)
  })
}

/** `{ state: { open, paid } }`, with the filters that the request names. */
function countsSchema(counted: Readonly<Record<string, readonly string[]>>): TSchema {
  const ofFilter = ([name, values]: [string, readonly string[]]) => {
    const numbers = values.map((value) => [value, count(`Records with ${name}=${value}.`)])
    return [name, Type.Optional(objectSchema(Object.fromEntries(numbers)))]
  }
  const properties: TProperties = Object.fromEntries(Object.entries(counted).map(ofFilter))
  return objectSchema(properties, 'The numbers that `counts` asks for.')
}

/** The body of every answer that is not a 200, as a JSON schema and a type (contract 91). */
export const ListErrorBody = objectSchema({
  status: Type.Integer({ description: 'The HTTP status of the answer.', examples: [401] }),
  error: Type.String({ description: 'What is wrong, in one sentence.', examples: ['Invalid or expired token.'] })
}) as TSchema as ObjectSchema<ListErrorBody>
export type ListErrorBody = {
  /** The HTTP status of the answer, such as 401. */
  status: number
  /** One sentence that describes the error. The option `messages` changes the wording. */
  error: string
}

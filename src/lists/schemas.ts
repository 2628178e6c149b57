/** The JSON schemas of the query string, the page and the error body. */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { enumSchema } from '../kinds/texts.js'
import { defaultLimits, type Limits, maxPositionLength } from '../limits.js'
import type { Field, List } from './list.js'
import { forBoth, type ObjectSchema } from './types/object-schema.js'

/** The parameters of every list (contract 16 to 20). */
export type PageParameters = {
  /** Number of the page, a whole number from 1. A page past the end is empty. The default is 1. */
  page?: number
  /** Records on a page, a whole number from 1 to the option `maxLimit`. The default is the option `defaultLimit`. */
  limit?: number
}

/** The parameters of a list whose pages follow a record. */
export type AfterParameters = {
  /** The `next` of the page before. Without it, the first page. */
  after?: string
  /** Records on a page, a whole number from 1 to the option `maxLimit`. The default is the option `defaultLimit`. */
  limit?: number
  /** Whether the answer has the total. */
  total?: boolean
}

const afterParameters = (limits: Limits) => ({
  after: Type.Optional(
    Type.String({ maxLength: maxPositionLength, description: 'The `next` of the page before, with the same `sort`.' })
  ),
  limit: pageParameters(limits).limit,
  total: Type.Optional(Type.Boolean({ description: 'Whether the answer has the total.' }))
})

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

/** @internal What the schemas of a list's questions and answers depend on, besides its fields. */
type Asked = Pick<List, 'parameters' | 'filters' | 'paging'>

/** @internal */
export const querySchema = ({ parameters, filters, paging }: Asked, limits = defaultLimits) => {
  const counted = Object.keys(countedIn(filters))
  const counts: TProperties = counted.length > 0 ? { counts: countsSchema(counted) } : {}
  const ofPaging: TProperties = paging === 'after' ? afterParameters(limits) : pageParameters(limits)
  return forBoth(Type.Object({ ...parameters, ...counts, ...ofPaging }, { additionalProperties: false }))
}

/** The values of each filter that can be counted. */
const countedIn = (filters: List['filters']): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(filters).flatMap(([name, { counted }]) => (counted ? [[name, counted]] : [])))

const countsSchema = (names: readonly string[]): TSchema =>
  Type.Optional(
    Type.Array(enumSchema(names, {}), {
      description: 'The filters whose values are counted, each with every other condition but its own.',
      examples: [names.slice(0, 1)]
    })
  )

/** The body of every answer that is not a 200, as a JSON schema and a type (contract 91). */
export const ListErrorBody = forBoth(
  Type.Object(
    {
      status: Type.Integer({ description: 'The HTTP status of the answer.', examples: [401] }),
      error: Type.String({ description: 'What is wrong, in one sentence.', examples: ['Invalid or expired token.'] })
    },
    { additionalProperties: false }
  )
) as TSchema as ObjectSchema<ListErrorBody>
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

/** The same of a list whose pages follow a record. */
export type AfterProperties = Pick<PageProperties, 'status' | 'message' | 'limit'> & {
  /** The `after` of the next page. Null on the last one. */
  next: string | null
  /** As in a list with page numbers. Only for `total=true`. */
  total?: number
}

/** A field that only some roles get is optional. */
export const itemSchema = (fields: Readonly<Record<string, Field>>): TSchema =>
  forBoth(
    Type.Object(
      Object.fromEntries(
        Object.entries(fields).map(([name, { schema, roles }]) => [name, roles ? Type.Optional(schema) : schema])
      ),
      { additionalProperties: false }
    )
  )

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** `{ state: { open, paid } }`, with the filters that the request names. */
const countsOf = (counted: Readonly<Record<string, readonly string[]>>): TSchema => {
  const ofFilter = ([name, values]: [string, readonly string[]]) => {
    const numbers = values.map((value) => [value, count(`Records with ${name}=${value}.`)])
    return [name, Type.Optional(Type.Object(Object.fromEntries(numbers), { additionalProperties: false }))]
  }
  const properties = Object.fromEntries(Object.entries(counted).map(ofFilter))
  return Type.Object(properties, { additionalProperties: false, description: 'The numbers that `counts` asks for.' })
}

export const recordSchema = (key: string, item: TSchema): TSchema =>
  forBoth(
    Type.Object(
      { status: Type.Literal('success'), message: Type.String(), [key]: item },
      { additionalProperties: false }
    )
  )

/** @internal */
export const pageSchema = (
  { key, filters, paging }: Pick<List, 'key' | 'filters' | 'paging'>,
  item: TSchema
): TSchema => {
  const counted = countedIn(filters)
  const counts = Object.keys(counted).length > 0 && { counts: Type.Optional(countsOf(counted)) }
  const limit = Type.Integer({ minimum: 1, description: 'Records on a page.' })
  const total = count('Number of matching records that the caller may see, over all pages.')
  const next = Type.Union([Type.String({ maxLength: maxPositionLength }), Type.Null()], {
    description: 'The `after` of the next page; null on the last one.'
  })
  const page = Type.Integer({ minimum: 1, description: 'The page that was asked for.' })
  const numbers = paging === 'after' ? { limit, next, total: Type.Optional(total) } : { page, limit, total }
  return forBoth(
    Type.Object(
      {
        status: Type.Literal('success'),
        message: Type.String(),
        ...numbers,
        ...counts,
        [key]: Type.Array(item)
      },
      { additionalProperties: false }
    )
  )
}

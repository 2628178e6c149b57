/** The query string as a JSON schema: the parameters of the list, and those that choose a page. */
import { type IntegerOptions, type TSchema, Type } from '@sinclair/typebox'
import { enumSchema } from '../kinds/texts.js'
import { defaultLimits, type Limits, maxPositionLength } from '../limits.js'
import type { List } from './list.js'
import { objectSchema } from './types/object-schema.js'

/** A whole number from 1. */
export const fromOne = (description: string, options: IntegerOptions = {}) =>
  Type.Integer({ minimum: 1, ...options, description })

/** @internal */
export const querySchema = (
  { parameters, filters, paging }: Pick<List, 'parameters' | 'filters' | 'paging'>,
  { defaultLimit, maxLimit }: Limits = defaultLimits
) => {
  const counted = Object.keys(countedIn(filters))
  // The offset of a later page would not be a safe integer.
  const maximum = Math.floor(Number.MAX_SAFE_INTEGER / maxLimit)
  const page = fromOne('Page number, counted from 1. A page past the end is empty.', { maximum, default: 1 })
  const limit = Type.Optional(fromOne('Records on a page.', { maximum: maxLimit, default: defaultLimit }))
  const description = 'The `next` of the previous page. Keep the same `sort`.'
  const after = Type.String({ maxLength: maxPositionLength, description })
  const total = Type.Boolean({ description: 'Whether to count the total.' })
  return objectSchema({
    ...parameters,
    ...(counted.length > 0 && { counts: countsParameter(counted) }),
    ...(paging === 'after'
      ? { after: Type.Optional(after), limit, total: Type.Optional(total) }
      : { page: Type.Optional(page), limit })
  })
}

/** The values of each filter that can be counted. */
export const countedIn = (filters: List['filters']): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(filters).flatMap(([name, { counted }]) => (counted ? [[name, counted]] : [])))

const countsParameter = (names: readonly string[]): TSchema =>
  Type.Optional(
    Type.Array(enumSchema(names, {}), {
      description:
        'The filters to count. Each number is the `total` of the same request with that value for the filter.',
      examples: [names.slice(0, 1)]
    })
  )

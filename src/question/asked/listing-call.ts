/** The call of `find` and `each`: its type, and what a host in JavaScript can do wrong. */
import type { KyselyInstance } from '../../database/tables.js'
import { describe, isPlainObject } from '../../errors/describe.js'
import { Failure } from '../../errors/failure.js'
import { InvalidCall } from '../../errors/listing-error.js'
import type { ListingCaller } from '../../options/options.js'
import type { Pairs } from './check-parameters.js'

interface CallContext {
  /**
   * The caller's ids and roles, in the shape that `resolveRole` returns. They decide which records the call returns,
   * and which fields a record has. A call without a caller throws a ListingError with the status 401.
   */
  caller: ListingCaller | null | undefined
  /**
   * Ends the call and the running statement when the signal aborts. The call then throws a ListingError with the status
   * 499. A signal that has aborted already is refused, so give each call a signal of its own.
   */
  signal?: AbortSignal | undefined
  /** The Kysely instance to read. Required if the option `db` is a function. Leave `db` out otherwise. */
  db?: KyselyInstance | undefined
}

type Empty = Record<never, never>

/** An optional parameter that is undefined, or null as the `next` of the last page, is left out. */
type OrLeftOut<Query> = {
  [Name in keyof Query]: Empty extends Pick<Query, Name> ? Query[Name] | null | undefined : Query[Name]
}

/** The arguments of `find` and `each`. */
export type ListingCall<Query> = CallContext &
  (Empty extends Query
    ? {
        /**
         * The query parameters of the route, as an object.
         *
         * @default {}
         */
        query?: OrLeftOut<Query> | undefined
      }
    : {
        /** The query parameters of the route, as an object. At least one is required. */
        query: OrLeftOut<Query>
      })

const callProperties = ['caller', 'query', 'signal', 'db']

/** @internal @throws InvalidCall for a call that TypeScript would refuse, and Failure for a signal that has aborted */
export function checkedCall(call: ListingCall<object>): ListingCall<object> {
  const refuse = (rule: string, value: unknown): never => {
    throw new InvalidCall(`${rule}; got ${describe(value)}.`)
  }
  const { query, signal } = isObject(call) ? call : refuse('A call needs an object such as { caller, query }', call)
  const unknown = Object.keys(call).find((name) => !callProperties.includes(name))
  if (unknown) refuse(`A call has the properties ${callProperties.join(', ')}, and not '${unknown}'`, call)
  // `Object.entries` finds nothing in URLSearchParams, a Date or a getter of a class, so every filter would be lost.
  if (query !== undefined && !isPlainObject(query))
    refuse("'query' must be a plain object such as { search: 'pi_' }", query)
  if (signal === undefined) return call
  if (typeof signal?.addEventListener !== 'function') refuse("'signal' must be an AbortSignal", signal)
  if (!signal.aborted) return call
  throw new Failure('aborted', 'The signal of the call has aborted already. Give each call a signal of its own.')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** @internal Undefined for half of a surrogate pair, which no query string can hold. */
export function pairsFrom(query: object): Pairs | undefined {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const values = [value].flat().filter((each) => each !== undefined && each !== null)
    // An empty selection would find every record.
    if (Array.isArray(value) && values.length === 0) {
      throw new Failure('parameter', `The query parameter '${name}' must have at least one value.`)
    }
    return values.map((each) => [name, textOfValue(name, each)] as const)
  })
  return pairs.some((pair) => /\p{Cs}/u.test(pair.join())) ? undefined : pairs
}

function textOfValue(name: string, value: unknown): string {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new InvalidCall(`The number in 'query.${name}' has lost digits: give a bigint or a text; got ${value}.`)
  }
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return String(value)
  throw new Failure('parameter', `The query parameter '${name}' must be a text, a number or a boolean.`)
}

/** The calls of a list without HTTP. */
import { type TObject, Type } from '@sinclair/typebox'
import { type Deadline, withinDeadline } from './database/deadline.js'
import { openSession } from './database/session.js'
import type { KyselyInstance } from './database/tables.js'
import { failureOf } from './errors/classify.js'
import { describe } from './errors/describe.js'
import { Failure } from './errors/failure.js'
import { InvalidCall, ListingError } from './errors/listing-error.js'
import { clientTextOf } from './http/answers.js'
import { callerFrom } from './http/caller.js'
import { type QueryReader, queryReader, urlOf } from './http/query-string.js'
import { timingOf } from './http/timing.js'
import { type List, reachOf, tablesOf } from './lists/list.js'
import { querySchema } from './lists/schemas.js'
import type { ListingCaller } from './options/options.js'
import type { Assembly } from './plugin.js'
import { eachItem } from './query/each.js'
import type { Finder } from './query/find.js'
import type { ListRequest } from './query/plan.js'

interface CallContext {
  /**
   * The caller's id and role, in the shape that `resolveRole` returns. The role decides which records the call returns. A
   * call without a caller throws a ListingError with the status 401.
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

/** With `exactOptionalPropertyTypes`, an optional parameter may still be undefined. */
type Given<Query> = { [Name in keyof Query]: Empty extends Pick<Query, Name> ? Query[Name] | undefined : Query[Name] }

/** The arguments of `find` and `each`. */
export type ListingCall<Query> = CallContext &
  (Empty extends Query
    ? {
        /**
         * The query parameters of the route, as an object.
         *
         * @default {}
         */
        query?: Given<Query> | undefined
      }
    : {
        /** The query parameters of the route, as an object. At least one is required. */
        query: Given<Query>
      })

/** The functions of one list. */
export function callsOf(list: List, finder: Finder, { settings, sources }: Assembly) {
  const { messages, unknownParameters, timeout } = settings
  const reader = (schema: TObject) => queryReader(schema, unknownParameters, messages, list.filters)
  const readPage = reader(querySchema(list.parameters, settings))
  const readAll = reader(Type.Object(list.parameters))
  const tables = Object.values(tablesOf(list))

  const failed = (error: unknown): unknown => {
    if (error instanceof InvalidCall) return error
    const failure = failureOf(error)
    return new ListingError(clientTextOf(failure, list, messages), failure)
  }

  /** @throws InvalidCall and Failure, before any statement */
  const open = (call: ListingCall<object>, read: QueryReader) => {
    const { query = {}, signal, db } = checked(call)
    if (call.caller === null || call.caller === undefined) {
      throw new Failure('unauthorized', "'caller' is missing in the call. Give an object such as { userId, role }.")
    }
    const caller = callerFrom(call.caller, (rule, got) => {
      throw new InvalidCall(`'caller' must have a ${rule}; got ${got}.`)
    })
    const reach = reachOf(list, caller.role)
    if (reach === 'none') throw new Failure('forbidden', 'The role may not see this list.')
    const request: ListRequest = { caller, reach, ...read(urlOf(query)) }
    const source = sources.ofCall(db)
    const { timed } = timingOf(undefined, list.name, reach)
    // All batches read one tenant, even if a Kysely plugin would give the next batch other tables.
    const now = source.now(tables)
    const session = (deadline: Deadline) => openSession(source, now, deadline, timed)
    return { request, session, signals: signal ? [signal] : [] }
  }

  return {
    async find(call: ListingCall<object>) {
      try {
        const { request, session, signals } = open(call, readPage)
        return await withinDeadline(timeout, signals, (deadline) => finder.find(request, session(deadline)))
      } catch (error) {
        throw failed(error)
      }
    },

    each(call: ListingCall<object>): AsyncIterableIterator<unknown> {
      try {
        const { request, session, signals } = open(call, readAll)
        const left = new AbortController()
        const ends = [...signals, left.signal]
        const findBatch = (batch: ListRequest) =>
          withinDeadline(timeout, ends, (deadline) => finder.findBatch(batch, session(deadline)))
        const items = eachItem(list, request, findBatch, signals)
        return {
          next: () => items.next().catch((error) => Promise.reject(failed(error))),
          // A stream calls `return` while a statement runs. A generator alone would wait for the statement.
          return() {
            left.abort()
            return items.return()
          },
          [Symbol.asyncIterator]() {
            return this
          }
        }
      } catch (error) {
        throw failed(error)
      }
    }
  }
}

const callProperties = ['caller', 'query', 'signal', 'db']

/** @throws InvalidCall for a call that TypeScript would refuse, and Failure for a signal that has aborted */
function checked(call: ListingCall<object>): ListingCall<object> {
  const refuse = (rule: string, value: unknown): never => {
    throw new InvalidCall(`${rule}; got ${describe(value)}.`)
  }
  const { query, signal } = isObject(call) ? call : refuse('A call needs an object such as { caller, query }', call)
  const unknown = Object.keys(call).find((name) => !callProperties.includes(name))
  if (unknown) refuse(`A call has the properties ${callProperties.join(', ')}, and not '${unknown}'`, call)
  // `Object.entries` finds nothing in URLSearchParams, and the list would come without filters.
  if (query !== undefined && (!isObject(query) || Symbol.iterator in query)) {
    refuse("'query' must be an object such as { search: 'pi_' }", query)
  }
  if (signal === undefined) return call
  if (typeof signal?.addEventListener !== 'function') refuse("'signal' must be an AbortSignal", signal)
  if (!signal.aborted) return call
  throw new Failure('aborted', 'The signal of the call has aborted already. Give each call a signal of its own.')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Creates the plugin together with functions that read the lists without HTTP. */
import type { Static } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { withinDeadline } from './database/deadline.js'
import { openSession } from './database/session.js'
import type { KyselyInstance } from './database/tables.js'
import { InvalidOption } from './errors/boot-error.js'
import { failureOf } from './errors/classify.js'
import { clientTextOf } from './errors/client-texts.js'
import { describe } from './errors/describe.js'
import { Failure } from './errors/failure.js'
import { InvalidCall, ListingError } from './errors/listing-error.js'
import type { Assembly } from './http/route.js'
import { tablesOf } from './lists/aliases.js'
import type { List } from './lists/list.js'
import type { defaultLists } from './lists/ready/index.js'
import type { FoundOf, Named, NotOfAll, QueryFor, RecordName, Without } from './lists/types/pages.js'
import type { OptionsOf } from './options/options.js'
import { registerOptions } from './options/settings.js'
import { assemble, pluginOf } from './plugin.js'
import type { AnswerKind } from './question/answers/answer.js'
import { batch } from './question/answers/batch.js'
import { answerOf } from './question/answers/index.js'
import { record } from './question/answers/record.js'
import { type Ask, questionReader, recordReader } from './question/asked/check-parameters.js'
import { checkedCall, type ListingCall, pairsFrom } from './question/asked/listing-call.js'
import type { Question } from './question/asked/question.js'
import { eachItem } from './question/each.js'
import { timingOf } from './question/timing.js'
import { callerFrom } from './visibility/caller.js'
import { reachFor } from './visibility/reach-of-role.js'

/** The plugin, and functions that read its lists without HTTP. They share statements and what is known of columns. */
export interface Listings<Lists extends readonly List[]> {
  /** The plugin with these options. `app.register` takes `prefix`, `logLevel` and `logSerializers`. */
  readonly plugin: FastifyPluginAsync<Record<never, never>>
  /**
   * Finds a page of a list.
   *
   * @throws ListingError with the status and the text of the route's answer, and TypeError for a wrong call
   * @example
   * const caller = { userId: 7, role: 'User' }
   * const { items, total } = await listings.find('payments', { caller, query: { page: 2 } })
   * @example
   * const caller = { userId: 7, role: ['Counsellor', 'Parent'], ids: { parent: 'P9', tenant: 't1' } }
   * const { items } = await listings.find('incidents', { caller, query: { state: 'open' } })
   */
  find<Name extends Lists[number]['name']>(
    name: Name,
    call: ListingCall<QueryFor<Named<Lists, Name>>>
  ): Promise<FoundOf<Named<Lists, Name>>>
  /**
   * Gets one record of a list with `record`: its item, or undefined if it does not exist or the caller may not see it.
   *
   * @throws ListingError and TypeError as `find`
   * @example
   * const lesson = await listings.get('lessons', 77, { caller })
   */
  get<Name extends string extends Lists[number]['name'] ? string : RecordName<Lists[number]>>(
    name: Name,
    id: string | number | bigint,
    call: Omit<ListingCall<Record<never, never>>, 'query'>
  ): Promise<Static<Named<Lists, Name>['item']> | undefined>
  /**
   * Reads every record that matches the query and that the caller may see, in the order of the list, such as newest
   * first, or in that of `sort`, which takes every column but an enum. Each record that exists from the first to the
   * last batch, and keeps its place, comes exactly once. The iterator holds one batch of a thousand records, and waits
   * for the consumer without a connection. The option `timeout` limits each batch.
   *
   * @throws ListingError and TypeError as `find`. What is wrong with the call is thrown at once: a parameter, a missing
   * caller, a role that may not see the list. What fails while reading rejects `next()`.
   * @example
   * for await (const payment of listings.each('payments', { caller, query: { processor_status: 'succeeded' } })) …
   */
  each<Name extends Lists[number]['name']>(
    name: Name,
    call: ListingCall<Without<QueryFor<Named<Lists, Name>>, NotOfAll<Named<Lists, Name>>>>
  ): AsyncIterableIterator<Static<Named<Lists, Name>['item']>>
}

/**
 * Makes the plugin together with `find` and `each`, which read the same lists without HTTP. Visibility always applies.
 *
 * @param options the options of the plugin
 * @throws TypeError when an option is wrong
 * @example
 * const listings = createListings({ db, resolveRole })
 * app.register(listings.plugin, { prefix: '/api' })
 */
export function createListings<Db extends KyselyInstance, const Lists extends readonly List[] = typeof defaultLists>(
  options: OptionsOf<Db, Lists>
): Listings<Lists> {
  const assembly = assemble(options)
  const calls = new Map(assembly.settings.lists.map((list) => [list.name, callsOf(list, assembly)]))
  const callsTo = (name: string) => {
    const found = calls.get(name)
    if (!found) throw new TypeError(`There is no list '${name}'. The lists are: ${[...calls.keys()].join(', ')}.`)
    return found
  }
  return Object.freeze({
    plugin: pluginOf((given: object) => {
      const option = Object.keys(given).find((name) => !registerOptions.includes(name))
      if (!option) return assembly
      throw new InvalidOption(`Option '${option}': give this option to createListings, and not to app.register.`)
    }),
    find: async (name: string, call: ListingCall<object>) => callsTo(name).find(call),
    get: async (name: string, id: unknown, call: ListingCall<object>) => callsTo(name).get(id, call),
    each: (name: string, call: ListingCall<object>) => callsTo(name).each(call)
  }) as unknown as Listings<Lists>
}

/** What the calls of a list throw is an InvalidCall, or a ListingError with the text of the route. */
function callsOf(list: List, { settings, sources, find }: Assembly) {
  const { messages, timeout } = settings
  const kind = answerOf(list)
  const tableNames = Object.values(tablesOf(list))
  const [askPage, askAll] = [questionReader(list, settings), questionReader(list, settings, false)]
  const askRecord = recordReader(list, settings)

  /** Reads the whole call, before any statement. */
  const open = (call: ListingCall<object>, ask: Ask) => {
    const { query = {}, signal, db } = checkedCall(call)
    if (call.caller === null || call.caller === undefined) {
      throw new Failure('unauthorized', "'caller' is missing in the call. Give an object such as { userId, role }.")
    }
    const caller = callerFrom(call.caller, (rule, got) => {
      throw new InvalidCall(`'caller' must have a ${rule}; got ${got}.`)
    })
    const reach = reachFor(list, caller)
    const question = ask(caller, reach, pairsFrom(query))
    const source = sources.ofCall(db)
    const { timed } = timingOf(undefined, list.name, reach)
    // All batches read one tenant, even if a Kysely plugin would give the next batch other tables.
    const tables = source.tables(tableNames)
    const signals = signal ? [signal] : []
    const answer = <Answer>(kind: AnswerKind<Answer>, asked = question, ends = signals) =>
      withinDeadline(timeout, ends, (deadline) => find(kind, asked, tables, openSession(source, deadline, timed)))
    return { question, signals, answer }
  }

  const failed = (error: unknown): unknown => {
    if (error instanceof InvalidCall) return error
    const failure = failureOf(error)
    return new ListingError(clientTextOf(failure, list, messages), failure)
  }

  return {
    async find(call: ListingCall<object>) {
      try {
        return await open(call, askPage).answer(kind)
      } catch (error) {
        throw failed(error)
      }
    },

    async get(id: unknown, call: ListingCall<object>) {
      if (!list.record) throw new TypeError(`The list '${list.name}' has no 'record'.`)
      if (!['string', 'bigint'].includes(typeof id) && !Number.isSafeInteger(id)) {
        throw new TypeError(`The id must be a string, a safe integer or a bigint; got ${describe(id)}.`)
      }
      try {
        return (await open(call, (...asked) => askRecord(...asked, String(id))).answer(record)).item
      } catch (error) {
        if (error instanceof Failure && error.kind === 'notFound') return undefined
        throw failed(error)
      }
    },

    each(call: ListingCall<object>): AsyncIterableIterator<unknown> {
      try {
        const { question, signals, answer } = open(call, askAll)
        const left = new AbortController()
        const findBatch = (from: Question) => answer(batch, from, [...signals, left.signal])
        const items = eachItem(question, findBatch, signals)
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

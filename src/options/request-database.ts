/** Which database answers a request: the server's only one, or the one of its tenant. */
import type { FastifyRequest } from 'fastify'
import { type Source, sourceOf } from '../database/source.js'
import type { HostTables, KyselyInstance } from '../database/tables.js'
import { InvalidOption } from '../errors/boot-error.js'
import { callHost } from '../errors/callbacks.js'
import { Failure } from '../errors/failure.js'
import { InvalidCall } from '../errors/listing-error.js'
import { notDatabase, tablesRule } from './rules.js'
import type { Settings } from './settings.js'
import { readTablesOf } from './tables.js'

export interface Sources {
  /** Undefined where the host gives a database for each request. */
  readonly only: Source | undefined
  of(request: FastifyRequest): Source
  /** For a call without a request. Throws InvalidCall if the call lacks a database, or must not have one. */
  ofCall(db: unknown): Source
}

type Given = Pick<Settings, 'db' | 'tables' | 'lists'>

/** @throws TypeError for tables that do not fit `db`, and for a database that is not supported */
export function sourcesOf({ db, tables, lists }: Given): Sources {
  const read = readTablesOf(lists)
  const open = (database: KyselyInstance) => sourceOf(database, tablesFor(database, tables, lists), read)
  if (typeof db === 'object') {
    const only = atBoot(() => open(db))
    const ofCall = (given: unknown) => {
      if (given === undefined || given === db) return only
      const text = "'db' must not be given in the call, because the option 'db' is an instance. Leave 'db' out."
      throw new InvalidCall(text)
    }
    return { only, of: () => only, ofCall }
  }
  const select = Object.entries(tables).find(([, table]) => typeof table === 'object')?.[0]
  if (select) {
    throw new InvalidOption(
      `Option 'tables': '${select}' is a select of one Kysely instance, but 'db' is a function that gives an instance ` +
        `for each request. Make the selects from that instance: tables: (db) => ({ ${select}: db.selectFrom(…) }).`
    )
  }
  const opened = new WeakMap<KyselyInstance, Source>()
  const openOnce = (database: KyselyInstance): Source => {
    const source = opened.get(database) ?? open(database)
    opened.set(database, source)
    return source
  }
  return {
    only: undefined,
    of(request) {
      const database = callHost('db', () => db(request))
      const problem = notDatabase(database)
      if (!problem) return openOnce(database)
      const text = `The function 'db' must return a Kysely instance, and must not be async; it returned ${problem}.`
      throw new Failure('internal', text, { callback: 'db' })
    },
    ofCall(given) {
      const problem = notDatabase(given)
      if (!problem) return openOnce(given as KyselyInstance)
      const text = "'db' must be a Kysely instance in the call, because the option 'db' is a function of a request"
      throw new InvalidCall(`${text}; got ${problem}.`)
    }
  }
}

function tablesFor(database: KyselyInstance, option: Given['tables'], lists: Given['lists']): HostTables {
  if (typeof option === 'object') return option
  const tables = callHost('tables', () => (option as (db: KyselyInstance) => HostTables)(database))
  const { expected, wrong } = tablesRule(lists)
  const problem = wrong(tables)
  if (problem) {
    const text = `The function 'tables' must return ${expected}; it returned ${problem}.`
    throw new Failure('internal', text, { callback: 'tables' })
  }
  // The host may change the object later.
  return { ...tables }
}

/** A `Failure` is the error of a request. The errors of the boot have a code. */
function atBoot<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof Failure ? new InvalidOption(error.message) : error
  }
}

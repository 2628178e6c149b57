/** Which database answers a request: the server's only one, or the one of its tenant. */
import type { FastifyRequest } from 'fastify'
import type { Source } from '../database/source.js'
import type { KyselyInstance } from '../database/tables.js'
import { InvalidOption } from '../errors/boot-error.js'
import { callHost } from '../errors/callbacks.js'
import { Failure } from '../errors/failure.js'
import { InvalidCall } from '../errors/listing-error.js'
import { notDatabase } from './rules.js'
import type { Settings } from './settings.js'
import { sourceFor } from './tables.js'

export interface Sources {
  /** Undefined where the host gives a database for each request. */
  readonly only: Source | undefined
  of(request: FastifyRequest): Source
  /** For a call without a request. Throws InvalidCall if the call lacks a database, or must not have one. */
  ofCall(db: unknown): Source
}

/** @throws TypeError when `tables` holds a select and `db` is a function */
export function sourcesOf({ db, tables, lists }: Pick<Settings, 'db' | 'tables' | 'lists'>): Sources {
  if (typeof db === 'object') {
    const only = sourceAtBoot(db, tables, lists)
    const ofCall = (given: unknown) => {
      if (given === undefined || given === db) return only
      throw new InvalidCall(
        "'db' must not be given in the call, because the option 'db' is an instance. Leave 'db' out."
      )
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
  const sources = new WeakMap<KyselyInstance, Source>()
  const sourceOf = (database: KyselyInstance): Source => {
    const source = sources.get(database) ?? sourceFor(database, tables, lists)
    sources.set(database, source)
    return source
  }
  return {
    only: undefined,
    of(request) {
      const database = callHost('db', () => db(request))
      const problem = notDatabase(database)
      if (!problem) return sourceOf(database)
      const text = `The function 'db' must return a Kysely instance, and must not be async; it returned ${problem}.`
      throw new Failure('internal', text, { callback: 'db' })
    },
    ofCall(given) {
      const problem = notDatabase(given)
      if (!problem) return sourceOf(given as KyselyInstance)
      const text = "'db' must be a Kysely instance in the call, because the option 'db' is a function of a request"
      throw new InvalidCall(`${text}; got ${problem}.`)
    }
  }
}

/** A `Failure` is the error of a request. The errors of the boot have a code. */
function sourceAtBoot(database: KyselyInstance, tables: Settings['tables'], lists: Settings['lists']): Source {
  try {
    return sourceFor(database, tables, lists)
  } catch (error) {
    throw error instanceof Failure ? new InvalidOption(error.message) : error
  }
}

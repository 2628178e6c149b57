/** A host with its driver, session and Kysely set in some way, and what it answers. */
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import listing from '../../src/index.js'
import type { Db } from '../support/databases.js'
import { keepLog } from '../support/log.js'
import { type Answer, ask, resolveRole, secret } from '../support/server.js'
import { textRelations } from './driver-data.js'
import { questions } from './driver-questions.js'
import type { Setting } from './drivers.js'

export interface Told {
  /** To each of the questions; none where the host did not start. */
  answers: Answer[]
  /** What the operator reads: the error that stopped the start, or the error lines of the log. */
  reasons: string[]
}

/** Opens the database with settings. The pool's own come last, so that `database` can be another one. */
export function open(pool: PoolOptions, settings: readonly Setting[]): Db {
  const connections = createPool(Object.assign({}, pool, ...settings.map((setting) => setting.pool)))
  for (const { session } of settings) {
    if (session) connections.on('connection', (connection) => connection.query(session, mustWork))
  }
  return new Kysely({ dialect: new MysqlDialect({ pool: connections }) })
}

const mustWork = (error: Error | null): void => {
  if (error) throw error
}

/** Starts a host with settings, asks it all questions, and stops it. */
export async function tell(pool: PoolOptions, settings: readonly Setting[] = []): Promise<Told> {
  const { logger, lines } = keepLog('error')
  const app = Fastify({ logger })
  const plain = open(pool, settings)
  const plugged = (db: Db, { plugin }: Setting) => plugin?.(db, String(pool.database)) ?? db
  const db = settings.reduce(plugged, plain)
  try {
    app.register(jwt, { secret })
    app.register(listing, { db, resolveRole, prefix: '/numbers' })
    app.register(listing, { db, resolveRole, prefix: '/texts', tables: textRelations(db) })
    await app.ready()
    const answers = await Promise.all(questions.map(({ url, caller }) => ask(app, url, caller)))
    return { answers, reasons: lines.map(({ msg }) => msg) }
  } catch (error) {
    return { answers: [], reasons: [(error as Error).message] }
  } finally {
    await app.close()
    await plain.destroy()
  }
}

/** Which dialect a host's database has. */
import type { Kysely } from 'kysely'
import { Failure } from '../../errors/failure.js'
import type { Dialect } from '../dialect.js'
import { mysql } from './mysql.js'
import { postgres } from './postgres.js'
import { sqlite } from './sqlite.js'

/**
 * Tells the database from the SQL that the host's Kysely writes for it: by its quotes and placeholders,
 * since class names differ between copies and builds of Kysely.
 *
 * @throws Failure when it is none of the supported ones.
 */
export function dialectOf(db: Kysely<Record<string, Record<string, unknown>>>): Dialect {
  const { sql: probe } = db.withoutPlugins().selectFrom('t').select('c').where('c', '=', 1).compile()
  if (probe.includes('`')) return mysql
  if (probe.includes('= $1')) return postgres
  if (probe.includes('= ?')) return sqlite
  throw new Failure(
    'internal',
    `The database is not supported: use MySQL, MariaDB, PostgreSQL or SQLite (its SQL looks like: ${probe}).`
  )
}

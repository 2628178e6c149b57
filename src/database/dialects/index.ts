/** The supported dialects. */
import { Failure } from '../../errors/failure.js'
import type { AnyKysely, Dialect } from '../dialect.js'
import { mysql } from './mysql.js'
import { postgres } from './postgres.js'
import { sqlite } from './sqlite.js'

/** By the quotes and placeholders of compiled SQL, because class names differ between copies of Kysely. */
export function dialectOf(db: AnyKysely): Dialect {
  const { sql: probe } = db.withoutPlugins().selectFrom('t').select('c').where('c', '=', 1).compile()
  if (probe.includes('`')) return mysql
  if (probe.includes('= $1')) return postgres
  if (probe.includes('= ?')) return sqlite
  throw new Failure(
    'internal',
    `The database is not supported: use MySQL, MariaDB, PostgreSQL or SQLite (its SQL looks like: ${probe}).`
  )
}

/** The migration that creates, fills and drops a search index. */
import { dialectOf } from '../database/dialects/index.js'
import type { ListingMigration } from '../database/migrations.js'
import type { Database } from '../database/tables.js'
import * as mysql from './mysql-table.js'
import { type Names, namesOf, type SearchIndexOptions, type Session } from './options.js'
import * as sqlite from './sqlite.js'

/**
 * A migration for Kysely's `Migrator`, which creates a search index: the table `<table>_search`, and three triggers on the
 * table. For MySQL, MariaDB and SQLite. The lists use the index if the option `tables` names the index as `userSearch` or
 * `paymentSearch`.
 *
 * On MySQL and MariaDB, the application can write during the fill. A second `up` continues a fill that was interrupted,
 * and repairs an index without a trigger or with another collation.
 *
 * `up` throws an error if the index could miss a text. `up` and `down` throw an error if the host has a table or a trigger
 * of such a name.
 *
 * @example
 * searchIndex({ table: 'users', id: 'user_id', columns: ['first_name', 'last_name', 'email'] })
 */
export function searchIndex(options: SearchIndexOptions): ListingMigration {
  const onSession = (database: Database, run: (engine: Engine, session: Session, names: Names) => Promise<void>) => {
    const db = database as unknown as Session
    const [engine, names] = [engineOf(db), namesOf(db, options)]
    return db
      .withoutPlugins()
      .connection()
      .execute((session) => run(engine, session, names))
  }
  return {
    up: async (db) => onSession(db, ({ createIndex }, session, names) => createIndex(session, options, names)),
    down: async (db) => onSession(db, ({ dropIndex }, session, names) => dropIndex(session, names))
  }
}

type Engine = typeof mysql | typeof sqlite

function engineOf(session: Session): Engine {
  const { name } = dialectOf(session)
  if (name === 'mysql') return mysql
  if (name === 'sqlite') return sqlite
  throw new Error('searchIndex is not for PostgreSQL. Create a trigram index (pg_trgm), see docs/scaling.md.')
}

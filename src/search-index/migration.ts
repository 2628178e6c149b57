/** The migration that creates, fills and drops a search index. */
import { dialectOf } from '../database/dialects/index.js'
import type { ListingMigration } from '../database/migrations.js'
import * as mysql from './mysql-table.js'
import { namesOf, type SearchIndexOptions, type Session } from './options.js'
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
  return {
    up: async (database) => {
      const db = database as unknown as Session
      const { createIndex } = engineOf(db)
      const names = namesOf(db, options)
      await db
        .withoutPlugins()
        .connection()
        .execute((session) => createIndex(session, options, names))
    },
    down: async (database) => {
      const db = database as unknown as Session
      await engineOf(db).dropIndex(db.withoutPlugins(), namesOf(db, options))
    }
  }
}

function engineOf(session: Session) {
  const { name } = dialectOf(session)
  if (name === 'mysql') return mysql
  if (name === 'sqlite') return sqlite
  throw new Error('searchIndex is not for PostgreSQL. Create a trigram index (pg_trgm), see docs/scaling.md.')
}

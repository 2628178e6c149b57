/** The search index of the users, and what tests read of an index. */
import { sql } from 'kysely'
import type { Db } from './databases.js'

export const users = { table: 'users', id: 'user_id', columns: ['first_name', 'last_name', 'email'] }

/** The keys of an index on MySQL or MariaDB. */
export const rowsOf = async (db: Db, table = 'users_search') =>
  (
    await sql<{ entry: string }>`select concat_ws(' ', place, hex(chars), id) as entry from ${sql.table(table)}
    where place > 0 order by place, chars, id`.execute(db)
  ).rows.map(({ entry }) => entry)

export async function isMariadb(db: Db): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  return /MariaDB/.test(String(rows[0]?.version))
}

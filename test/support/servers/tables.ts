/** Databases with the default tables. */
import { sql } from 'kysely'
import type { Test } from 'tap'
import { columnsOf } from '../fixtures/columns.js'
import { createTables, fill } from '../fixtures/world.js'
import { type DatabaseName, type Db, type Opening, openDatabase } from './databases.js'

/** Opens a database with empty default tables. */
export async function openTables(t: Test, name: DatabaseName, opening?: Opening): Promise<Db> {
  const db = await openDatabase(t, name, opening)
  await createTables(db)
  return db
}

/** Opens a database with the small world. */
export async function openWorld(t: Test, name: DatabaseName, opening?: Opening): Promise<Db> {
  const db = await openDatabase(t, name, opening)
  await fill(db)
  return db
}

/** A list's table with SQL in the place of a column. */
export function computed(db: Db, table: 'assessments' | 'payments', column: string, value: string) {
  const others = columnsOf[table].filter((name) => name !== column)
  return { [table]: db.selectFrom(table).select([...others, sql.raw(value).as(column)]) as never }
}

/** The payments of PostgreSQL, read in a statement that takes 20 seconds, and the number of such statements that run. */
export const slowPayments = (db: Db) =>
  computed(
    db,
    'payments',
    'payment_intent',
    "payment_intent || case when payment_id = 99 then pg_sleep(20)::text else '' end"
  )

export async function slowStatements(db: Db): Promise<number> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`.execute(db)
  return rows.length
}

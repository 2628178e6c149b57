/** Databases with the default tables. */
import { sql } from 'kysely'
import type { Test } from 'tap'
import { columnsOf } from './columns.js'
import { type DatabaseName, type Db, type Opening, openDatabase } from './databases.js'
import { createTables, fill } from './world.js'

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

/** The payments of PostgreSQL, read in a statement that takes 20 seconds. */
export function slowPayments(db: Db) {
  const slow = sql<string>`payment_intent || case when payment_id = 99 then pg_sleep(20)::text else '' end`
  const columns = columnsOf.payments.filter((column) => column !== 'payment_intent')
  return { payments: db.selectFrom('payments').select([...columns, slow.as('payment_intent')]) as never }
}

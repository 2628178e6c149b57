/** Databases with the default tables. */
import type { Test } from 'tap'
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

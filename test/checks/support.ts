/** What the tests of the checks share. */
import { sql } from 'kysely'
import type { Test } from 'tap'
import { checkDatabase, type Finding, type Relations } from '../../src/index.js'
import { type DatabaseName, type Db, type Opening, openDatabase } from '../support/databases.js'
import { fill } from '../support/world.js'

/** The default tables with the small world in them, after some statements. */
export async function filled(t: Test, name: DatabaseName, statements: string[] = [], opening?: Opening): Promise<Db> {
  const db = await openDatabase(t, name, opening)
  await fill(db)
  for (const statement of statements) await sql.raw(statement).execute(db)
  return db
}

/** The findings as lines: `error relations: …`. */
export async function findings(db: Db, relations?: Relations): Promise<string[]> {
  const found: Finding[] = await checkDatabase({ db, ...(relations && { relations }) })
  return found.map(({ level, remedy, text }) => `${level} ${remedy}: ${text}`)
}

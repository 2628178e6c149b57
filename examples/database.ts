/** The demo's database: SQLite in memory, or the MySQL or MariaDB database of a URL, filled with the demo's data. */
import { listingMigrations } from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { createCertificates } from './certificates.js'
import type { Data } from './data.js'
import { sqlite } from './sqlite.js'

type DB = Record<string, Record<string, unknown>>

/** Rows in one insert. */
const chunk = 500

/** The table that the demo creates last. A database with this table is filled. */
const marker = 'listing_demo_3'

/**
 * A database that an earlier run of the demo has filled is used again.
 *
 * @param url `mysql://user:password@host:port/database`. The default is SQLite in memory
 * @throws Error when the database of the URL has other tables. The database stays as it is
 */
export async function openDatabase(url: string | undefined, { tables }: Data): Promise<Kysely<DB>> {
  const db = new Kysely<DB>({ dialect: url ? new MysqlDialect({ pool: createPool(url) }) : sqlite() })
  try {
    const existing = await db.introspection.getTables()
    if (existing.some(({ name }) => name === marker)) return db
    const [table] = existing
    if (table) {
      throw new Error(
        `The database of DATABASE_URL has the table '${table.name}' and no data of the demo: give an empty database. Nothing was changed.`
      )
    }
    for (const { up } of Object.values(listingMigrations)) await up(db)
    await createCertificates(db)
    const total = Object.values(tables).reduce((sum, rows) => sum + rows.length, 0)
    let done = 0
    for (const [name, rows] of Object.entries(tables)) {
      for (let start = 0; start < rows.length; start += chunk) {
        const values = rows.slice(start, start + chunk)
        await db.insertInto(name).values(values).execute()
        progress(done, done + values.length, total, name)
        done += values.length
      }
    }
    await db.schema.createTable(marker).addColumn('filled', 'integer').execute()
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** One line that counts up on a terminal, and one line each tenth elsewhere. */
function progress(before: number, done: number, total: number, table: string): void {
  const { isTTY } = process.stderr
  const tenths = (rows: number) => Math.floor((rows / total) * 10)
  if (!isTTY && tenths(before) === tenths(done)) return
  const percent = String(Math.floor((done / total) * 100)).padStart(3)
  process.stderr.write(`Filling the database: ${percent} % (${table})          ${isTTY && done < total ? '\r' : '\n'}`)
}

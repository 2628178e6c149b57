/** The demo's database: SQLite in memory, or the empty MySQL or MariaDB database of a URL, filled with the demo's data. */
import { migrations } from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import type { Data } from './data.js'
import { sqlite } from './sqlite.js'

type DB = Record<string, Record<string, unknown>>

/** Rows in one insert. */
const chunk = 500

/**
 * @param url `mysql://user:password@host:port/database`; without it, SQLite in memory
 * @throws Error when the database of the URL already has tables; it is left as it was
 */
export async function openDatabase(url: string | undefined, { tables }: Data): Promise<Kysely<DB>> {
  const db = new Kysely<DB>({ dialect: url ? new MysqlDialect({ pool: createPool(url) }) : sqlite() })
  try {
    const [table] = await db.introspection.getTables()
    if (table) {
      throw new Error(
        `The database of DATABASE_URL is not empty (it has '${table.name}'); give an empty one, nothing was changed.`
      )
    }
    for (const { up } of Object.values(migrations)) await up(db)
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

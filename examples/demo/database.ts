/** The demo's database: SQLite in memory, or the MySQL or MariaDB database of a URL, filled with the demo's data. */
import { listingMigrations } from 'fastify-assessment-payment-listing'
import { type CompiledQuery, Kysely, type KyselyConfig, MysqlDialect } from 'kysely'
import { createConnection, createPool } from 'mysql2'
import { createCertificates } from '../certificates.js'
import { sqlite } from '../sqlite.js'
import type { Data } from './data.js'

type DB = Record<string, Record<string, unknown>>
type Row = Data['tables']['users'][number]

/** Rows in one insert. */
const chunk = 500

/** The table that the demo creates last, with the number of its records. A database with this table is filled. */
const marker = 'listing_demo_5'

/**
 * A database that an earlier run of the demo has filled is used again.
 *
 * @param url `mysql://user:password@host:port/database`. The default is SQLite in memory
 * @param rows how many records somebody has asked for
 * @throws Error when the database of the URL has other tables, or another number of records. The database stays as it is
 */
export async function openDatabase(
  url: string | undefined,
  { tables, counts }: Data,
  { rows, log }: { rows?: number | undefined; log?: KyselyConfig['log'] } = {}
): Promise<Kysely<DB>> {
  const dialect = url ? new MysqlDialect({ pool: createPool(url), controlConnection: createConnection }) : sqlite()
  const db = new Kysely<DB>({ dialect, ...(log && { log }) })
  try {
    const existing = await db.introspection.getTables()
    if (existing.some(({ name }) => name === marker)) {
      const { filled } = await db.selectFrom(marker).select('filled').executeTakeFirstOrThrow()
      if (rows === undefined || Number(filled) === rows) return db
      throw new Error(
        `The database of DATABASE_URL has ${filled} records of the demo: leave --rows out, or give an empty database. Nothing was changed.`
      )
    }
    const [table] = existing
    if (table) {
      throw new Error(
        `The database of DATABASE_URL has the table '${table.name}' and no data of the demo: give an empty database. Nothing was changed.`
      )
    }
    for (const { up } of Object.values(listingMigrations)) await up(db)
    await createCertificates(db)
    const { users, memberships, links, clinic_staff, ...records } = tables
    for (const [name, people] of Object.entries({ users, memberships, links, clinic_staff }))
      await fill(db, name, people)
    const total = Object.values(counts).reduce((sum, count) => sum + count)
    let done = 0
    for (const [name, made] of Object.entries(records)) {
      done = await fill(db, name, made, done, (before, after) => progress(before, after, total, name))
    }
    await db.schema.createTable(marker).addColumn('filled', 'integer').execute()
    await db.insertInto(marker).values({ filled: total }).execute()
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Inserts rows, and says after each insert how many there were before and are now. */
async function fill(
  db: Kysely<DB>,
  table: string,
  rows: Iterable<Row>,
  done = 0,
  say?: (before: number, after: number) => void
): Promise<number> {
  // the statement of a whole chunk is made once
  let whole: CompiledQuery | undefined
  const insert = async (values: Row[]) => {
    const query = (values.length === chunk && whole) || db.insertInto(table).values(values).compile()
    if (values.length === chunk) whole = query
    await db.executeQuery({ ...query, parameters: values.flatMap((row) => Object.values(row)) })
    say?.(done, done + values.length)
    done += values.length
  }
  let values: Row[] = []
  for (const row of rows) {
    if (values.push(row) < chunk) continue
    await insert(values)
    values = []
    // a signal comes through
    await new Promise(setImmediate)
  }
  if (values.length > 0) await insert(values)
  return done
}

/** One bar that grows on a terminal, and one line each tenth elsewhere. */
function progress(before: number, done: number, total: number, table: string): void {
  const { isTTY } = process.stderr
  const parts = (rows: number, count: number) => Math.floor((rows / total) * count)
  if (parts(before, isTTY ? 100 : 10) === parts(done, isTTY ? 100 : 10)) return
  const bar = '█'.repeat(parts(done, 30)).padEnd(30, '░')
  const percent = String(parts(done, 100)).padStart(3)
  const records = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} records`
  process.stderr.write(
    isTTY
      ? `\r${bar} ${percent} %  ${records} (${table})   ${done < total ? '' : '\n'}`
      : `Filling the database: ${percent} % (${table})\n`
  )
}

/** The search indexes of the users and of the payments: what they take, and what they cost a write. */
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { searchIndex } from '../dist/index.js'
import { median, rounded } from './figures.mjs'
import { progress } from './progress.mjs'

/**
 * @typedef {object} SearchIndex
 * @property {number} rows
 * @property {number} megabytes
 * @property {number} seconds of the migration
 * @property {number} writeBefore milliseconds of an update without the index
 * @property {number} writeAfter milliseconds of an update with the index
 */

const tables = [
  { table: 'users', id: 'user_id', columns: ['first_name', 'last_name', 'email'] },
  { table: 'payments', id: 'payment_id', columns: ['payment_intent'] }
]

/** The index of ten million payments would have 270 million rows, more than fit in memory. @param {number} scale */
export const hasPaymentIndex = (scale) => scale <= 1

/**
 * @param {import('./database.mjs').BenchDatabase} database
 * @param {number} scale
 * @returns {Promise<Record<string, SearchIndex>>} by the table
 */
export async function createSearchIndexes(database, scale) {
  const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(database.url) }) })
  /** @type {Record<string, SearchIndex>} */
  const indexes = {}
  for (const options of tables.filter(({ table }) => table === 'users' || hasPaymentIndex(scale))) {
    const { table } = options
    const writeBefore = await writeTime(database, options)
    const start = performance.now()
    const bar = progress(`Indexing ${table}`, await numberIn(database, `select count(*) from ${table}`))
    let rest = Infinity
    /** @param {{ left: number }} now */
    const onProgress = ({ left }) => {
      // a piece more is done than the first call tells
      bar.advance(rest === Infinity ? 0 : rest - left, `${left} rows are left`)
      rest = left
    }
    await searchIndex({ ...options, onProgress }).up(db)
    bar.end()
    const seconds = Math.round((performance.now() - start) / 1000)
    await database.connection.query(`analyze table ${table}_search`)
    indexes[table] = {
      rows: await numberIn(database, `select count(*) from ${table}_search`),
      megabytes: await numberIn(
        database,
        `select round(data_length / 1048576) from information_schema.tables
         where table_schema = database() and table_name = '${table}_search'`
      ),
      seconds,
      writeBefore,
      writeAfter: await writeTime(database, options)
    }
  }
  await db.destroy()
  return indexes
}

/**
 * The median time to change the last column of a row, and to change it back.
 *
 * @param {import('./database.mjs').BenchDatabase} database
 * @param {{ table: string, id: string, columns: string[] }} options
 */
async function writeTime(database, { table, id, columns }) {
  const column = columns.at(-1)
  const rows = await numberIn(database, `select count(*) from ${table}`)
  const times = []
  for (let number = 0; number < 300; number++) {
    const row = 1 + ((number * 7919) % rows)
    for (const value of [`concat('x', ${column})`, `substr(${column}, 2)`]) {
      const before = performance.now()
      await database.connection.query(`update ${table} set ${column} = ${value} where ${id} = ${row}`)
      times.push(performance.now() - before)
    }
  }
  return rounded(median(times))
}

/**
 * @param {import('./database.mjs').BenchDatabase} database
 * @param {string} sql
 */
async function numberIn({ connection }, sql) {
  const [[row]] = /** @type {[Record<string, unknown>[], unknown]} */ (
    /** @type {unknown} */ (await connection.query(sql))
  )
  return Number(Object.values(row ?? {})[0])
}

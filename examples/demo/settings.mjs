/** What the environment and the arguments ask of the demo. Plain JavaScript, because it runs before anything is compiled. */
import { createServer } from 'node:net'
import { parseArgs } from 'node:util'

/** @typedef {{ databaseUrl: string | undefined, port: number, rows: number | undefined }} Settings `rows` is the number of records */

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args
 * @returns {Settings}
 * @throws Error that says what to give instead
 */
export function readSettings({ DATABASE_URL, PORT }, args) {
  const port = Number(PORT || 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`PORT is '${PORT}'; give a number from 0 (any free one) to 65535, or nothing for 3000.`)
  }
  if (DATABASE_URL && !/^(mysql|mariadb):\/\//.test(DATABASE_URL)) {
    throw new Error('DATABASE_URL must begin with mysql:// or mariadb://; without it the demo has SQLite in memory.')
  }
  if (DATABASE_URL && !/^\w+:\/\/[^/]+\/[^/?]/.test(DATABASE_URL)) {
    throw new Error('DATABASE_URL must name an empty database: mysql://user:password@host:3306/name.')
  }
  return { databaseUrl: DATABASE_URL, port, rows: rowsOf(args) }
}

/** @param {string[]} args */
function rowsOf(args) {
  const wanted = 'The one argument is --rows with a number from 100 to 2000000: npm start -- --rows 1000000.'
  try {
    const { rows } = parseArgs({ args, options: { rows: { type: 'string' } } }).values
    if (rows === undefined) return undefined
    const count = Number(rows)
    if (Number.isInteger(count) && count >= 100 && count <= 2_000_000) return count
  } catch {
    // an argument that there is not
  }
  throw new Error(wanted)
}

/**
 * Finds out whether the port can be had, before a database is filled for nothing.
 *
 * @param {number} port
 * @returns {Promise<void>}
 */
export const ensureFree = (port) =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', () => reject(new Error(`Port ${port} cannot be had: choose another one with PORT=…`)))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })

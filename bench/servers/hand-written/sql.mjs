/** What the two lists by hand have in common. */

/** @typedef {(sql: string, values?: (string | number)[]) => Promise<Record<string, any>[]>} Ask */

/**
 * @typedef {object} Asked
 * @property {string} userId
 * @property {string} role
 * @property {string} search
 * @property {string} status
 * @property {string} processor_status
 * @property {number} page
 * @property {number} limit
 */

/** As many users as are worth naming one by one. */
export const namedUsers = 2000

/** The term as literal text inside of LIKE. @param {string} term */
export const pattern = (term) => `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`

/** The total when the page proves it. @param {unknown[]} rows @param {number} limit @param {number} offset */
export const proven = (rows, limit, offset) =>
  rows.length < limit && (rows.length > 0 || offset === 0) ? offset + rows.length : undefined

/**
 * Whether walking from the newest record on finds the page before users-first would have sorted all.
 *
 * @param {number} total
 * @param {number} reach records up to the page's end
 */
export const isDense = (total, reach) => total > 5000 && reach * 50 <= total

/**
 * A page of an index, from its nearer end.
 *
 * @param {string} table
 * @param {string} id
 * @param {string} where
 * @param {{ total: number, limit: number, offset: number }} place
 */
export function indexPage(table, id, where, { total, limit, offset }) {
  const rest = Math.max(0, total - offset)
  const from = `select ${id} as id from ${table} ${where} order by created_at`
  if (offset <= total / 2) return `${from} desc, ${id} desc limit ${limit} offset ${offset}`
  const count = Math.min(limit, rest)
  return `${from}, ${id} limit ${count} offset ${rest - count}`
}

/** Newest first; the database need not sort a dozen rows. @param {Record<string, any>[]} rows @param {string} id */
export const newestFirst = (rows, id) =>
  rows.sort((one, other) =>
    one.created_at === other.created_at ? other[id] - one[id] : one.created_at < other.created_at ? 1 : -1
  )

/** @param {Record<string, any>[]} rows */
export const totalIn = (rows) => Number(rows[0]?.total)

/**
 * The database servers that TEST_DATABASE leaves out. Without TEST_DATABASE every test runs on every database. SQLite
 * runs in the tests' own process and is never left out.
 */

const servers = { mysql: 'MySQL or MariaDB', postgres: 'PostgreSQL' }
/** @typedef {keyof typeof servers} ServerName */

const { TEST_DATABASE } = process.env
if (TEST_DATABASE !== undefined && !['sqlite', ...Object.keys(servers)].includes(TEST_DATABASE)) {
  throw new Error(`TEST_DATABASE is '${TEST_DATABASE}'; give sqlite, mysql or postgres.`)
}

/** @param {ServerName} name */
export const isLeftOut = (name) => TEST_DATABASE !== undefined && TEST_DATABASE !== name

/** @param {ServerName} name */
export const reasonOf = (name) => `needs ${servers[name]}, which TEST_DATABASE=${TEST_DATABASE} leaves out`

const names = /** @type {ServerName[]} */ (Object.keys(servers)).filter(isLeftOut).map((name) => servers[name])

/** A sentence about the servers that TEST_DATABASE leaves out; undefined if it leaves none out. */
export const leftOut =
  names.length > 0
    ? `TEST_DATABASE=${TEST_DATABASE} leaves out ${names.join(' and ')}: the tests that need them are skipped, and ` +
      'coverage of src is not enforced. `npm test` without TEST_DATABASE runs everything.'
    : undefined

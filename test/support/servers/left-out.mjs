/**
 * The databases of the tests. TEST_DATABASE names those that must be there, such as `sqlite,postgres`, and leaves out the
 * others. Without TEST_DATABASE, `npm test` leaves out a server that the machine lacks.
 */

/** The names of the databases. SQLite runs in the tests' own process. */
export const titles = { sqlite: 'SQLite', mysql: 'MySQL or MariaDB', postgres: 'PostgreSQL' }
/** @typedef {keyof typeof titles} DatabaseName */

const names = /** @type {DatabaseName[]} */ (Object.keys(titles))
const { TEST_DATABASE } = process.env
const named = /** @type {DatabaseName[] | undefined} */ (TEST_DATABASE?.split(','))
const unknown = named?.find((name) => !names.includes(name))
if (unknown !== undefined) throw new Error(`TEST_DATABASE names '${unknown}'; it takes some of ${names}.`)

/** @param {DatabaseName} name */
export const isLeftOut = (name) => named?.includes(name) === false

/** @param {DatabaseName} name */
export const reasonOf = (name) => `needs ${titles[name]}, which TEST_DATABASE=${TEST_DATABASE} leaves out`

/** The databases that the tests run on. */
export const databases = names.filter((name) => !isLeftOut(name))

/**
 * The test command: type check, lint, then tap on SQLite, on a MariaDB or MySQL and on a PostgreSQL, which are those of
 * TEST_MYSQL_URL and TEST_POSTGRES_URL or private ones. A server that the machine lacks is left out, and the last lines
 * say so, unless TEST_DATABASE names it: `TEST_DATABASE=sqlite,mysql,postgres npm test` asks for all of them.
 * `TEST_DATABASE=sqlite npm test` is the quick run on a machine without a server. `npm run test:package` tests what is
 * published around the lists. Arguments go to tap: `npm test -- test/question/find.test.ts`. A failed run ends with the
 * command that makes the same random choices again.
 */

import { buildPackage, command, step, withDatabases } from './support/running/steps.mjs'
import { listTests, processesOf, quickTests } from './support/running/test-files.mjs'
import { databases } from './support/servers/left-out.mjs'

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`

const named = process.argv.slice(2).map(quote)
const isNamed = named.length > 0
const { TEST_DATABASE, TEST_SEED = String(Math.floor(Math.random() * 2 ** 30)) } = process.env
const isQuick = databases.length < 3
const again = [
  ...(TEST_DATABASE ? [`TEST_DATABASE=${TEST_DATABASE}`] : []),
  'npm test',
  ...(isNamed ? ['--', ...named] : [])
].join(' ')

/** What did not run. @type {string[]} */
const lastLines = []
if (isQuick) {
  lastLines.push(
    `TEST_DATABASE=${TEST_DATABASE} is a quick run, without the tests of other databases, of memory, reliability and`,
    'conformance, and without lint, the type check and the coverage of src. `npm test` runs everything.'
  )
}
/** @param {string} title @param {string} advice */
const leaveOut = (title, advice) =>
  lastLines.push(`The tests on ${title} did not run, and the coverage of src was not asked for.`, advice)

await command(async () => {
  const env = await withDatabases(TEST_DATABASE ? undefined : leaveOut)
  if (isNamed) await buildPackage()
  else if (!isQuick) await step('Lint, type check', 'npm run --silent lint && npm run --silent typecheck')
  const files = isNamed ? named : processesOf(isQuick ? quickTests : listTests)
  // Some tests, or those of some databases, do not cover every line.
  const isWhole = !isNamed && lastLines.length === 0
  const parameters = [...(isWhole ? [] : ['--disable-coverage']), ...files]
  await step('Test', ['tap', ...parameters].join(' '), { ...env, TEST_SEED })
    .catch((error) => {
      lastLines.push(`With the same random choices again: TEST_SEED=${TEST_SEED} ${again}`)
      throw error
    })
    .finally(() => {
      if (lastLines.length > 0) console.log(`\n${lastLines.join('\n')}`)
    })
})

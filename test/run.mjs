/**
 * The test command: type check, lint, then tap on SQLite, on a MariaDB or MySQL and on a PostgreSQL, which are those of
 * TEST_MYSQL_URL and TEST_POSTGRES_URL or private ones. `npm run test:package` tests what is published around the
 * lists. Arguments go to tap: `npm test -- test/query/plan.test.ts`. `TEST_DATABASE=sqlite npm test` is the quick run
 * on a machine without a server: the tests of the lists that need no server, without coverage.
 */
import { leftOut } from './support/left-out.mjs'
import { buildPackage, command, step, withDatabases } from './support/steps.mjs'
import { listTests, processesOf, quickTests } from './support/test-files.mjs'

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`

const named = process.argv.slice(2).map(quote)

await command(async () => {
  if (leftOut) {
    console.log(leftOut)
    console.log(
      'This quick run also leaves out lint, the type check, and the tests of memory, reliability and conformance.'
    )
  } else {
    await step('Lint, type check', 'npm run --silent lint && npm run --silent typecheck')
  }
  if (named.length > 0) await buildPackage()
  const files = named.length > 0 ? named : processesOf(leftOut ? quickTests : listTests)
  // A few tests do not cover every line.
  const parameters = [...(leftOut || named.length > 0 ? ['--disable-coverage'] : []), ...files]
  const env = await withDatabases().catch(async (error) => {
    console.log(error.message)
    await step('Test on SQLite only', ['TEST_DATABASE=sqlite node test/run.mjs', ...named].join(' '))
    // Half of the tests did not run.
    throw error
  })
  await step('Test', ['tap', ...parameters].join(' '), env)
})

/**
 * The test command: type check, lint, build, then tap on SQLite, on a MariaDB or MySQL and on a PostgreSQL,
 * which are those of TEST_MYSQL_URL and TEST_POSTGRES_URL or private ones. Arguments go to tap:
 * `npm test -- test/page.test.ts`.
 */
import { command, step, withDatabases } from './support/steps.mjs'

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`

await command(async () => {
  // half a minute each on one core
  const built = 'npm run --silent build && npm run --silent build:example'
  await step(
    'Lint, type check, build',
    `npm run --silent lint && { npm run --silent typecheck & checked=$!; ${built} && wait $checked; }`
  )
  await step('Test', `tap ${process.argv.slice(2).map(quote).join(' ')}`, await withDatabases())
})

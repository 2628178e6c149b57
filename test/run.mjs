/**
 * The test command: type check, lint, build, then tap on SQLite, on a MariaDB or MySQL and on a PostgreSQL,
 * which are those of TEST_MYSQL_URL and TEST_POSTGRES_URL or private ones. Arguments go to tap:
 * `npm test -- test/page.test.ts`. `TEST_DATABASE=sqlite npm test` is the quick run on a machine without a server:
 * build, then the tests of the lists that need no server, without coverage.
 */
import { leftOut } from './support/left-out.mjs'
import { buildTap, command, step, withDatabases } from './support/steps.mjs'

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`

const parameters = process.argv.slice(2).map(quote)

/** What the quick run leaves out beside the servers: what is around the lists, and what tries them for long. */
const around = ['test/{editor,examples,package,release}.test.ts', 'test/{docs,examples,reliability}/**/*.test.ts']

await command(async () => {
  await buildTap()
  if (leftOut) {
    console.log(leftOut)
    console.log(
      'This quick run also leaves out lint and the type check, and the tests of the package, the release, the demo, ' +
        "the examples, the README's code, what an editor shows, and reliability."
    )
    const example = parameters.length > 0 ? '&& npm run --silent build:example -- --noCheck' : ''
    await step('Build', `npm run --silent build -- --noCheck ${example}`)
    const chosen = parameters.length > 0 ? parameters : around.map((files) => `--exclude=${quote(files)}`)
    await step('Test', ['tap --disable-coverage', ...chosen].join(' '), await withDatabases())
    return
  }
  // the type check reads src too, and need not do so twice
  const built = 'npm run --silent build -- --noCheck && npm run --silent build:example'
  await step(
    'Lint, type check, build',
    `npm run --silent lint && { npm run --silent typecheck & checked=$!; ${built} && wait $checked; }`
  )
  await step('Test', ['tap', ...parameters].join(' '), await withDatabases())
})

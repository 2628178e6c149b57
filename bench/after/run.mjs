/** What the thousandth page after a record costs, and counts beside a filter: `npm run bench:after`. It starts the servers of the tests. */
import { command, step, withDatabases } from '../../test/support/steps.mjs'

await command(async () => {
  const env = await withDatabases()
  await step('Pages after a record', 'node --import=./test/support/typescript.mjs bench/after/measure.ts', env)
})

/** What a page costs whose caller has several roles: `npm run bench:grants`. It starts the servers of the tests. */
import { command, step, withDatabases } from '../../test/support/steps.mjs'

await command(async () => {
  const env = await withDatabases()
  await step('Grants', 'node --import=./test/support/typescript.mjs bench/grants/measure.ts', env)
})

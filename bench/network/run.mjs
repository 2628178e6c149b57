/** What a page waits for between two machines: `npm run bench:network`. It starts the servers of the tests. */
import { command, step, withDatabases } from '../../test/support/steps.mjs'

await command(async () => {
  const env = await withDatabases()
  await step('Network', 'node --import=./test/support/typescript.mjs bench/network/measure.ts', env)
})

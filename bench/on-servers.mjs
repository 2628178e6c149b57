/**
 * Runs a benchmark of a few statements on the servers of the tests, which it starts: `npm run bench:network` is what a page
 * waits for between two machines, `bench:grants` what one costs whose caller has several roles, and `bench:after` what the
 * thousandth page after a record costs, and counts beside a filter.
 */
import { command, step, withDatabases } from '../test/support/running/steps.mjs'

const [name] = process.argv.slice(2)

await command(async () => {
  const env = await withDatabases()
  await step(`Benchmark ${name}`, `node --import=./test/support/running/typescript.mjs bench/${name}.ts`, env)
})

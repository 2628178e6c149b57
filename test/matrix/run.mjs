/**
 * Tries every combination that the README promises and prints one table of what came out:
 * `npm run test:matrix`, or some parts of it, `npm run test:matrix -- hosts drivers`. The size that a change must pass,
 * `-- --size short`, takes a part of the combinations. Needs the network for the parts that install other versions.
 * Fails when anything differs.
 */
import { markdownTable, runParts } from '../support/running/report.mjs'
import { command } from '../support/running/steps.mjs'

const tap = 'npx tap --disable-coverage --reporter=min test/matrix'
const node = 'node --import=./test/support/running/typescript.mjs test/matrix'

/** Each reports its rows. */
const parts = {
  hosts: `${tap}/hosts.matrix.ts`,
  drivers: `${tap}/drivers.matrix.ts`,
  databases: `npm run --silent build -- --noCheck && npm run --silent build:example && ${node}/databases.ts`,
  runtimes: `${node}/runtimes.ts`,
  consumers: `${node}/consumers.ts`
}

await command(async () => {
  const found = await runParts('part', parts, ['full', 'short'], (MATRIX, MATRIX_REPORT) => ({ MATRIX, MATRIX_REPORT }))
  /** @type {import('./report.mjs').Row[]} */
  const rows = found.rows
  const bad = found.failed
  const cells = rows.map(({ part, name, tried, different, refused = '' }) => [
    ...[part, name, tried, different.length],
    refused.replaceAll('\n', ' ')
  ])
  console.log(`\n${markdownTable(['part', 'name', 'tried ', 'different ', 'refused'], cells)}\n`)
  for (const { part, name, different } of rows) {
    if (different.length > 0) bad.add(part)
    for (const difference of different) console.log(`${part}, ${name}: ${difference}`)
  }
  if (bad.size > 0) throw new Error(`Not as it must be: ${[...bad].join(', ')}.`)
})

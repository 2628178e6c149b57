/**
 * Tries every combination that the README promises and prints one table of what came out:
 * `npm run test:matrix`, or some parts of it, `npm run test:matrix -- hosts drivers`. The size that a change must pass,
 * `-- --size short`, takes a part of the combinations. Needs the network for the parts that install other versions.
 * Fails when anything differs.
 */
import { markdownTable, reportFile } from '../support/report.mjs'
import { buildPackage, chosen, command, step, withDatabases } from '../support/steps.mjs'

/** Each reports its rows. */
const parts = {
  hosts: 'the same bytes in every host',
  drivers: 'the same bytes with every driver setting',
  databases: 'the tests of the lists on other servers',
  runtimes: 'the same bytes on every Node, Fastify and Kysely',
  consumers: 'hosts of every kind with every TypeScript'
}
const inTap = ['hosts', 'drivers']

/** @param {string} part */
const programOf = (part) =>
  inTap.includes(part)
    ? `npx tap --disable-coverage --reporter=min test/matrix/${part}.matrix.ts`
    : `node --import=./test/support/typescript.mjs test/matrix/${part}.ts`

const { file, rows } = reportFile()

await command(async () => {
  const { size, parts: some } = chosen('part', Object.keys(parts), ['full', 'short'])
  const env = { ...(await withDatabases()), MATRIX: size, MATRIX_REPORT: file }
  const bad = new Set()
  if (some.includes('databases')) await buildPackage()
  for (const [part, title] of Object.entries(parts)) {
    if (some.includes(part)) await step(`${part}: ${title}`, programOf(part), env).catch(() => bad.add(part))
  }

  /** @type {import('./report.mjs').Row[]} */
  const found = rows()
  const cells = found.map(({ part, name, tried, different, refused = '' }) => [
    ...[part, name, tried, different.length],
    refused.replaceAll('\n', ' ')
  ])
  console.log(`\n${markdownTable(['part', 'name', 'tried ', 'different ', 'refused'], cells)}\n`)
  for (const { part, name, different } of found) {
    if (different.length > 0) bad.add(part)
    for (const difference of different) console.log(`${part}, ${name}: ${difference}`)
  }
  if (bad.size > 0) throw new Error(`Not as it must be: ${[...bad].join(', ')}.`)
})

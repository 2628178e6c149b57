/**
 * Compares engines of more than one server with one plain server: `npm run test:engines`, or some rows,
 * `npm run test:engines -- pglite libsql`. `-- --size short` takes less data, and `-- --quick` the rows that every change
 * must pass. The whole long run writes the table to test/ENGINES.md. The run fails if a row is not as it must be.
 */
import { writeFileSync } from 'node:fs'
import { originOf } from '../support/report.mjs'
import type { Scope } from '../support/servers.js'
import { chosen, command, stopAtEnd } from '../support/steps.mjs'
import { makeData, type Size } from './data.js'
import { libsql, pglite } from './embedded.js'
import type { Engine } from './engine.js'
import { galera, partitions, replica } from './mysql.js'
import { openPlain } from './plain.js'
import { pgbouncerStatement, pgbouncerTransaction, pgpool } from './poolers.js'
import { postgresShards } from './postgres-shards.js'
import { rowOf } from './row.js'
import { documentOf, type Row, tableOf } from './table.js'

/** What a part of the run has started, and stops at its end, the last one first. */
class Started implements Scope {
  readonly #stops: (() => unknown)[] = []
  #isOver = false

  /** @throws Error after the end, which an interruption can bring while something starts. */
  teardown(stop: () => unknown): void {
    if (this.#isOver) throw new Error('The run is over.')
    this.#stops.push(stop)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    for (const stop of this.#stops.splice(0).reverse()) await stop()
  }
}

const engines: readonly Engine[] = [
  postgresShards,
  pgbouncerTransaction,
  pgbouncerStatement,
  pglite,
  libsql,
  partitions,
  replica,
  galera,
  pgpool
]

const shown = 5

await command(async () => {
  const names = engines.map(({ name }) => name)
  const { size, quick, isAll, parts } = chosen('engine', names, ['long', 'short'])

  const start = performance.now()
  const data = makeData(size as Size)
  const all = new Started()
  stopAtEnd(all)
  const plain = openPlain(all, data)
  const rows: Row[] = []
  for (const engine of engines) {
    if (!parts.includes(engine.name) || (isAll && quick && !engine.isQuick)) continue
    const began = performance.now()
    const seconds = () => `${Math.round((performance.now() - began) / 1000)} s`
    console.log(`\n# ${engine.name}`)
    const own = new Started()
    all.teardown(() => own.stop())
    const row = await rowOf(engine, own, plain, (text) => console.log(`${engine.name}, ${seconds()}: ${text}`))
    await own.stop()
    rows.push(row)
    console.log(`${engine.name}, ${seconds()}: ${row.identical} of ${row.tried} identical; ${row.boot}`)
    for (const problem of row.wrong.slice(0, shown)) console.log(`  wrong: ${problem}`)
    if (row.wrong.length > shown) console.log(`  … and ${row.wrong.length - shown} more`)
  }

  console.log(`\n${tableOf(rows)}\n`)
  const wrong = rows.filter((row) => row.wrong.length > 0)
  if (wrong.length > 0) throw new Error(`Not as it must be: ${wrong.map(({ name }) => name).join(', ')}.`)
  if (rows.length === engines.length && size === 'long') {
    writeFileSync('test/ENGINES.md', documentOf(rows, data, originOf('test:engines', start)))
  }
})

/**
 * Compares engines of more than one server with one plain server: `npm run test:engines`, or some rows,
 * `npm run test:engines -- pglite libsql`. `-- --size short` takes less data, and `-- --quick` the rows that every change
 * must pass. The whole long run writes the table to test/ENGINES.md. The run fails if a row is not as it must be.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { command, stopAtEnd } from '../support/steps.mjs'
import { isSize, makeData } from './data.js'
import type { Engine } from './engine.js'
import { galera } from './galera.js'
import { libsql } from './libsql.js'
import { mysqlPartitions } from './mysql-partitions.js'
import { mysqlReplica } from './mysql-replica.js'
import { pgbouncerStatement, pgbouncerTransaction } from './pgbouncer.js'
import { pglite } from './pglite.js'
import { pgpool } from './pgpool.js'
import { openPlain } from './plain.js'
import { postgresShards } from './postgres-shards.js'
import { rowOf } from './row.js'
import { Scope } from './scope.js'
import { spider } from './spider.js'
import { documentOf, type Row, tableOf } from './table.js'

/** A new engine is a file, and a line here. */
const engines: readonly Engine[] = [
  postgresShards,
  pgbouncerTransaction,
  pgbouncerStatement,
  pglite,
  libsql,
  mysqlPartitions,
  mysqlReplica,
  galera,
  spider,
  pgpool
]

const shown = 5

await command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { size: { type: 'string', default: 'long' }, quick: { type: 'boolean', default: false } }
  })
  const { size, quick } = values
  if (!isSize(size)) throw new Error(`The size is short or long, not '${size}'.`)
  const names = engines.map(({ name }) => name)
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown) throw new Error(`There is no engine '${unknown}'; there are: ${names.join(', ')}.`)

  const start = performance.now()
  const data = makeData(size)
  const all = new Scope()
  stopAtEnd(all)
  const plain = openPlain(all, data)
  const rows: Row[] = []
  for (const engine of engines) {
    const isChosen = positionals.length > 0 ? positionals.includes(engine.name) : !quick || engine.isQuick
    if (!isChosen) continue
    const began = performance.now()
    const seconds = () => `${Math.round((performance.now() - began) / 1000)} s`
    console.log(`\n# ${engine.name}`)
    const own = new Scope()
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
    const minutes = Math.round((performance.now() - start) / 60_000)
    writeFileSync('test/ENGINES.md', documentOf(rows, data, minutes))
  }
})

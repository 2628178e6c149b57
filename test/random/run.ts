/**
 * Compares random lists with the oracle of test/support/oracle/oracle.ts, and then random walks with ../support/oracle/random-walk.ts,
 * until the first difference:
 * node --import=./test/support/running/typescript.mjs test/random/run.ts --requests 500000 --database sqlite --seed 1
 */
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { type Variant, variants } from '../support/oracle/random-columns.js'
import type { Counts } from '../support/oracle/random-counts.js'
import { Difference, tryList } from '../support/oracle/random-trial.js'
import { tryWalks } from '../support/oracle/random-walk.js'
import { type DatabaseName, databases } from '../support/servers/databases.js'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    /** The pages of random walks, which follow the requests. */
    pages: { type: 'string', default: '2000' },
    database: { type: 'string', default: 'sqlite' },
    /** The definitions have this seed and the next ones. */
    seed: { type: 'string', default: '1' },
    /** The requests of one definition. */
    each: { type: 'string', default: '150' },
    /** Ends after as many definitions. */
    lists: { type: 'string', default: 'Infinity' },
    /** Unusual cells to leave out, such as `uuid,bit`. */
    without: { type: 'string', default: 'partial-zero-date' },
    /** Every 25th definition has thousands of records, for `each`. */
    large: { type: 'string', default: '25' },
    /** The start-up check must find no error. */
    check: { type: 'boolean', default: false },
    /** Goes on after a difference, and prints the first line of each. */
    continue: { type: 'boolean', default: false },
    counts: { type: 'boolean', default: false }
  }
})

// A long run pays off what ../support/running/typescript.mjs puts off.
setFlagsFromString('--interrupt-budget=67584')

const database = values.database as DatabaseName
const left = values.without.split(',').filter(Boolean)
const unknown = left.find((name) => !variants.some((variant) => variant === name))
if (unknown) throw new Error(`There is no '${unknown}'; there are ${variants.join(', ')}.`)
if (!databases.includes(database)) throw new Error(`There is no database '${database}'.`)
const [requests, first, each] = [Number(values.requests), Number(values.seed), Number(values.each)]
const [lists, large, pages] = [Number(values.lists), Number(values.large), Number(values.pages)]

const counts: Counts = new Map()
const countOf = (name: string) => counts.get(name) ?? 0
const began = performance.now()
let [definitions, walked, differences, told] = [0, 0, 0, began]

while (definitions + walked < lists && (countOf('requests') < requests || countOf('pages') < pages)) {
  const isWalk = countOf('requests') >= requests
  const done = isWalk ? walked : definitions
  const seed = first + done
  const isLarge = done % large === large - 1
  try {
    if (isWalk) await tryWalks({ seed, database, walks: 8, counts, isLarge })
    else
      await tryList({
        seed,
        database,
        allows: (variant: Variant) => !left.includes(variant),
        requests: isLarge ? Math.ceil(each / 5) : each,
        counts,
        isLarge,
        isChecked: values.check
      })
  } catch (error) {
    if (!(error instanceof Difference)) throw error
    differences++
    process.exitCode = 1
    console.log(values.continue ? `${error.message}\n` : `${error.definition}\n${error.message}`)
    if (!values.continue) break
  }
  if (isWalk) walked++
  else definitions++
  // SQLite never waits, and what waits for the event loop would stay in memory.
  await new Promise((resolve) => setImmediate(resolve))
  if (performance.now() - told > 5000) {
    told = performance.now()
    const pages = `${walked} lists with ${countOf('pages')} pages`
    console.log(
      `${definitions} lists, ${countOf('requests')} requests, ${pages}, ${Math.round((told - began) / 1000)} s`
    )
  }
}

const seconds = (performance.now() - began) / 1000
if (values.counts || differences === 0) {
  for (const [name, number] of [...counts].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (/^(list|walks): /.test(name)) console.log(`${name}: ${number}`)
  }
  const rows = [...counts.keys()].filter((name) => name.endsWith(': requests')).sort()
  for (const name of rows.map((row) => row.replace(/: requests$/, ''))) {
    const parts = ['200', '200 with records', '400', '403'].map((of) => `${countOf(`${name}: ${of}`)} × ${of}`)
    console.log(`${name}: ${countOf(`${name}: requests`)} requests, ${parts.join(', ')}`)
  }
}
console.log(
  `${definitions} lists, ${countOf('requests')} requests (${Math.round(countOf('requests') / seconds)} in a second): ` +
    `${countOf('requests: 200')} × 200 (${countOf('requests: 200 with records')} with records, ` +
    `${countOf('requests: 200 with items on the page')} with items on the page), ` +
    `${countOf('requests: 400')} × 400, ${countOf('requests: 403')} × 403; ` +
    `${walked} lists with ${countOf('pages')} pages; ${differences} differences`
)

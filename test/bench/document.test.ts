/** RESULTS.md and the README's table are what the scripts make of the kept results. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'

// not by a literal: the benchmark has packages, and therefore types, of its own
const bench = (file: string) => import(join(resolve('bench'), file))
const { documentOf, summaryOf } = await bench('document.ts')
const { keptResults } = await bench('results.ts')
const { shownOf, comparisonOf } = await bench('summary.ts')

const all = keptResults()

t.test('RESULTS.md is written by the scripts', async (t) => {
  t.equal(readFileSync('bench/RESULTS.md', 'utf8'), documentOf(all))
  t.notMatch(documentOf(all), /undefined|NaN|Infinity/)
})

t.test('the table of the README is written by the scripts', async (t) => {
  const [, table] = /<!-- bench -->\n\n([\s\S]*)\n\n<!-- \/bench -->/.exec(readFileSync('README.md', 'utf8')) ?? []
  t.equal(table, summaryOf(shownOf(all)))
  const rows = table?.split('\n').filter((line) => line.startsWith('| ')) ?? []
  const cells = rows.slice(2).map((row) => row.slice(2, -2).split(' | '))
  t.ok(
    cells[0]?.every((_, column) => cells.some((row) => /\d/.test(row[column] ?? ''))),
    'no column is without a figure'
  )
})

t.test('the comparison follows the results, and is left out where nothing was compared', async (t) => {
  for (const nothing of [[], [{ ...all[0], scenarios: [] }]]) t.strictSame(comparisonOf(nothing), [])
  // Other work slows two of the three rounds.
  const at = (rate: number, slower: number) => ({
    at: {
      1: { rate: [rate, rate / slower, rate / slower], p50: [1000 / rate], rows: [1e5 / rate] },
      32: { rate: [rate * 2], rows: [] }
    }
  })
  const scenario = (name: string, ours: number, rival: number, byHand: number) => ({
    name,
    results: { ours: at(ours, 2), Platformatic: at(rival, 1), 'hand-written, execute': at(byHand, 1) }
  })
  const scenarios = [
    scenario('assessments, own', 500, 200, 1000),
    scenario('assessments, linked 50', 100, 40, 100),
    scenario('assessments, admin, empty', 10, 40, 10)
  ]
  const [alone, everywhere, ahead] = comparisonOf([{ ...all[0], scale: 1, scenarios }])
  t.match(alone, /in 2 of 3 scenarios, and in the median 2\.5 times as fast as Platformatic\. The faster/)
  t.match(alone, /is 1 times as fast as ours in the median, and at most 2 times\.$/)
  t.match(everywhere, /in 4 of 6 comparisons/)
  t.match(ahead, /^\| assessments, admin, empty \| 1 \| 1 \| Platformatic \| 4 \| 2,500 \| 10,000 \|$/m)
})

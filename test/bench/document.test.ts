/** RESULTS.md and the README's table are what the scripts make of the kept results, and the summary has no empty figure. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'

// not by a literal: the benchmark has packages, and therefore types, of its own
const bench = (file: string) => import(join(resolve('bench'), file))
const { documentOf, summaryOf } = await bench('document.ts')
const { keptResults } = await bench('results.ts')
const { shownOf, summaryLines } = await bench('summary.ts')

const all = keptResults()

t.test('RESULTS.md is written by the scripts', async (t) => {
  t.equal(readFileSync('bench/RESULTS.md', 'utf8'), documentOf(all))
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

t.test('the summary has nine points, each with figures', async (t) => {
  const lines: string[] = summaryLines(all)
  t.equal(lines.length, 9)
  for (const line of lines) {
    t.match(line, /^[A-Z].*\d.*\.$/s)
    t.notMatch(line, /undefined|NaN|Infinity/)
  }
})

t.test('a line whose figures were not measured is left out', async (t) => {
  t.strictSame(summaryLines([]), [])
  const [machine, data, ...others]: string[] = summaryLines([{ ...all[0], scenarios: [], soak: undefined }])
  t.match(machine, /^The machine has /)
  t.match(data, /^The figures of this summary are of scale /)
  t.strictSame(others, [])
})

t.test('the figures follow the results', async (t) => {
  // Other work slows two of the three rounds of ours.
  const at = (rate: number, time: number, slower = 2) => ({
    at: {
      1: {
        rate: [rate, rate / slower, rate / slower],
        p50: [time, time * slower, time * slower],
        nodeCpu: [3],
        rows: [time * 100]
      },
      32: { rate: [rate * 2, rate / slower, rate / slower], rows: [] }
    }
  })
  const scenario = (name: string, ours: number, rival: number, byHand: number) => ({
    name,
    results: {
      ours: at(1000 / ours, ours),
      Platformatic: at(1000 / rival, rival, 1),
      'hand-written, execute': at(1000 / byHand, byHand, 1)
    }
  })
  const scenarios = [
    scenario('assessments, own', 2, 5, 1),
    scenario('assessments, linked 50', 10, 30, 20),
    scenario('assessments, admin, empty', 80, 20, 80)
  ]
  const cpu = (...nodeCpu: number[]) => ({ at: { 32: { rate: nodeCpu, rows: [1], nodeCpu, databaseCpu: [1] } } })
  const kysely = {
    name: 'assessments, own, Kysely',
    results: {
      ours: cpu(1, 2, 4),
      'ours, CamelCasePlugin': cpu(1.05, 2.1, 4.4),
      'ours, withSchema': cpu(2.2, 1.1, 4),
      'ours, both plugins': cpu(1.2, 2.4, 4.8),
      'hand-written, Kysely': cpu(16, 2, 1)
    }
  }
  const soak = { ours: { second: [0, 60], memory: [90, 80], requests: 1234 } }
  const lines: string[] = summaryLines([{ ...all[0], scale: 1, scenarios: [...scenarios, kysely], soak }])
  for (const expected of [
    'One request at a time takes ours 2 ms for the own assessments of one user and 80 ms for the first page of all assessments.',
    'With one request at a time, ours is faster than every other library in 2 of 3 scenarios. The median over the scenarios is 2.5 times for Platformatic.',
    [
      'Ours reaches at least 0.95 of the fastest other library in 4 of 6 comparisons, which are the scenarios at scale 1 with 1 and with 32 connections. These libraries are ahead by more:',
      '  - Platformatic in `assessments, admin, empty` at scale 1, 1 connection: 4 times as fast as ours, and reads 2,000 instead of 8,000 rows, for the page and the count at the same time.',
      '  - Platformatic in `assessments, admin, empty` at scale 1, 32 connections: 4 times as fast as ours.'
    ].join('\n'),
    'Two servers send statements that are written by hand. Ours reaches less than 0.95 of the faster of the two in 1 of 3 scenarios. The speed of the faster of the two, divided by the speed of ours, is 1 in the median and at most 2, in `assessments, own`. There a request takes 3 ms of the CPU time of Node.js with ours, and 3 ms by hand.',
    "With 32 connections, ours answers 1,000 requests for own assessments a second. These are 2.5 times those of Platformatic and 0.5 times those of hand-written with execute. In turns of up to 2,000 requests, ours answers 4 of these requests a second, 0.25 times those of hand-written with Kysely. The lowest CPU time of Node.js for a request is 1.05 times with Kysely's `CamelCasePlugin`, 1.1 times with `withSchema` and 1.2 times with both.",
    'Under load at 32 connections for 60 seconds and 1,234 requests, the process of ours takes at most 90 MB, and 80 MB at the end.'
  ]) {
    t.ok(lines.includes(expected), expected)
  }
  const sameRows = scenario('assessments, own', 4, 2, 1)
  sameRows.results.ours.at[1].rows = sameRows.results.Platformatic.at[1].rows
  t.match(
    summaryLines([{ ...all[0], scale: 1, scenarios: [sameRows] }]).join('\n'),
    ': 2 times as fast as ours, and reads as many rows, for the page and the count at the same time.'
  )
  const ahead = [0.1, 1].map((scale) => ({ ...all[0], scale, scenarios: [scenario('assessments, own', 2, 5, 1)] }))
  t.ok(
    summaryLines(ahead).includes(
      'Ours reaches at least 0.95 of the fastest other library in 4 of 4 comparisons, which are the scenarios at the scales 0.1 and 1 with 1 and with 32 connections.'
    )
  )
})

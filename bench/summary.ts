/** The start of RESULTS.md: how ours compares with the others. */
import { figure, isAlone, median, type Ratio, ratioOf, resultOf, table } from './figures.ts'
import type { Results } from './results.ts'
import { drizzle, feathers, handExecute, handQuery, nest, ours, platformatic } from './servers.ts'

const libraries = [platformatic, nest, feathers, drizzle]

/** From this share of a rival's requests on, ours counts as level with the rival. */
const level = 0.95

/** The results that the document speaks of: those at scale 1, or else the last ones. */
export const shownOf = (all: Results[]) => all.find(({ scale }) => scale === 1) ?? all.at(-1)

type Comparison = Ratio & { results: Results; scenario: string; rival: string; connections: number }

/** The comparisons with these rivals, scenario by scenario. */
const compared = (results: Results, rivals: string[], connections: number): Comparison[][] =>
  results.scenarios
    .filter((measured) => connections > 1 || isAlone(measured))
    .map(({ name: scenario }) =>
      rivals.flatMap((rival) => {
        const ratio = ratioOf(results, scenario, ours, rival, connections)
        return ratio ? [{ ...ratio, results, scenario, rival, connections }] : []
      })
    )
    .filter((row) => row.length > 0)

/** Nothing where no other library was measured. */
export function comparisonOf(all: Results[]): string[] {
  const shown = shownOf(all)
  const alone = shown ? compared(shown, libraries, 1) : []
  if (!shown || alone.length === 0) return []
  const faster = alone.filter((row) => row.every(({ value }) => value > 1)).length
  const medians = libraries.flatMap((rival) => {
    const values = alone.flat().filter((comparison) => comparison.rival === rival)
    if (values.length === 0) return []
    return [`${figure(median(values.map(({ value }) => value)))} times as fast as ${rival.replace(/,.*/, '')}`]
  })
  const byHand = compared(shown, [handQuery, handExecute], 1).map((row) => Math.min(...row.map(({ value }) => value)))
  const everywhere = all.flatMap((results) =>
    [1, 32].flatMap((connections) => compared(results, libraries, connections))
  )
  const isAhead = ({ value }: Comparison) => value < level
  const ahead = everywhere
    .flat()
    .filter(isAhead)
    .toSorted((one, other) => one.value - other.value)
  const ofHand = `The faster of two servers that send statements written by hand is ${figure(1 / median(byHand))} times as fast as ours in the median, and at most ${figure(1 / Math.min(...byHand))} times.`
  return [
    `With one request at a time, at scale ${shown.scale}, ours is faster than every other library in ${faster} of ${alone.length} scenarios, and in the median ${medians.join(', ')}.${byHand.length > 0 ? ` ${ofHand}` : ''}`,
    `Ours reaches at least ${level} of the fastest other library in ${everywhere.filter((row) => !row.some(isAhead)).length} of ${everywhere.length} comparisons, which are the scenarios at every scale with 1 and with 32 connections. These are ahead by more; Platformatic and Drizzle count while they read the page, on a second connection. A ratio in brackets comes from single requests.`,
    table(
      ['scenario', 'scale', 'connections', 'ahead', 'times as fast', 'its rows', 'our rows'],
      ahead.map(({ results, scenario, rival, connections, value, single }) => [
        ...[scenario, String(results.scale), String(connections), rival],
        single ? `(${figure(1 / value)})` : figure(1 / value),
        ...[rival, ours].map((server) => {
          const samples = resultOf(results, scenario, server)?.at?.[connections]
          return samples ? figure(median(samples.rows)) : ''
        })
      ])
    )
  ]
}

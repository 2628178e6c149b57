/** What the benchmark is for: the bars that were set before anything was built, and whether they are reached. */
import { latencyOf, ratioOf, resultOf } from './figures.mjs'
import { firstPage } from './scenarios.mjs'
import { drizzle, feathers, handExecute, handQuery, nest, ours, oursSharing, platformatic } from './servers.mjs'

/** @typedef {import('./results.mjs').Results} Results */

/**
 * @typedef {object} Bar
 * @property {string} scenario
 * @property {string} what
 * @property {number} bar
 * @property {boolean} [atMost]
 * @property {number | undefined} figure
 */

const linked = ['assessments, linked 50', 'assessments, linked 5000']
const frameworks = [platformatic, nest, feathers, drizzle]

/**
 * @param {Results[]} all
 * @returns {Bar[]}
 */
export function barsOf(all) {
  const results = all.find(({ scale }) => scale === 1)
  const ten = all.find(({ scale }) => scale === 10)
  const names = results?.scenarios.map(({ name }) => name) ?? []
  /** @param {string} scenario @param {string} server */
  const latency = (scenario, server) => latencyOf(resultOf(results, scenario, server))

  /**
   * @param {string} scenario
   * @param {string} rival
   * @param {number} bar
   * @param {number} [connections]
   * @returns {Bar}
   */
  const faster = (scenario, rival, bar, connections = 1) => ({
    scenario,
    what: `requests/s, times ${rival}${connections > 1 ? `, ${connections} connections` : ''}`,
    bar,
    figure: ratioOf(results, scenario, ours, rival, connections)?.value
  })
  /**
   * @param {string} scenario
   * @param {string} what
   * @param {number} bar
   * @param {number | undefined} figure
   * @returns {Bar}
   */
  const atMost = (scenario, what, bar, figure) => ({ scenario, what, bar, atMost: true, figure })
  /** @param {number | undefined} one @param {number | undefined} other */
  const times = (one, other) => (one && other ? one / other : undefined)
  /** @param {string} scenario */
  const bareTime = (scenario) => latency(scenario, bare)

  const own = 'assessments, own'
  const broad = "assessments, admin, broad 'an'"
  const deep = 'assessments, admin, page at 500000'
  const searched = ['assessments, admin, full email', 'assessments, admin, no hit']
  const broadRows = rowsOf(results, broad)
  const payments = names.filter((name) => /^payments, admin, (broad|rare|page at)[^,]*$/.test(name))
  const withStatus = names.filter((name) => /^payments, admin, .*, failed$/.test(name))
  /** @param {string[]} names */
  const toBest = (names) =>
    most(
      names.map((name) =>
        times(
          latency(name, ours),
          Math.min(latency(name, handQuery) ?? Infinity, latency(name, handExecute) ?? Infinity)
        )
      )
    )
  /** @param {string[]} names */
  const toPlain = (names) =>
    least(names.filter((name) => bareTime(name)).map((name) => times(bareTime(name), latency(name, ours))))
  const soak = results?.soak?.[ours]
  const settled = soak?.memory.filter((_, index) => Number(soak.second[index]) >= 30) ?? []

  return [
    faster(own, handQuery, 0.95, 32),
    faster(own, handExecute, 0.85, 32),
    faster(own, platformatic, 1.7, 32),
    faster(own, drizzle, 2.5, 32),
    faster(own, nest, 3.3, 32),
    faster(`${linked[0]} 'an'`, nest, 60),
    faster(`${linked[0]} 'an'`, drizzle, 60),
    faster(`${linked[1]} 'an'`, platformatic, 4),
    ...linked.map((name) => {
      const scenario = `${name} 'an'`
      const later = latencyOf(resultOf(ten, scenario, ours))
      return atMost(scenario, 'time at scale 10, times that at scale 1', 1.2, times(later, latency(scenario, ours)))
    }),
    atMost(
      broad,
      'rows read, times those of one users scan and one lean count',
      1.05,
      times(broadRows.ours, broadRows.bare)
    ),
    faster(broad, platformatic, 2),
    faster(broad, nest, 8),
    ...searched.flatMap((scenario) => [
      atMost(scenario, 'time, times that of one users scan', 1.15, times(latency(scenario, ours), bareTime(scenario))),
      {
        scenario,
        what: 'requests/s, times the fastest rival',
        bar: 0.95,
        figure: least(frameworks.map((rival) => ratioOf(results, scenario, ours, rival, 1)?.value))
      },
      faster(scenario, nest, 1.2)
    ]),
    faster(deep, platformatic, 3),
    faster(deep, nest, 40),
    atMost(
      'assessments, admin, last page',
      'time, times that of page 1',
      1.2,
      ratioOf(results, 'assessments, admin, last page', firstPage, ours, 1)?.value
    ),
    {
      scenario: 'assessments, admin, 32 identical',
      what: 'requests/s with shareTotals, times without',
      bar: 8,
      figure: ratioOf(results, 'assessments, admin, 32 identical', oursSharing, ours, 32)?.value
    },
    atMost('payments, admin, the worst of broad, rare and deep', 'time, times the best by hand', 1.3, toBest(payments)),
    atMost('payments, admin, the worst with a status', 'time, times the best by hand', 1.3, toBest(withStatus)),
    {
      scenario: 'payments, admin, the worse of broad and rare',
      what: 'times faster than the plain OR join',
      bar: 5,
      figure: toPlain(payments)
    },
    {
      scenario: 'payments, admin, the worst search with a status',
      what: 'times faster than the plain OR join',
      bar: 5,
      figure: toPlain(withStatus)
    },
    atMost('memory', 'MB, the most after half a minute at 32 connections', 130, most(settled)),
    atMost('memory', 'at the end, times that after half a minute', 1.05, times(settled.at(-1), settled[0]))
  ]
}

/** The name under which statements stand that were sent without any server. */
export const bare = 'bare SQL'

/** @param {Results | undefined} results @param {string} scenario */
const rowsOf = (results, scenario) => {
  const rows = (/** @type {string} */ server) => resultOf(results, scenario, server)?.at?.[1]?.rows[0]
  return { ours: rows(ours), bare: rows(bare) }
}

/** @param {(number | undefined)[]} values */
const known = (values) => values.filter((value) => value !== undefined)

/** @param {(number | undefined)[]} values */
const least = (values) => (known(values).length > 0 ? Math.min(...known(values)) : undefined)

/** @param {(number | undefined)[]} values */
const most = (values) => (known(values).length > 0 ? Math.max(...known(values)) : undefined)

/** @param {Bar} bar */
export const isReached = ({ bar, atMost, figure }) =>
  figure === undefined ? undefined : atMost ? figure <= bar : figure >= bar

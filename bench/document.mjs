/** RESULTS.md: everything in it comes from the kept results. */
import { bare, barsOf, isReached, limitOf } from './bars.mjs'
import { isAlone, latencyOf, median, ratioOf, resultOf } from './figures.mjs'
import { handExecute, handQuery, ours } from './servers.mjs'

/** @typedef {import('./results.mjs').Results} Results */

/** @param {Results[]} all */
export function documentOf(all) {
  return `${[
    '# Results',
    'Written by `npm run bench`; never by hand. Above 1 in a ratio, ours is faster.',
    method,
    '## What must be reached',
    barTable(all),
    ...missedBars(all),
    '## Ratios',
    '![How many times faster than each rival](ratios.svg)',
    ...all.flatMap(scaleOf),
    '## Growth',
    'Milliseconds of one request at a time, and how many times those of the scale before.',
    ...growthOf(all)
  ].join('\n\n')}\n`
}

/** The scenarios that say most, for the README. */
const telling = [
  'assessments, own',
  "assessments, linked 50 'an'",
  "assessments, linked 5000 'an'",
  'assessments, admin, empty',
  "assessments, admin, broad 'an'",
  'assessments, admin, full email',
  'assessments, admin, page at 500000',
  "payments, admin, broad 'an'"
]

/**
 * A few lines for the README: milliseconds of ours, and how many times those the others need.
 *
 * @param {Results} results
 */
export function summaryOf(results) {
  // of those by hand the faster one is enough there
  const rivals = serversIn(results).filter((name) => !name.startsWith(ours) && ![bare, handQuery].includes(name))
  const rows = telling.map((name) => [
    name,
    number(latencyOf(resultOf(results, name, ours))),
    ...rivals.map((rival) => {
      const ratio = ratioOf(results, name, ours, rival, 1)
      return ratio ? (ratio.single ? `(${number(ratio.value)}×)` : `${number(ratio.value)}×`) : '–'
    })
  ])
  const { machine, versions } = results
  return [
    table(['one request at a time', 'ours, ms', ...rivals], rows),
    `Measured with MariaDB ${versions.MariaDB?.replace(/,.*/, '')} and Node.js ${versions['Node.js']} on ${machine.processor}; ${Object.entries(
      results.data
    )
      .filter(([name]) => ['users', 'assessments', 'payments'].includes(name))
      .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
      .join(', ')}. How many times longer the others take than ours; in brackets that of single requests${
      rows.flat().includes('–') ? `; – gave no answer in ${results.method.patience} seconds, or another one` : ''
    }.`
  ].join('\n\n')
}

const method =
  "In every scenario each server first answers the same requests: ids in order and totals must be those of ours, or it is not timed. Then come rounds in which each server has a turn, after a warm-up of half a turn; a ratio is the median of the rounds' ratios. A server whose single request takes too long is not timed further: its one request stands in brackets, and so do ratios to it. At 32 connections only servers whose single request takes at most 40 ms have a turn, since slower ones only queue for the two cores; scenarios of identical requests excepted. Every server is a process of its own with a pool of 10 connections, and checks an HS256 token."

/** @param {Results[]} all */
const barTable = (all) =>
  table(
    ['scenario', 'what', 'bar', 'measured', 'reached'],
    barsOf(all).map((bar) => {
      const reached = isReached(bar)
      return [
        bar.scenario,
        bar.what,
        `${bar.atMost ? '≤' : '≥'} ${bar.bar}`,
        bar.single && bar.figure !== undefined ? `(${number(bar.figure)})` : number(bar.figure),
        reached === undefined ? 'not measured' : reached ? 'yes' : '**no**'
      ]
    })
  )

/** @param {Results[]} all */
function missedBars(all) {
  const missed = barsOf(all).filter((bar) => isReached(bar) === false)
  const reasons = new Map(missed.map((bar) => [bar.scenario, limitOf(bar) ?? '']))
  return [
    'The bars were set before anything was built, on another data set; the one of payments was split into records with and without a status, since what limits them differs.',
    ...(reasons.size > 0
      ? ['### Why bars are missed', [...reasons].map(([scenario, text]) => `- **${scenario}**: ${text}`).join('\n')]
      : [])
  ]
}

/** @param {Results} results */
function scaleOf(results) {
  const { scale, command, commit, method, machine, versions, data, scenarios } = results
  const dates = scenarios.map(({ date }) => date).sort()
  const date = `${dates[0]} to ${dates.at(-1)} UTC`
  const { rounds, seconds, requests, slow } = method
  const facts = Object.entries({
    date,
    command: `\`${command}\``,
    ...(commit && { commit }),
    rounds: `${rounds}, with turns of at most ${seconds} s or ${requests} requests`,
    'too long': `more than ${slow} s`,
    ...machine,
    ...versions
  })
  return [
    `## Scale ${scale}`,
    table(['', ''], facts),
    `Rows: ${Object.entries(data)
      .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
      .join(', ')}.`,
    ...[1, 32].flatMap((connections) => [
      `### Scale ${scale}: ratios, ${connections} connection${connections > 1 ? 's' : ''}`,
      ratioTable(results, connections)
    ]),
    `### Scale ${scale}: what a request costs`,
    'Rows that the database reads; CPU of the server and of the database in milliseconds; one connection.',
    costTable(results),
    ...soakOf(results),
    ...problemsOf(results)
  ]
}

/** @param {Results} results */
export const serversIn = ({ scenarios }) => [...new Set(scenarios.flatMap(({ results }) => Object.keys(results)))]

/**
 * @param {Results} results
 * @param {number} connections
 */
function ratioTable(results, connections) {
  const rivals = serversIn(results).filter((name) => name !== ours)
  const rows = results.scenarios.flatMap((measured) => {
    const { name } = measured
    if (connections === 1 && !isAlone(measured)) return []
    const result = resultOf(results, name, ours)
    const samples = result?.at?.[connections]
    const cells = rivals.map((rival) => {
      const ratio = ratioOf(results, name, ours, rival, connections)
      if (!ratio) return resultOf(results, name, rival)?.problem && connections === 1 ? '–' : ''
      return ratio.single ? `(${number(ratio.value)})` : number(ratio.value)
    })
    if (!samples && cells.every((cell) => cell === '')) return []
    const own = samples
      ? [number(median(samples.rate)), number(median(samples.p50)), number(p99Of(samples, results.method.seconds))]
      : ['', result?.single ? `(${number(result.single)})` : '–', '']
    return [[name, ...own, ...cells]]
  })
  return table(['scenario', 'ours, requests/s', 'p50 ms', 'p99 ms', ...rivals.map((name) => `/ ${name}`)], rows)
}

/**
 * None where a turn has too few requests to have one.
 *
 * @param {import('./measure.mjs').Samples} samples
 * @param {number} seconds of a turn
 */
const p99Of = ({ rate, p99 }, seconds) => (median(rate) * seconds >= 100 ? median(p99) : undefined)

/** @param {Results} results */
function costTable(results) {
  const servers = serversIn(results)
  const rows = results.scenarios.flatMap(({ name }) => {
    const cells = servers.map((server) => {
      const samples = resultOf(results, name, server)?.at?.[1]
      if (!samples) return ''
      const [rows, node, database] = [samples.rows, samples.nodeCpu, samples.databaseCpu].map(median)
      return `${number(rows)} · ${number(node)} · ${number(database)}`
    })
    return cells.every((cell) => cell === '') ? [] : [[name, ...cells]]
  })
  return table(['scenario', ...servers], rows)
}

/** @param {Results} results */
function soakOf({ scale, soak }) {
  if (!soak) return []
  const rows = Object.entries(soak).map(([server, { second, memory, requests }]) => [
    server,
    number(second.at(-1)),
    requests.toLocaleString('en'),
    number(memory[0]),
    number(memory[Math.floor(memory.length / 2)]),
    number(memory.at(-1)),
    number(Math.max(...memory))
  ])
  return [
    `### Scale ${scale}: memory under load`,
    'Resident megabytes, own pages of 300 callers at 32 connections.',
    table(['server', 'seconds', 'requests', 'first', 'half-way', 'last', 'most'], rows)
  ]
}

/** @param {Results} results */
function problemsOf({ scale, scenarios }) {
  const rows = scenarios.flatMap(({ name, results }) =>
    Object.entries(results).flatMap(([server, { problem, single }]) =>
      problem
        ? [[server, name, single ? `${problem}: ${number(single / 1000)} s` : problem.replaceAll(/[|\n]/g, ' ')]]
        : []
    )
  )
  return rows.length > 0 ? [`### Scale ${scale}: not timed`, table(['server', 'scenario', 'why'], rows)] : []
}

/** @param {Results[]} all */
function growthOf(all) {
  const names = [...new Set(all.flatMap(({ scenarios }) => scenarios.map(({ name }) => kind(name))))]
  const servers = [ours, ...new Set(all.flatMap(serversIn))].filter((name, index, list) => list.indexOf(name) === index)
  return servers.flatMap((server) => {
    const rows = names.flatMap((name) => {
      const times = all.map((results) => {
        const same = results.scenarios.find((scenario) => kind(scenario.name) === name)
        return latencyOf(same?.results[server])
      })
      if (times.every((time) => time === undefined)) return []
      const factors = times.slice(1).map((time, index) => {
        const before = times[index]
        return time && before ? `${number(time / before)}×` : ''
      })
      return [[name, ...times.map(number), ...factors]]
    })
    if (rows.length === 0) return []
    const scales = all.map(({ scale }) => `scale ${scale}`)
    const steps = all.slice(1).map(({ scale }, index) => `${all[index]?.scale} → ${scale}`)
    return [
      `### ${server}${server === handExecute ? ', the limit' : ''}`,
      table(['scenario', ...scales, ...steps], rows)
    ]
  })
}

/** A scenario's name without what changes with the scale. @param {string} name */
const kind = (name) => name.replace(/page at \d+/, 'deep page')

/**
 * Three digits.
 *
 * @param {number | undefined} value
 */
export const number = (value) =>
  value === undefined || Number.isNaN(value)
    ? ''
    : Math.abs(value) >= 100
      ? Math.round(value).toLocaleString('en')
      : String(Number(value.toPrecision(3)))

/**
 * @param {string[]} headings
 * @param {string[][]} rows
 */
const table = (headings, rows) =>
  [headings, headings.map((_, index) => (index === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

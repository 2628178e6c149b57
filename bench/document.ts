/** RESULTS.md: everything in it comes from the kept results. */
import { everyPayment } from './each.ts'
import { isAlone, latencyOf, median, number, ratioOf, resultOf, table } from './figures.ts'
import type { Results, Samples } from './results.ts'
import { handExecute, handKysely, handQuery, ours } from './servers.ts'
import { comparisonOf, shownOf } from './summary.ts'

export function documentOf(all: Results[]) {
  const shown = shownOf(all)
  return `${[
    '# Results',
    '`npm run bench` writes this page. Do not edit it by hand.',
    ...comparisonOf(all),
    '## Method',
    method,
    '## Ratios',
    '![How many times faster than each rival](ratios.svg)',
    ...all.flatMap(scaleOf),
    '## Growth',
    'The milliseconds of one request at a time, and their ratio to those of the scale before. Results of another machine are left out.',
    ...growthOf(all.filter(({ machine }) => machine.processor === shown?.machine.processor))
  ].join('\n\n')}\n`
}

/** The scenarios that say most, for the README. */
const telling = [
  'assessments, own',
  "assessments, linked 5000 'an'",
  "assessments, admin, broad 'an'",
  'assessments, admin, page at 500000',
  'payments, admin, empty, failed'
]

/** A few lines for the README: milliseconds of ours, and how many times those the others need. */
export function summaryOf(results: Results) {
  // Kysely by hand has no turn in these scenarios.
  const rivals = serversIn(results).filter(
    (name) => !name.startsWith(ours) && ![handQuery, handExecute, handKysely].includes(name)
  )
  const columns = [
    { title: 'by hand', names: [handQuery, handExecute] },
    ...rivals.map((name) => ({ title: name, names: [name] }))
  ]
  const rows = telling.map((name) => [
    name,
    number(latencyOf(resultOf(results, name, ours))),
    ...columns.map(({ names }) => {
      const ratios = names.flatMap((rival) => ratioOf(results, name, ours, rival, 1) ?? [])
      const [ratio] = ratios.toSorted((one, other) => one.value - other.value)
      return ratio ? (ratio.single ? `(${number(ratio.value)}×)` : `${number(ratio.value)}×`) : '–'
    })
  ])
  const { machine, versions, data, method } = results
  const rowCounts = ['users', 'assessments', 'payments']
    .map((name) => `${data[name]?.toLocaleString('en')} ${name}`)
    .join(', ')
  const missing = rows.flat().includes('–')
    ? ` A – stands for no answer within ${method.patience} seconds, or for a different answer.`
    : ''
  return [
    table(['one request at a time', 'ours, ms', ...columns.map(({ title }) => title)], rows),
    `Measured with MariaDB ${versions.MariaDB?.replace(/,.*/, '')} and Node.js ${versions['Node.js']} on ${machine.processor}; ${rowCounts}. 2× means that we answer twice as many requests a second. By hand is the faster of two servers written for these lists alone. Figures are from each server's best of ${method.rounds} rounds; milliseconds are the median of that round. In brackets is a single request, because that server was too slow for rounds.${missing}`
  ].join('\n\n')
}

const method = [
  'Each server is a process with a pool of 10 connections that checks an HS256 token. A server takes part in a scenario only if its ids, their order and its totals are ours, because a faster wrong answer is worth nothing.',
  'First every server answers requests for own assessments for 5 seconds, so that its code is compiled, and before each scenario it has half a turn to warm up. A scenario then has several rounds, and each server one turn in a round. Requests a second, their ratio and the p50 come from the best round, because other work on the machine can only make a round slower. The p99 and the cost of a request are medians. If a ratio is above 1, ours is faster.',
  'A server whose single request takes too long gets no rounds; the time of that one request stands in brackets, and so does a ratio to it. At 32 connections a server has a turn only if its single request takes at most 40 ms, because a slower one would only fill the queue for two cores. Scenarios of identical requests and of Kysely have turns of at most 2 seconds or 2,000 requests, and only at 32 connections.',
  'Kysely by hand is what a team would write that needs own assessments and nothing else: one statement, built for each request, without another role, a search, a filter, a deadline or a log. It checks only the types of parameters, and nothing protects it from the settings of a driver, so it shows what the promises of the lists cost.'
].join('\n\n')

function scaleOf(results: Results) {
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
    'The rows that the database reads, the CPU time of the server and the CPU time of the database, in milliseconds, with one connection. Scenarios that are only measured at 32 connections have the figures of 32.',
    costTable(results),
    ...eachOf(results),
    ...problemsOf(results)
  ]
}

export const serversIn = ({ scenarios }: Results) => [
  ...new Set(scenarios.flatMap(({ results }) => Object.keys(results)))
]

function ratioTable(results: Results, connections: number) {
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
      ? [Math.max(...samples.rate), Math.min(...samples.p50), p99Of(samples, results.method.seconds)].map(number)
      : ['', result?.single ? `(${number(result.single)})` : '–', '']
    return [[name, ...own, ...cells]]
  })
  return table(['scenario', 'ours, requests/s', 'p50 ms', 'p99 ms', ...rivals.map((name) => `/ ${name}`)], rows)
}

/** None where a turn has too few requests to have one. */
const p99Of = ({ rate, p99 }: Samples, seconds: number) => (median(rate) * seconds >= 100 ? median(p99) : undefined)

function costTable(results: Results) {
  const servers = serversIn(results)
  const rows = results.scenarios.flatMap((measured) => {
    const { name } = measured
    const cells = servers.map((server) => {
      const samples = resultOf(results, name, server)?.at?.[isAlone(measured) ? 1 : 32]
      if (!samples) return ''
      const [rows, node, database] = [samples.rows, samples.nodeCpu, samples.databaseCpu].map(median)
      return `${number(rows)} · ${number(node)} · ${number(database)}`
    })
    return cells.every((cell) => cell === '') ? [] : [[name, ...cells]]
  })
  return table(['scenario', ...servers], rows)
}

function eachOf({ scale, each }: Results) {
  if (!each) return []
  const rows = Object.entries(each).map(([reader, { records, seconds, memory }]) => [
    reader,
    records.toLocaleString('en'),
    number(seconds),
    number(seconds / (each['by hand']?.seconds ?? Number.NaN)),
    ...[memory[0], memory.at(-1), Math.max(...memory)].map(number)
  ])
  return [
    `### Scale ${scale}: ${everyPayment}`,
    'An administrator reads every payment once: `each`, and a cursor by hand with the same fields and batches. The seconds are medians of the rounds. The resident megabytes are those after the first 50,000 records, at the end, and the most.',
    table(['reader', 'records', 'seconds', '/ by hand', 'first', 'last', 'most'], rows)
  ]
}

function problemsOf({ scale, scenarios }: Results) {
  const rows = scenarios.flatMap(({ name, results }) =>
    Object.entries(results).flatMap(([server, { problem, single }]) =>
      problem
        ? [[server, name, single ? `${problem}: ${number(single / 1000)} s` : problem.replaceAll(/[|\n]/g, ' ')]]
        : []
    )
  )
  return rows.length > 0 ? [`### Scale ${scale}: not timed`, table(['server', 'scenario', 'why'], rows)] : []
}

function growthOf(all: Results[]) {
  const names = [...new Set(all.flatMap(({ scenarios }) => scenarios.filter(isAlone).map(({ name }) => kind(name))))]
  const servers = [...new Set([ours, ...all.flatMap(serversIn)])]
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

/** A scenario's name without what changes with the scale. */
const kind = (name: string) => name.replace(/page at \d+/, 'deep page')

/** The nine points at the start of RESULTS.md. The sentences are fixed, and every figure is computed from the results. */
import { isAlone, latencyOf, median, ratioOf, resultOf } from './figures.ts'
import type { Results } from './results.ts'
import {
  drizzle,
  feathers,
  handExecute,
  handKysely,
  handQuery,
  nest,
  ours,
  oursBoth,
  oursCamelCase,
  oursSchema,
  platformatic
} from './servers.ts'

export interface Comparison {
  scenario: string
  rival: string
  connections: number
  /** How many times faster ours is. */
  value: number
  /** The value comes from single requests. */
  single: boolean
}

const libraries = [platformatic, nest, feathers, drizzle]
const byHand = [handQuery, handExecute]

/** These send the statements for the page and for the count at the same time, on two connections. */
const atOnce = [platformatic, drizzle]

const many = 32

/** Own assessments, with Kysely only. */
const ownKysely = 'assessments, own, Kysely'

/** From this share of a rival's requests on, ours counts as level with the rival. */
const level = 0.95

/** The results that the document speaks of: those at scale 1, or else the last ones. */
export const shownOf = (all: Results[]) => all.find(({ scale }) => scale === 1) ?? all.at(-1)

export const ofOneMachine = (all: Results[], { machine }: Results) =>
  all.filter((other) => other.machine.processor === machine.processor)

/** A line whose figures were not measured is left out. A line can have lines below it. */
export function summaryLines(all: Results[]) {
  const results = shownOf(all)
  if (!results) return []
  return [
    machineOf(results),
    dataOf(all, results),
    timesOf(results),
    librariesOf(results),
    behindOf(all),
    byHandOf(results),
    loadOf(results),
    growthOf(all, results),
    memoryOf(results)
  ].filter((line) => line !== '')
}

function machineOf({ machine, versions }: Results) {
  const inBrackets = (text: string = '') => text.replace(/, (.*)/, ' ($1)')
  return `The machine has ${inBrackets(machine.processor)} and ${machine.memory} of memory. It runs MariaDB ${inBrackets(versions.MariaDB)} and Node.js ${versions['Node.js']}.`
}

function dataOf(all: Results[], results: Results) {
  const { users, assessments, payments } = results.data
  const others = all.filter(({ scale }) => scale !== results.scale).map(({ scale }) => `scale ${scale}`)
  const also = others.length > 0 ? ` The sections below also have ${others.join(' and ')}.` : ''
  return `The figures of this summary are of scale ${results.scale}: ${count(users)} users, ${count(assessments)} assessments and ${count(payments)} payments.${also}`
}

function timesOf(results: Results) {
  const times = [
    ['assessments, own', 'the own assessments of one user'],
    ["assessments, linked 50 'an'", 'a search among 50 linked users'],
    ["assessments, linked 5000 'an'", 'a search among 5,000 linked users'],
    ['assessments, admin, empty', 'the first page of all assessments'],
    ["assessments, admin, broad 'an'", 'a search that matches many of all assessments'],
    ["payments, admin, broad 'an'", 'a search that matches many of all payments']
  ].flatMap(([scenario = '', what]) => {
    const time = latencyOf(resultOf(results, scenario, ours))
    return time === undefined ? [] : [`${figure(time)} ms for ${what}`]
  })
  return times.length > 0 ? `One request at a time takes ours ${listed(times)}.` : ''
}

function librariesOf(results: Results) {
  const rows = scenariosWith(results, libraries, 1)
  if (rows.length === 0) return ''
  const ahead = rows.filter((row) => row.every(({ value }) => value > 1)).length
  const ratios = libraries.flatMap((rival) => {
    const values = rows.flat().filter((row) => row.rival === rival)
    return values.length > 0 ? [`${figure(median(values.map(({ value }) => value)))} times for ${nameOf(rival)}`] : []
  })
  return `With one request at a time, ours is faster than every other library in ${ahead} of ${rows.length} scenarios. The median over the scenarios is ${listed(ratios)}.`
}

function behindOf(all: Results[]) {
  const rows = all.flatMap((results) =>
    [1, many].flatMap((connections) => scenariosWith(results, libraries, connections).map((row) => ({ results, row })))
  )
  if (rows.length === 0) return ''
  const isAhead = ({ value }: Comparison) => value < level
  const ahead = rows
    .flatMap(({ results, row }) => row.filter(isAhead).map((rival) => ({ results, rival })))
    .toSorted((one, other) => byValue(one.rival, other.rival))
    .map(
      ({ results, rival }) =>
        `\n  - ${caseOf(rival)} at scale ${results.scale}, ${connectionsOf(rival)}: ${figure(1 / rival.value)} times as fast as ours${reasonOf(results, rival)}.`
    )
  const reached = rows.filter(({ row }) => !row.some(isAhead)).length
  const scales = `${all.length === 1 ? 'scale' : 'the scales'} ${listed(all.map(({ scale }) => String(scale)))}`
  const start = `Ours reaches at least ${level} of the fastest other library in ${reached} of ${rows.length} comparisons, which are the scenarios at ${scales} with 1 and with ${many} connections.`
  return ahead.length === 0 ? start : `${start} These libraries are ahead by more:${ahead.join('')}`
}

const connectionsOf = ({ connections }: Comparison) => `${connections} connection${connections > 1 ? 's' : ''}`

/** How many rows the database reads, and when. */
function reasonOf(results: Results, { scenario, rival, connections }: Comparison) {
  const [rows, ofRival] = [ours, rival].map((server) => {
    const samples = resultOf(results, scenario, server)?.at?.[connections]
    return samples && median(samples.rows)
  })
  if (!rows || !ofRival) return ''
  const time = atOnce.includes(rival) ? ', for the page and the count at the same time' : ''
  const [theirs, own] = [figure(ofRival), figure(rows)]
  return `, and reads ${theirs === own ? 'as many' : `${theirs} instead of ${own}`} rows${time}`
}

function byHandOf(results: Results) {
  const fastest = scenariosWith(results, byHand, 1).map((row) => row.reduce(slower))
  const [worst] = fastest.toSorted(byValue)
  if (!worst) return ''
  const behind = fastest.filter(({ value }) => value < level).length
  const ratio = median(fastest.map(({ value }) => 1 / value))
  const [cpu, cpuByHand] = [ours, worst.rival].map((server) => {
    const samples = resultOf(results, worst.scenario, server)?.at?.[1]
    return samples && median(samples.nodeCpu)
  })
  const why =
    cpu && cpuByHand
      ? ` There a request takes ${figure(cpu)} ms of the CPU time of Node.js with ours, and ${figure(cpuByHand)} ms by hand.`
      : ''
  return `Two servers send statements that are written by hand. Ours reaches less than ${level} of the faster of the two in ${behind} of ${fastest.length} scenarios. The speed of the faster of the two, divided by the speed of ours, is ${figure(ratio)} in the median and at most ${figure(1 / worst.value)}, in \`${worst.scenario}\`.${why}`
}

function loadOf(results: Results) {
  const own = 'assessments, own'
  const samples = resultOf(results, own, ours)?.at?.[many]
  if (!samples) return ''
  const rivals = [...libraries, ...byHand].flatMap((rival) => {
    const ratio = ratioOf(results, own, ours, rival, many)
    return ratio ? [`${figure(ratio.value)} times those of ${nameOf(rival)}`] : []
  })
  return `With ${many} connections, ours answers ${figure(Math.max(...samples.rate))} requests for own assessments a second. These are ${listed(rivals)}.${kyselyOf(results)}`
}

/** Beside Kysely by hand, and how many times the CPU time of Node.js a request takes with plugins of Kysely. */
function kyselyOf(results: Results) {
  const rate = resultOf(results, ownKysely, ours)?.at?.[many]?.rate
  const ratio = ratioOf(results, ownKysely, ours, handKysely, many)
  const requests =
    rate && ratio
      ? ` In turns of up to 2,000 requests, ours answers ${figure(Math.max(...rate))} of these requests a second, ${figure(ratio.value)} times those of ${nameOf(handKysely)}.`
      : ''
  const cpuOf = (server: string) => resultOf(results, ownKysely, server)?.at?.[many]?.nodeCpu
  const own = cpuOf(ours)
  const ratios = [
    [oursCamelCase, "Kysely's `CamelCasePlugin`"],
    [oursSchema, '`withSchema`'],
    [oursBoth, 'both']
  ].flatMap(([server = '', plugin]) => {
    const cpu = cpuOf(server)
    if (!own || !cpu) return []
    return [`${figure(Math.min(...cpu) / Math.min(...own))} times with ${plugin}`]
  })
  return ratios.length > 0 ? `${requests} The lowest CPU time of Node.js for a request is ${listed(ratios)}.` : requests
}

function growthOf(all: Results[], results: Results) {
  const comparable = ofOneMachine(all, results)
  const later = comparable.find(({ scale }) => scale > results.scale) ?? results
  const earlier = comparable[comparable.indexOf(later) - 1]
  const cases = [
    ['assessments, own', 'own assessments'],
    ["assessments, linked 50 'an'", 'a search among 50 linked users'],
    ['assessments, admin, empty', 'the first page of all assessments'],
    ["assessments, admin, broad 'an'", 'a search that matches many of all assessments']
  ].flatMap(([scenario = '', what]) => {
    const [before, after] = [earlier, later].map((scale) => latencyOf(resultOf(scale, scenario, ours)))
    return before && after ? [`${figure(after / before)} times for ${what}`] : []
  })
  if (!earlier || cases.length === 0) return ''
  return `With ${figure(later.scale / earlier.scale)} times the records, at scale ${later.scale}, the time of a request to ours is ${listed(cases)}.`
}

function memoryOf({ soak }: Results) {
  const own = soak?.[ours]
  if (!own) return ''
  const { memory, second, requests } = own
  return `Under load at ${many} connections for ${count(Math.round(second.at(-1) ?? 0))} seconds and ${count(requests)} requests, the process of ours takes at most ${figure(Math.max(...memory))} MB, and ${figure(memory.at(-1) ?? 0)} MB at the end.`
}

const scenariosWith = (results: Results, rivals: string[], connections: number) =>
  results.scenarios
    .filter((measured) => connections > 1 || isAlone(measured))
    .map(({ name }) => comparisonsIn(results, name, rivals, connections))
    .filter((row) => row.length > 0)

const comparisonsIn = (results: Results, scenario: string, rivals: string[], connections: number): Comparison[] =>
  rivals.flatMap((rival) => {
    const ratio = ratioOf(results, scenario, ours, rival, connections)
    return ratio ? [{ scenario, rival, connections, ...ratio }] : []
  })

/** The comparison with the faster rival. */
const slower = (one: Comparison, other: Comparison) => (other.value < one.value ? other : one)

const byValue = (one: Comparison, other: Comparison) => one.value - other.value

const caseOf = ({ rival, scenario, single }: Comparison) =>
  `${nameOf(rival)} in \`${scenario}\`${single ? ', by single requests' : ''}`

/** A name without a comma, for lists. */
const nameOf = (server: string) => server.replace(', nestjs-paginate', '').replace(', ', ' with ')

const listed = (parts: string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

const count = (value: number | undefined = 0) => value.toLocaleString('en')

/** Three digits. */
export const figure = (value: number) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))

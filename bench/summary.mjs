/** The nine lines at the start of RESULTS.md. The sentences are fixed, and every figure is computed from the results. */
import { isAlone, latencyOf, median, ratioOf, resultOf } from './figures.mjs'
import {
  drizzle,
  feathers,
  handExecute,
  handQuery,
  nest,
  ours,
  oursBoth,
  oursCamelCase,
  oursSchema,
  oursSharing,
  platformatic
} from './servers.mjs'

/** @typedef {import('./results.mjs').Results} Results */
/**
 * @typedef {object} Comparison
 * @property {string} scenario
 * @property {string} rival
 * @property {number} value how many times faster ours is
 * @property {boolean} single the value comes from single requests
 */

const libraries = [platformatic, nest, feathers, drizzle]
const byHand = [handQuery, handExecute]

/** These send the statements for the page and for the count at the same time, on two connections. */
const atOnce = [platformatic, drizzle]

const many = 32

/** From this share of a rival's requests on, ours counts as level with the rival. */
const level = 0.95

/** The results that the document speaks of: those at scale 1, or else the last ones. @param {Results[]} all */
export const shownOf = (all) => all.find(({ scale }) => scale === 1) ?? all.at(-1)

/** @param {Results[]} all @param {Results} results */
export const ofOneMachine = (all, { machine }) => all.filter((other) => other.machine.processor === machine.processor)

/** A line whose figures were not measured is left out. @param {Results[]} all */
export function summaryLines(all) {
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

/** @param {Results} results */
function machineOf({ machine, versions }) {
  const inBrackets = (/** @type {string} */ text = '') => text.replace(/, (.*)/, ' ($1)')
  return `The machine has ${inBrackets(machine.processor)} and ${machine.memory} of memory. It runs MariaDB ${inBrackets(versions.MariaDB)} and Node.js ${versions['Node.js']}.`
}

/** @param {Results[]} all @param {Results} results */
function dataOf(all, results) {
  const { users, assessments, payments } = results.data
  const others = all.filter(({ scale }) => scale !== results.scale).map(({ scale }) => `scale ${scale}`)
  const also = others.length > 0 ? ` The sections below also have ${others.join(' and ')}.` : ''
  return `The figures of this summary are of scale ${results.scale}: ${count(users)} users, ${count(assessments)} assessments and ${count(payments)} payments.${also}`
}

/** @param {Results} results */
function timesOf(results) {
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

/** @param {Results} results */
function librariesOf(results) {
  const rows = scenariosWith(results, libraries)
  if (rows.length === 0) return ''
  const ahead = rows.filter((row) => row.every(({ value }) => value > 1)).length
  const ratios = libraries.flatMap((rival) => {
    const values = rows.flat().filter((row) => row.rival === rival)
    return values.length > 0 ? [`${figure(median(values.map(({ value }) => value)))} times for ${nameOf(rival)}`] : []
  })
  return `With one request at a time, ours is faster than every other library in ${ahead} of ${rows.length} scenarios. The median of the ratios is ${listed(ratios)}.`
}

/** @param {Results[]} all */
function behindOf(all) {
  const cases = all.flatMap((results) =>
    scenariosWith(results, libraries).map((row) => ({ results, closest: row.reduce(slower) }))
  )
  if (cases.length === 0) return ''
  const behind = cases.filter(({ closest }) => closest.value < level)
  const scales = `${all.length === 1 ? 'scale' : 'the scales'} ${listed(all.map(({ scale }) => String(scale)))}`
  const start = `Ours reaches at least ${level} of the fastest other library in ${cases.length - behind.length} of ${cases.length} scenarios at ${scales}.`
  const others = behind
    .toSorted((one, other) => byValue(one.closest, other.closest))
    .map(
      ({ results, closest }) =>
        `${caseOf(closest)} at scale ${results.scale} (${figure(1 / closest.value)} times as fast${reasonOf(results, closest)})`
    )
  return others.length === 0 ? start : `${start} Ours is behind ${listed(others)}.`
}

/** How many rows the database reads, and when. @param {Results} results @param {Comparison} comparison */
function reasonOf(results, { scenario, rival }) {
  const [rows, ofRival] = [ours, rival].map((server) => {
    const samples = resultOf(results, scenario, server)?.at?.[1]
    return samples && median(samples.rows)
  })
  if (!rows || !ofRival) return ''
  const time = atOnce.includes(rival) ? ', for the page and the count at the same time' : ''
  return `, and reads ${figure(ofRival)} instead of ${figure(rows)} rows${time}`
}

/** @param {Results} results */
function byHandOf(results) {
  const fastest = scenariosWith(results, byHand).map((row) => row.reduce(slower))
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
  return `Two servers send statements that are written by hand. Ours reaches less than ${level} of the faster of the two in ${behind} of ${fastest.length} scenarios. The faster of the two is ${figure(ratio)} times as fast as ours in the median, and at most ${figure(1 / worst.value)} times as fast, in \`${worst.scenario}\`.${why}`
}

/** @param {Results} results */
function loadOf(results) {
  const own = 'assessments, own'
  const samples = resultOf(results, own, ours)?.at?.[many]
  if (!samples) return ''
  const rivals = [...libraries, ...byHand].flatMap((rival) => {
    const ratio = ratioOf(results, own, ours, rival, many)
    return ratio ? [`${figure(ratio.value)} times those of ${nameOf(rival)}`] : []
  })
  const sharing = ratioOf(results, 'assessments, admin, 32 identical', oursSharing, ours, many)
  const shared = sharing
    ? ` With \`shareTotals\`, ours answers ${figure(sharing.value)} times as many identical requests for all assessments.`
    : ''
  return `With ${many} connections, ours answers ${figure(median(samples.rate))} requests for own assessments a second. These are ${listed(rivals)}.${shared}${pluginsOf(results)}`
}

/** How many times the CPU time of Node.js a request takes with plugins of Kysely. @param {Results} results */
function pluginsOf(results) {
  const cpuOf = (/** @type {string} */ server) =>
    resultOf(results, 'assessments, own, plugins', server)?.at?.[many]?.nodeCpu
  const own = cpuOf(ours)
  const ratios = [
    [oursCamelCase, "Kysely's `CamelCasePlugin`"],
    [oursSchema, '`withSchema`'],
    [oursBoth, 'both']
  ].flatMap(([server = '', plugin]) => {
    const cpu = cpuOf(server)
    if (!own || cpu?.length !== own.length) return []
    return [`${figure(median(cpu.map((time, round) => time / Number(own[round]))))} times with ${plugin}`]
  })
  return ratios.length > 0 ? ` The CPU time of Node.js for a request is ${listed(ratios)}.` : ''
}

/** @param {Results[]} all @param {Results} results */
function growthOf(all, results) {
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

/** @param {Results} results */
function memoryOf({ soak }) {
  const own = soak?.[ours]
  if (!own) return ''
  const { memory, second, requests } = own
  return `Under load at ${many} connections for ${count(Math.round(second.at(-1) ?? 0))} seconds and ${count(requests)} requests, the process of ours takes at most ${figure(Math.max(...memory))} MB, and ${figure(memory.at(-1) ?? 0)} MB at the end.`
}

/** @param {Results} results @param {string[]} rivals */
const scenariosWith = (results, rivals) =>
  results.scenarios
    .filter(isAlone)
    .map(({ name }) => comparisonsIn(results, name, rivals))
    .filter((row) => row.length > 0)

/** @param {Results} results @param {string} scenario @param {string[]} rivals @returns {Comparison[]} */
const comparisonsIn = (results, scenario, rivals) =>
  rivals.flatMap((rival) => {
    const ratio = ratioOf(results, scenario, ours, rival, 1)
    return ratio ? [{ scenario, rival, value: ratio.value, single: ratio.single }] : []
  })

/** The comparison with the faster rival. @param {Comparison} one @param {Comparison} other */
const slower = (one, other) => (other.value < one.value ? other : one)

/** @param {Comparison} one @param {Comparison} other */
const byValue = (one, other) => one.value - other.value

/** @param {Comparison} comparison */
const caseOf = ({ rival, scenario, single }) =>
  `${nameOf(rival)} in \`${scenario}\`${single ? ', by single requests' : ''}`

/** A name without a comma, for lists. @param {string} server */
const nameOf = (server) => server.replace(', nestjs-paginate', '').replace(', ', ' with ')

/** @param {string[]} parts */
const listed = (parts) => (parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`)

/** @param {number | undefined} value */
const count = (value = 0) => value.toLocaleString('en')

/** Three digits. @param {number} value */
export const figure = (value) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))

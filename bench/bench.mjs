/** From the database to the document. */
import { loadData } from './data.mjs'
import { startDatabase } from './database.mjs'
import { everyPayment, readAll } from './each.mjs'
import { commit, machine, versionsOf } from './machine.mjs'
import { measure } from './measure.mjs'
import { nodeForServers } from './node.mjs'
import { startProcess } from './processes.mjs'
import { progress } from './progress.mjs'
import { report } from './report.mjs'
import { keep, keptResults } from './results.mjs'
import { dataOf, scenariosOf } from './scenarios.mjs'
import { ours, servers } from './servers.mjs'
import { soak } from './soak.mjs'
import { secret } from './tokens.mjs'

/** @param {import('./options.mjs').Options} options */
export async function bench(options) {
  if (!options.report) {
    const results = await measureAll(options)
    if (options.save) keep(results)
    else return report([results], false)
  }
  await report(keptResults(), true)
}

/** @param {import('./options.mjs').Options} options @returns {Promise<import('./results.mjs').Results>} */
async function measureAll(options) {
  /** @type {(() => Promise<void>)[]} */
  const stops = []
  let stopped = false
  const stopAll = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, async () => {
      stopped = true
      await stopAll()
    })
  }
  try {
    const node = nodeForServers()
    const database = await startDatabase(options.scale)
    stops.push(database.stop)
    await loadData(database, options.scale)
    const scenarios = (await scenariosOf(database, options.scale)).filter(({ name }) =>
      isWanted(name, options.scenarios)
    )
    const running = []
    for (const server of servers.filter(({ name }) => name.startsWith(ours) || isWanted(name, options.servers))) {
      const process = await startProcess(server, { database: database.url, secret, node: node.path })
      stops.push(process.stop)
      running.push({ ...server, process })
    }
    const results = await resultsOf(options, database, running, node.version)
    const bar = progress('Measuring', scenarios.length)
    for (const scenario of scenarios) {
      results.scenarios.push(await measure(scenario, running, database, options))
      bar.advance(1, scenario.name)
      // what was measured so far is not lost when the rest is interrupted
      if (options.save) keep(results)
    }
    bar.end()
    if (isWanted(everyPayment, options.scenarios)) {
      results.each = await readAll({ database: database.url, node: node.path, rounds: options.rounds })
    }
    const own = scenarios.find(({ name }) => name === 'assessments, own')
    const [first] = running
    if (options.soak > 0 && own && first) {
      results.soak = { [first.name]: await soak(first, own.questions, options.soak) }
    }
    return results
  } catch (error) {
    throw stopped ? new Error('Stopped. What was measured so far is kept, unless it was a choice.') : error
  } finally {
    await stopAll()
  }
}

/**
 * Everything but the measurements.
 *
 * @param {import('./options.mjs').Options} options
 * @param {import('./database.mjs').BenchDatabase} database
 * @param {import('./measure.mjs').Running[]} running
 * @param {string} node its version
 * @returns {Promise<import('./results.mjs').Results>}
 */
const resultsOf = async ({ scale, rounds, seconds, requests, slow, patience }, database, running, node) => ({
  scale,
  command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
  commit: commit(),
  method: { rounds, seconds, requests, slow, patience },
  machine: machine(),
  versions: {
    'Node.js': node,
    MariaDB: `${database.version}, buffer pool of ${database.memory / 2 ** 30} GiB`,
    ...versionsOf(running.flatMap(({ packages }) => packages))
  },
  data: await dataOf(database),
  scenarios: []
})

/** @param {string} name @param {string[] | undefined} wanted */
const isWanted = (name, wanted) => !wanted || wanted.some((text) => name.toLowerCase().includes(text.toLowerCase()))

/** From the database to the document. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { loadData } from './data.ts'
import { type BenchDatabase, startDatabase } from './database.ts'
import { documentOf, summaryOf } from './document.ts'
import { everyPayment, readAll } from './each.ts'
import { measure, type Running, warmUp } from './measure.ts'
import { type Options, optionsOf } from './options.ts'
import { pictureOf } from './picture.ts'
import { startProcess } from './processes.ts'
import { keep, keptResults, type Results } from './results.ts'
import { dataOf, scenariosOf } from './scenarios.ts'
import { ours, servers, serversOf } from './servers.ts'
import { shownOf } from './summary.ts'

async function bench(options: Options): Promise<void> {
  const results = options.report ? undefined : await measureAll(options)
  if (results && !options.save) return report([results], false)
  if (results) keep(results)
  await report(keptResults(), true)
}

/** Writes the documents, or only prints them. */
async function report(all: Results[], write: boolean) {
  const text = documentOf(all)
  console.log(text)
  if (!write) return
  const shown = shownOf(all)
  writeFileSync(join(import.meta.dirname, 'RESULTS.md'), text)
  if (!shown) return
  writeFileSync(join(import.meta.dirname, 'ratios.svg'), await pictureOf(shown))
  const readme = join(import.meta.dirname, '..', 'README.md')
  const marks = /(<!-- bench -->\n)[\s\S]*(<!-- \/bench -->)/
  writeFileSync(
    readme,
    readFileSync(readme, 'utf8').replace(marks, (_text, start, end) => `${start}\n${summaryOf(shown)}\n\n${end}`)
  )
}

async function measureAll(options: Options): Promise<Results> {
  const stops: (() => Promise<void>)[] = []
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
    const database = await startDatabase(options.scale)
    stops.push(database.stop)
    await loadData(database, options.scale)
    const all = await scenariosOf(database, options.scale)
    const scenarios = all.filter(({ name }) => isWanted(name, options.scenarios))
    const own = all.find(({ name }) => name === 'assessments, own')?.questions ?? []
    const running = []
    const wanted = servers.filter(({ name }) => name.startsWith(ours) || isWanted(name, options.servers))
    for (const server of [...wanted, ...(options.tarball ? serversOf(options.tarball) : [])]) {
      const process = await startProcess(server, database.url)
      stops.push(process.stop)
      running.push({ ...server, process })
    }
    for (const server of running) await warmUp(server, own)
    const results = await resultsOf(options, database, running)
    for (const scenario of scenarios) {
      console.error(scenario.name)
      results.scenarios.push(await measure(scenario, running, database, options))
      // what was measured so far is not lost when the rest is interrupted
      if (options.save) keep(results)
    }
    if (isWanted(everyPayment, options.scenarios)) {
      results.each = await readAll(database.url, options.rounds)
    }
    return results
  } catch (error) {
    throw stopped ? new Error('Stopped. What was measured so far is kept, unless it was a choice.') : error
  } finally {
    await stopAll()
  }
}

/** Everything but the measurements. */
const resultsOf = async (
  { scale, rounds, seconds, requests, slow, patience }: Options,
  database: BenchDatabase,
  running: Running[]
): Promise<Results> => ({
  scale,
  command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
  commit: commit(),
  method: { rounds, seconds, requests, slow, patience },
  machine: machine(),
  versions: {
    'Node.js': process.versions.node,
    MariaDB: `${database.version}, buffer pool of ${database.memory / 2 ** 30} GiB`,
    ...versionsOf(running.flatMap(({ packages }) => packages))
  },
  data: await dataOf(database),
  scenarios: []
})

/** On what it was measured. */
function machine(): Record<string, string> {
  const all = cpus()
  return {
    processor: `${all.length} × ${all[0]?.model ?? 'unknown'}, shared by load, server and database`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${arch()}`
  }
}

/** The library's commit, and whether there are changes beside it. */
const commit = () =>
  execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
    cwd: import.meta.dirname,
    encoding: 'utf8'
  }).trim()

const versionsOf = (packages: string[]): Record<string, string> =>
  Object.fromEntries(
    [...new Set(packages)].map((name) => {
      // the library and its host have one Kysely, that of the repository
      const folder = join(import.meta.dirname, name === 'kysely' ? '..' : '.')
      const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
      return [name, JSON.parse(manifest).version]
    })
  )

const isWanted = (name: string, wanted: string[] | undefined) =>
  !wanted || wanted.some((text) => name.toLowerCase().includes(text.toLowerCase()))

try {
  await bench(optionsOf(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

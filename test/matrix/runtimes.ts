/**
 * Runs the smoke test of the lists with every supported Node, Fastify and Kysely, oldest and newest, from the packed
 * tarball. Every answer must have the same bytes as with the newest packages on Node 20. On SQLite, and on the servers of
 * TEST_MYSQL_URL and TEST_POSTGRES_URL when there are any.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { difference, failure, report } from './report.mjs'
import { nameOf, requestsToRuntimes as requests } from './requests.js'
import { findNodes, install, packageName, run, tarball, temporaryFolder } from './tarball.js'

const newest = { fastify: '^5.12.8', kysely: '0.29.9', '@fastify/jwt': '^10.2.8', mysql2: '^3.24.5', pg: '^8.23.1' }
/** What is put in the place of the newest packages; the last one is the oldest that package.json allows. */
const sets = [
  {},
  { kysely: '0.29.0' },
  { kysely: '0.28.19' },
  { fastify: '5.8.3' },
  { fastify: '5.8.3', kysely: '0.28.17', '@fastify/jwt': '10.2.0', mysql2: '3.23.1', pg: '8.11.0' }
]
  // at the size `short` the newest packages and the oldest
  .filter((_older, index, all) => process.env.MATRIX !== 'short' || [0, all.length - 1].includes(index))
  .map((older) => ({ ...newest, ...older }))

const part = 'runtimes'
const folder = temporaryFolder()
const file = await tarball(folder)
const nodes = await findNodes(folder)
let golden: string[] | undefined

for (const [index, set] of sets.entries()) {
  const place = join(folder, String(index))
  const refused = await failure(() => prepare(place, set))
  const versions = Object.keys(set).map((name) => `${name} ${refused ? '' : installed(place, name)}`)
  for (const { version, path } of nodes) {
    const name = `Node ${version}, ${versions.join(', ')}`
    if (refused) report({ part, name, tried: 0, different: [refused] })
    else await smoke(name, path, place)
  }
}

/** Installs the package with others in a folder, and writes the smoke test beside them. */
async function prepare(place: string, packages: Record<string, string>) {
  await install(place, { [packageName]: `file:${file}`, 'node-sqlite3-wasm': '^0.8.60', ...packages })
  const installedPackage = { path: packageName, external: true }
  await build({
    entryPoints: [join(import.meta.dirname, 'smoke.ts')],
    outfile: join(place, 'smoke.js'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    plugins: [
      { name: 'src', setup: ({ onResolve }) => onResolve({ filter: /\/src\/[\w/]+\.js$/ }, () => installedPackage) }
    ]
  })
}

/** The version that was installed. */
function installed(place: string, name: string): string {
  return JSON.parse(readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8')).version
}

async function smoke(name: string, node: string, place: string) {
  const { PATH, HOME, TEST_MYSQL_URL, TEST_POSTGRES_URL } = process.env
  let answers: Record<string, string[]> = {}
  const refused = await failure(async () => {
    const env = { PATH, HOME, TEST_MYSQL_URL, TEST_POSTGRES_URL }
    answers = JSON.parse(await run(node, ['smoke.js'], { cwd: place, env }))
  })
  if (refused) return report({ part, name, tried: 0, different: [refused] })
  golden ??= answers.SQLite ?? []
  const expected = golden
  const different = Object.entries(answers).flatMap(([database, found]) =>
    requests.flatMap((request, index) => {
      const answer = String(found[index])
      // also of the answer that the others are compared with
      const isSane = answer.startsWith(`${request.status} `)
      const problem = difference(answer, isSane ? String(expected[index]) : `${request.status}`)
      return problem ? [`${database}, ${nameOf(request)}: ${problem}`] : []
    })
  )
  report({ part, name, tried: requests.length * Object.keys(answers).length, different })
}

/**
 * Compiles and runs the hosts of `consumers/` against the packed tarball. Each must compile with every TypeScript and
 * answer both lists as expected.json says on every Node.
 */
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { findNodes } from './nodes.js'
import { difference, failure, report } from './report.mjs'
import { install, packageName, root, run, tarball, temporaryFolder } from './tarball.js'

/**
 * Compilers with the module setting that a CommonJS host needs there, and whether the packages' own types
 * are checked too, which takes twice the time. The first one builds what is run, and is enough for JavaScript.
 */
const compilers = [
  { version: '5.9', module: 'node20', libraries: true },
  { version: '5.8', module: 'nodenext', libraries: false },
  { version: '6.0', module: 'nodenext', libraries: false },
  { version: '7.0', module: 'nodenext', libraries: true }
  // at the size `short` the compiler that builds what is run, and the newest
].filter(({ version }) => process.env.MATRIX !== 'short' || ['5.9', '7.0'].includes(version))
const hosts = ['0.28.18', '0.29.9'].flatMap((kysely) => [
  { name: 'ESM TypeScript', kysely, source: 'typescript', type: 'module' },
  { name: 'CommonJS TypeScript', kysely, source: 'typescript', type: 'commonjs' },
  { name: 'CommonJS JavaScript', kysely, source: 'javascript', type: 'commonjs' }
])
type Host = (typeof hosts)[number]

const sources = join(import.meta.dirname, 'consumers')
const { assessments, payments } = JSON.parse(readFileSync(join(sources, 'expected.json'), 'utf8'))
const answers = [assessments, payments].map((answer) => `${JSON.stringify(answer)}\n`).join('')
// every host registers the lists twice
const expected = answers + answers

const part = 'consumers'
const folder = temporaryFolder()
const file = await tarball(folder)
const nodes = await findNodes(folder)
const aliases = compilers.map(({ version }) => [`typescript-${version}`, `npm:typescript@${version}`])
await install(join(folder, 'compilers'), Object.fromEntries(aliases))

for (const kysely of new Set(hosts.map((host) => host.kysely))) {
  const refused = await failure(() =>
    install(join(folder, kysely), {
      [packageName]: `file:${file}`,
      '@fastify/jwt': '^10.2.8',
      '@sinclair/typebox': '^0.34.52',
      '@types/node': '^20.19.43',
      fastify: '^5.12.8',
      kysely,
      'node-sqlite3-wasm': '^0.8.60'
    })
  )
  const attempts = hosts
    .filter((host) => host.kysely === kysely)
    .map(async (host) => {
      const name = `${host.name}, Kysely ${kysely}`
      if (refused) report({ part, name, tried: 0, different: [refused] })
      else await attempt(name, host)
    })
  await Promise.all(attempts)
}

async function attempt(name: string, host: Host) {
  const place = prepare(host)
  const isTypeScript = host.source === 'typescript'
  const used = isTypeScript ? compilers : compilers.slice(0, 1)
  const different = []
  for (const [index, { version, module, libraries }] of used.entries()) {
    const compiler = join(folder, `compilers/node_modules/typescript-${version}/bin/tsc`)
    const settings = ['--module', module, '--skipLibCheck', String(!libraries), '--noEmit', String(index > 0)]
    const problem = await failure(() => run(process.execPath, [compiler, '-p', place, ...settings]))
    if (problem) different.push(`TypeScript ${version}, module ${module}: ${problem}`)
  }
  const { PATH, HOME } = process.env
  for (const { version, path } of nodes) {
    const script = isTypeScript ? 'dist/host.js' : 'host.cjs'
    const problem = await failure(async () => {
      const found = await run(path, [script], { cwd: place, env: { PATH, HOME } })
      if (found !== expected) throw new Error(difference(found, expected))
    })
    if (problem) different.push(`Node ${version}: ${problem}`)
  }
  report({ part, name, tried: used.length + nodes.length, different })
}

/** Makes the host's folder, beside those of the other hosts with the same packages. */
function prepare({ kysely, source, type }: Host) {
  const place = join(folder, kysely, `${source}-${type}`)
  cpSync(join(sources, source), place, { recursive: true })
  copyFileSync(join(sources, 'rows.json'), join(place, 'rows.json'))
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, type }))
  const sqlite = join(root, 'examples/sqlite.ts')
  if (source === 'typescript') {
    copyFileSync(sqlite, join(place, 'sqlite.ts'))
    // A list that a host exports, with its declaration.
    copyFileSync(join(root, 'examples/recipes/certificates.ts'), join(place, 'certificates.ts'))
    const migrator = kysely.startsWith('0.28') ? 'kysely' : 'kysely/migration'
    writeFileSync(join(place, 'migrator.ts'), `export { Migrator } from '${migrator}'\n`)
  } else {
    // what runs, and beside it what the compiler takes the types from
    const { code } = transformSync(readFileSync(sqlite, 'utf8'), { loader: 'ts', format: 'cjs' })
    writeFileSync(join(place, 'sqlite.cjs'), code)
    copyFileSync(sqlite, join(place, 'sqlite.cts'))
  }
  return place
}

/**
 * Compiles and runs the hosts of `consumers/` against the packed tarball: in TypeScript as an ECMAScript module and as
 * CommonJS, and beside the latter in JavaScript. Each must compile with every TypeScript and answer both lists as
 * expected.json says on every Node.
 */
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { difference, failure, report } from './report.mjs'
import { findNodes, install, packageName, root, run, tarball, temporaryFolder } from './tarball.js'

/**
 * Compilers with the module setting that a CommonJS host needs there, and whether the packages' own types
 * are checked too, which takes twice the time. The first one builds what is run.
 */
const compilers = [
  { version: '5.9', module: 'node20', libraries: true },
  { version: '5.8', module: 'nodenext', libraries: false },
  { version: '6.0', module: 'nodenext', libraries: false },
  { version: '7.0', module: 'nodenext', libraries: true },
  // The oldest one, in which CommonJS cannot require an ECMAScript module.
  { version: '5.4', module: 'nodenext', libraries: true, isForModules: true }
  // at the size `short` the compiler that builds what is run, and the newest
].filter(({ version }) => process.env.MATRIX !== 'short' || ['5.9', '7.0'].includes(version))

const part = 'consumers'
const sources = join(import.meta.dirname, 'consumers')
const { assessments, payments } = JSON.parse(readFileSync(join(sources, 'expected.json'), 'utf8'))
/** Every host registers the lists twice. */
const expected = `${JSON.stringify(assessments)}\n${JSON.stringify(payments)}\n`.repeat(2)
const folder = temporaryFolder()
const file = await tarball(folder)
const nodes = await findNodes(folder)
const aliases = compilers.map(({ version }) => [`typescript-${version}`, `npm:typescript@${version}`])
await install(join(folder, 'compilers'), Object.fromEntries(aliases))

for (const kysely of ['0.28.18', '0.29.9']) {
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
  const attempts = ['module', 'commonjs'].map(async (type) => {
    const name = `${type}, Kysely ${kysely}`
    if (refused) report({ part, name, tried: 0, different: [refused] })
    else await attempt(name, kysely, type)
  })
  await Promise.all(attempts)
}

async function attempt(name: string, kysely: string, type: string) {
  const place = prepare(kysely, type)
  const different: string[] = []
  const fitting = compilers.filter(({ isForModules }) => type === 'module' || !isForModules)
  for (const [index, { version, module, libraries }] of fitting.entries()) {
    const compiler = join(folder, `compilers/node_modules/typescript-${version}/bin/tsc`)
    const settings = ['--module', module, '--skipLibCheck', String(!libraries), '--noEmit', String(index > 0)]
    const problem = await failure(() => run(process.execPath, [compiler, '-p', place, ...settings]))
    if (problem) different.push(`TypeScript ${version}, module ${module}: ${problem}`)
  }
  const { PATH, HOME } = process.env
  const scripts = type === 'module' ? ['dist/host.js'] : ['dist/host.js', 'dist/host.cjs']
  for (const { version, path } of nodes) {
    for (const script of scripts) {
      const problem = await failure(async () => {
        const found = await run(path, [script], { cwd: place, env: { PATH, HOME } })
        if (found !== expected) throw new Error(difference(found, expected))
      })
      if (problem) different.push(`Node ${version}, ${script}: ${problem}`)
    }
  }
  report({ part, name, tried: fitting.length + nodes.length * scripts.length, different })
}

/** Makes the host's folder, beside those of the other hosts with the same packages. */
function prepare(kysely: string, type: string) {
  const place = join(folder, kysely, type)
  cpSync(join(sources, 'host'), place, { recursive: true })
  // `certificates` is a list that a host exports, with its declaration.
  for (const file of ['examples/sqlite.ts', 'examples/recipes/certificates.ts', 'test/matrix/consumers/rows.json']) {
    copyFileSync(join(root, file), join(place, basename(file)))
  }
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, type }))
  const migrator = kysely.startsWith('0.28') ? 'kysely' : 'kysely/migration'
  writeFileSync(join(place, 'migrator.ts'), `export { Migrator } from '${migrator}'\n`)
  if (type === 'commonjs') {
    copyFileSync(join(sources, 'host.cjs'), join(place, 'host.cjs'))
    const { files, ...config } = JSON.parse(readFileSync(join(place, 'tsconfig.json'), 'utf8'))
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ ...config, files: [...files, 'host.cjs'] }))
  }
  return place
}

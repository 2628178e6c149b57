/** The package as npm would publish it: what is in it, how much, and whether a host can make something of it. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { failure } from '../matrix/report.mjs'
import { cloneTo, npmPack, pack, packageName, root, run } from '../matrix/tarball.js'
import { temporaryFolder } from '../support/running/folders.js'

/** More bytes than this are a mistake: every host downloads the package, also to its production servers. */
const largest = 195_000
/** Of the JavaScript and its types alone. */
const largestCode = 122_000

const folder = temporaryFolder(t, 'package')
const { filename, files, size } = await pack(folder)
// A host with nothing but the unpacked tarball and the dependencies.
const host = join(folder, 'hosts/host')
const unpacked = join(host, 'node_modules', packageName)
mkdirSync(unpacked, { recursive: true })
await run('tar', ['xzf', join(folder, filename), '-C', unpacked, '--strip-components=1'])
symlinkSync(join(root, 'node_modules'), join(folder, 'hosts/node_modules'))

const paths = files.map(({ path }) => path)

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const entries = Object.values<string | { types: string; default: string }>(manifest.exports).filter(
  (entry) => typeof entry !== 'string'
)
const scripts = [...entries.map((entry) => join(entry.default)), 'dist/shared.js']

t.test('the package is its scripts, declarations, docs with examples, and its papers', async (t) => {
  const papers = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'examples/cluster.ts', 'examples/sqlite.ts']
  const pages = readdirSync('docs').filter((name) => /\.(md|svg)$/.test(name))
  const examples = ['recipes', 'schemas'].flatMap((name) =>
    readdirSync(`examples/${name}`).map((file) => `examples/${name}/${file}`)
  )
  t.strictSame(
    paths.filter((path) => !path.endsWith('.d.ts')).toSorted(),
    [...papers, ...pages.map((name) => `docs/${name}`), ...examples, ...scripts].toSorted()
  )
})

t.test('every link of a document leads to a file of the package', async (t) => {
  for (const path of paths.filter((path) => path.endsWith('.md'))) {
    const links = readFileSync(join(unpacked, path), 'utf8').matchAll(/(?:\]\(|href=")(?!\w+:|#)([^)"#]+)/g)
    for (const [, link = ''] of links) t.ok(existsSync(join(unpacked, path, '..', link)), `${path}: ${link}`)
  }
})

t.test('the declarations are those that an import of the package reaches', async (t) => {
  const reached = new Set<string>()
  const reach = (path: string) => {
    if (reached.has(path)) return
    reached.add(path)
    const names = readFileSync(path, 'utf8').matchAll(/\b(?:from |import |import\()['"](\.[^'"]+)/g)
    for (const [, name = ''] of names) reach(join(path, '..', name.replace(/js$/, 'd.ts')))
  }
  for (const { types } of entries) reach(join(types))
  t.strictSame(paths.filter((path) => path.endsWith('.d.ts')).toSorted(), [...reached].toSorted())
})

// `npm run test:matrix -- consumers` tries the same with more compilers.
for (const compiler of ['typescript', 'typescript-7']) {
  t.test(`options and lists that a host exports have declarations with ${compiler}`, async (t) => {
    const consumer = join(root, 'test/matrix/consumers/host')
    copyFileSync(join(consumer, 'options.ts'), join(host, 'options.ts'))
    copyFileSync(join(root, 'examples/recipes/certificates.ts'), join(host, 'certificates.ts'))
    const config = { extends: join(consumer, 'tsconfig.json'), compilerOptions: { rootDir: '.', outDir: compiler } }
    writeFileSync(join(host, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(host, 'tsconfig.json'), JSON.stringify({ ...config, files: ['options.ts'] }))
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
    // The fast compiler also checks our declarations, which leave out what is internal.
    const settings = compiler === 'typescript-7' ? [] : ['--skipLibCheck']
    t.equal(await failure(() => run(process.execPath, [tsc, '-p', host, ...settings])), undefined)
    t.match(
      readFileSync(join(host, compiler, 'options.d.ts'), 'utf8'),
      / options: (import\("fastify-assessment-payment-listing"\)\.)?OptionsOf<Kysely</
    )
  })
}

t.test('the declarations of a host need no package that only this package depends on', async (t) => {
  const out = join(folder, 'declarations')
  const settings = ['--declaration', '--emitDeclarationOnly', '--outDir', out]
  await run(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', 'examples', ...settings])
  const text = readFileSync(join(out, 'recipes/certificates.d.ts'), 'utf8')
  t.match(text, 'certificates: import("fastify-assessment-payment-listing").DefinedList<')
  t.notMatch(text, 'typebox')
})

t.test('the JavaScript has no comments and names no map', async (t) => {
  for (const path of scripts) {
    const javascript = readFileSync(path, 'utf8')
    // The declarations have the comments of the exports, and the repository the reasons.
    t.notMatch(javascript, /^\s*(\/\*\*|\/\/ )/m, path)
    t.notMatch(javascript, 'sourceMappingURL', path)
  }
})

t.test('a fresh clone', async (t) => {
  const clone = join(folder, 'clone')
  await cloneTo(clone)

  await t.test('npm pack makes no package without the dependencies, and says what to do', async (t) => {
    t.match(await failure(() => npmPack(clone)), /^The build needs TypeScript and esbuild: run npm ci first\.$/m)
    t.notOk(readdirSync(clone).some((name) => name.endsWith('.tgz')))
  })

  await t.test('npm pack builds the same package', async (t) => {
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    const contentsOf = (packed: typeof files) => packed.map(({ path, size }) => `${path} ${size}`)
    t.strictSame(contentsOf((await npmPack(clone)).files), contentsOf(files))
    t.ok(existsSync(join(clone, filename)))
  })
})

t.test(`the package is smaller than ${largest / 1000} kB`, async (t) => {
  const byPath = files.toSorted((a, b) => b.size - a.size).map(({ path, size }) => `${path} ${size}`)
  t.ok(size < largest, `${size} bytes; the largest files: ${byPath.slice(0, 5)}`)
})

t.test(`its JavaScript and types alone are smaller than ${largestCode / 1000} kB`, async (t) => {
  const code = join(folder, 'code')
  cpSync('dist', join(code, 'dist'), { recursive: true })
  cpSync('package.json', join(code, 'package.json'))
  const { size } = await npmPack(code, '--ignore-scripts')
  t.ok(size < largestCode, `${size} bytes`)
})

t.test('what is published is public, with its provenance', async (t) => {
  t.strictSame(manifest.publishConfig, { access: 'public', provenance: true })
})

const lint = async (t: Test, program: string, ...parameters: string[]) =>
  t.equal(await failure(() => run(join(root, 'node_modules/.bin', program), parameters)), undefined)

t.test('publint has nothing to say about it', (t) => lint(t, 'publint', 'run', '--strict', join(folder, filename)))

// The profile leaves out `moduleResolution: node10`, which knows no `exports` and so no `/conformance`.
t.test('every way to import it finds its types', (t) =>
  lint(t, 'attw', '--profile', 'esm-only', join(folder, filename))
)

t.test('a stack trace leads to readable code in the package', async (t) => {
  const place = join('.tap', `package-${process.pid}.mjs`)
  t.teardown(() => rmSync(place))
  writeFileSync(
    place,
    `import Fastify from 'fastify'
    import listing from 'fastify-assessment-payment-listing'
    await Fastify().register(listing, { db: null, resolveRole: () => null }).ready().catch(({ stack }) => console.log(stack))`
  )
  const form = /at (?:async )?(?:listing\.)?(\w+)(?: \[as \w+\])? \(\S*\/(dist\/[\w/-]+\.js):(\d+):\d+\)/g
  const trace = await run(process.execPath, [place])
  const frames = [...trace.matchAll(form)]
  const names = frames.map(([, name]) => name)
  t.match(names, ['validate', 'answerSettingsOf', 'settingsOf', 'assemble', 'plugin'], trace)
  // The line of each frame throws, or calls the function of the frame above it. The plugin calls `assemble` as `assemblyOf`.
  for (const [place, [, , path = '', line]] of frames.entries()) {
    t.ok(paths.includes(path), path)
    t.match(
      readFileSync(path, 'utf8').split('\n')[Number(line) - 1],
      place === 0 ? 'throw' : `${names[place - 1]?.replace('assemble', 'assemblyOf')}(`
    )
  }
})

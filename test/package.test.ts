/** The package as npm would publish it: what is in it, how much, and whether a host can make something of it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { rules } from '../src/options/validation.js'
import { failure } from './matrix/report.mjs'
import { pack, root, run } from './matrix/tarball.mjs'

/** More than this is a mistake: every host downloads the package, also to its production servers. */
const largest = 280_000

const folder = mkdtempSync(join(tmpdir(), 'listing-package-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const { filename, files, size } = await pack(folder)
const paths = files.map(({ path }) => path)

t.test('the package is the sources, what TypeScript makes of each, and its papers', async (t) => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const built = sources.flatMap((name) =>
    ['.js', '.js.map', '.d.ts', '.d.ts.map'].map((ending) => `dist/${name.replace('.ts', ending)}`)
  )
  const papers = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']
  t.strictSame(paths.toSorted(), [...papers, ...built, ...sources.map((name) => `src/${name}`)].toSorted())
})

t.test(`the package is smaller than ${largest / 1000} kB`, async (t) => {
  t.ok(size < largest, `${size} bytes; the largest files: ${largestOf(files)}`)
})

const largestOf = (files: { path: string; size: number }[]) =>
  files
    .toSorted((a, b) => b.size - a.size)
    .slice(0, 5)
    .map(({ path, size }) => `${path} ${size}`)
    .join(', ')

t.test('the types explain every option', async (t) => {
  const types = readFileSync('dist/options/options.d.ts', 'utf8')
  for (const name of Object.keys(rules)) {
    t.match(types, new RegExp(`@example\\n +\\* (async )?${name}\\b[^/]*\\*/\\n +${name}\\??: `), name)
  }
})

t.test('the map of each file leads to its source in the package', async (t) => {
  for (const path of paths.filter((path) => path.endsWith('.map'))) {
    const { sources } = JSON.parse(readFileSync(path, 'utf8'))
    t.strictSame(
      sources.map((source: string) => join(dirname(path), source)),
      [path.replace('dist/', 'src/').replace(/(\.d\.ts|\.js)\.map$/, '.ts')]
    )
  }
})

t.test('what is published is public, with its provenance, and for every search', async (t) => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  t.strictSame(manifest.publishConfig, { access: 'public', provenance: true })
  for (const word of ['fastify', 'fastify-plugin', 'kysely']) t.ok(manifest.keywords.includes(word), word)
  t.notOk('funding' in manifest)
})

const lint = async (t: Test, program: string, ...parameters: string[]) =>
  t.equal(await failure(() => run(join(root, 'node_modules/.bin', program), parameters)), undefined)

t.test('publint has nothing to say about it', (t) => lint(t, 'publint', 'run', '--strict', join(folder, filename)))

t.test('every way to import it finds its types', (t) =>
  lint(t, 'attw', '--profile', 'esm-only', join(folder, filename))
)

t.test('a stack trace leads to the sources in the package', async (t) => {
  const place = join('.tap', `package-${process.pid}.mjs`)
  t.teardown(() => rmSync(place))
  writeFileSync(
    place,
    `import Fastify from 'fastify'
    import listing from 'fastify-assessment-payment-listing'
    await Fastify().register(listing, { db: null, resolveRole: () => null }).ready().catch(({ stack }) => console.log(stack))`
  )
  const form = /at (?:async )?(?:listing\.)?(\w+)(?: \[as \w+\])? \(\S*\/(src\/[\w/-]+\.ts):(\d+):\d+\)/g
  const trace = await run(process.execPath, ['--enable-source-maps', place])
  const frames = [...trace.matchAll(form)]
  t.match(
    frames.map(([, name]) => name),
    ['settingsOf', 'plugin'],
    trace
  )
  for (const [, name, path = '', line] of frames) {
    t.ok(paths.includes(path), path)
    t.match(readFileSync(path, 'utf8').split('\n')[Number(line) - 1], name === 'plugin' ? 'settingsOf(' : 'throw')
  }
})

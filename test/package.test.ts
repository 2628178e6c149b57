/** The package as npm would publish it: what is in it, how much, and whether a host can make something of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { rules } from '../src/option-rules.js'
import { failure } from './matrix/report.mjs'
import { pack, root, run } from './matrix/tarball.mjs'

/** More than this is a mistake, such as source maps: every host downloads it, also to its production servers. */
const largest = 60_000

const folder = mkdtempSync(join(tmpdir(), 'listing-package-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const { filename, files, size } = await pack(folder)
const paths = files.map(({ path }) => path)

t.test('the package is the built sources with their types, and its papers', async (t) => {
  const built = ['index.js', 'index.d.ts', 'conformance.js', 'conformance.d.ts', 'shared.js'].map(
    (name) => `dist/${name}`
  )
  const papers = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']
  t.strictSame(paths.toSorted(), [...papers, ...built].toSorted())
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

t.test('the file of types explains every option, and has nothing of the inside', async (t) => {
  const types = readFileSync('dist/index.d.ts', 'utf8')
  for (const name of Object.keys(rules)) {
    t.match(types, new RegExp(`@example\\n\\t \\* (async )?${name}\\b[^/]*\\*/\\n\\t${name}\\??: `), name)
  }
  t.notMatch(types, /['"]\.\.?\//, 'no path to another file')
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

// There are no source maps: with the sources in them they weigh twice what the code does, and without they point
// nowhere. The code that runs is not minified, and is itself in the package.
t.test('a stack trace leads to code that is in the package', async (t) => {
  const place = join('.tap', `package-${process.pid}.mjs`)
  t.teardown(() => rmSync(place))
  writeFileSync(
    place,
    `import Fastify from 'fastify'
    import listing from 'fastify-assessment-payment-listing'
    await Fastify().register(listing, { db: null, resolveRole: () => null }).ready().catch(({ stack }) => console.log(stack))`
  )
  for (const parameters of [[], ['--enable-source-maps']]) {
    const trace = await run(process.execPath, [...parameters, place])
    const frames = [...trace.matchAll(/at (?:async )?(\w+) \(\S*\/(dist\/[\w/-]+\.js):(\d+):\d+\)/g)]
    t.match(
      frames.map(([, name]) => name),
      ['readOptions', 'plugin'],
      trace
    )
    for (const [, name, path = '', line] of frames) {
      t.ok(paths.includes(path), path)
      t.match(readFileSync(path, 'utf8').split('\n')[Number(line) - 1], name === 'plugin' ? 'readOptions(' : 'throw')
    }
  }
  for (const path of paths.filter((path) => path.endsWith('.js'))) {
    t.notMatch(readFileSync(path, 'utf8'), 'sourceMappingURL', path)
  }
})

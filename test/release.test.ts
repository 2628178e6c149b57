/** The release command, with git and npm as they are, on a small package of its own and a registry of its own. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { run } from './matrix/tarball.js'

const script = resolve('.release/run.mjs')

/** What npm puts into a registry. */
interface Publication {
  'dist-tags': Record<string, string>
  versions: Record<string, { name: string }>
  _attachments: Record<string, { length: number }>
}

const files = (version: string) => ({
  'package.json': JSON.stringify({
    name: 'released',
    version,
    license: 'MIT',
    type: 'module',
    files: ['dist', 'CHANGELOG.md'],
    repository: { type: 'git', url: 'git+https://example.org/released.git' }
  }),
  'package-lock.json': JSON.stringify({ name: 'released', version, lockfileVersion: 3, packages: {} }),
  'CHANGELOG.md': `# Changelog\n\n## [Unreleased]\n\n## [${version}] - 2026-11-21\n\n- New.\n`,
  'README.md': '# released\n',
  '.gitignore': 'dist\n',
  'src/index.ts': "export * from './part.js'\n",
  'src/part.ts': 'export {}\n',
  'dist/index.js': "export * from './part.js'\n",
  'dist/part.js': 'export {}\n'
})

async function prepare(t: Test, version = '1.2.3') {
  const folder = mkdtempSync(join(tmpdir(), 'listing-release-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const [name, text] of Object.entries(files(version))) write(name, text)

  const published: Publication[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'PUT') published.push((await json(request)) as Publication)
    response.writeHead(request.method === 'PUT' ? 201 : 404).end('{}')
  }
  const registry = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  t.teardown(() => registry.close())
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  const { port } = registry.address() as AddressInfo
  write('.git/npmrc', `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=anybody\n`)

  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, '.git/home'),
    npm_config_userconfig: join(folder, '.git/npmrc'),
    GIT_AUTHOR_NAME: 'Somebody',
    GIT_AUTHOR_EMAIL: 'somebody@example.org',
    GIT_COMMITTER_NAME: 'Somebody',
    GIT_COMMITTER_EMAIL: 'somebody@example.org'
  }
  const git = (...parameters: string[]) => execFileSync('git', parameters, { cwd: folder, env, encoding: 'utf8' })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'all')

  return {
    write,
    git,
    published,
    /** What the command printed, also when it failed. */
    release: (parameters: string[] = [], settings: NodeJS.ProcessEnv = {}) =>
      run(process.execPath, [script, ...parameters], { cwd: folder, env: { ...env, ...settings } }).then(
        (output) => ({ ok: true, output }),
        (error: Error) => ({ ok: false, output: error.message })
      ),
    make: (path: string, time: Date) => utimesSync(join(folder, path), time, time)
  }
}

t.test('a dry run, also without its dashes, prints what would be published, and publishes nothing', async (t) => {
  const { release, published, git } = await prepare(t)
  for (const [parameters, settings] of [[['--dry-run']], [[], { npm_config_dry_run: 'true' }]] as const) {
    const { ok, output } = await release([...parameters], settings)
    t.ok(ok, output)
    t.match(output, /^ +10 {2}dist\/part\.js$/m)
    t.match(output, /^released 1\.2\.3: 5 files, \d+ bytes packed, \d+ unpacked\nNothing was published\.$/m)
    t.strictSame(published, [])
    t.equal(git('tag'), '')
  }
})

t.test('everything that stands in the way is said at once, and nothing is published', async (t) => {
  const { release, published, git, write, make } = await prepare(t)
  git('tag', 'v1.2.3')
  const publishConfig = { provenance: true }
  const manifest = { ...JSON.parse(files('1.2.3')['package.json']), repository: undefined, publishConfig }
  write('package.json', JSON.stringify(manifest))
  write('package-lock.json', JSON.stringify({ version: '1.2.2' }))
  write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n- New.\n')
  make('src/index.ts', new Date(Date.now() + 60_000))
  for (const parameters of [[], ['--dry-run']]) {
    const { ok, output } = await release(parameters)
    t.notOk(ok)
    t.match(
      output.split('\n').filter((line) => line.startsWith('- ')),
      [
        /^- package-lock\.json says version 1\.2\.2: run npm install\.$/,
        /^- package\.json has no repository\.url/,
        /^- CHANGELOG\.md begins with '## \[Unreleased\]': begin with '## \[1\.2\.3\] - YYYY-MM-DD' and what is new in it\.$/,
        ...(parameters.length > 0 ? [] : [/^- The provenance can only be made in GitHub Actions/]),
        /^- The tag v1\.2\.3 exists: raise the version/,
        /^- There are changes that are not committed/,
        /^- The build is missing or older than src\/index\.ts: run npm run test:package\.$/
      ]
    )
    t.match(output, 'Nothing was published.')
  }
  t.strictSame(published, [])
})

t.test('a version, a date or a build that is none is said', async (t) => {
  const { release, write, git } = await prepare(t)
  const problem = async () => (await release(['--dry-run'])).output.split('\n').filter((line) => line.startsWith('- '))
  for (const title of ['[1.2.3]', '[1.2.3] - 2026-13-01', '[1.2.30] - 2026-11-21', '1.2.3 - 2026-11-21']) {
    write('CHANGELOG.md', `# Changelog\n\n## ${title}\n\n- New.\n`)
    git('commit', '--quiet', '--all', '--message', title)
    t.match(await problem(), [/^- CHANGELOG\.md begins with/], title)
  }
  write('CHANGELOG.md', '# Changelog\n\n## [1.2.3] - 2026-11-21\n\n## [1.2.2] - 2026-11-01\n\n- New.\n')
  write('src/other.ts', 'export {}\n')
  git('add', '.')
  git('commit', '--quiet', '--message', 'empty')
  t.match(await problem(), [/^- CHANGELOG\.md begins with/, /^- The build is missing or older than src\/other\.ts/])

  const other = await prepare(t, '1.2')
  t.match((await other.release(['--dry-run'])).output, /^- The version 1\.2 is none: /m)
})

t.test('a release is tagged and published', async (t) => {
  const { release, published, git } = await prepare(t)
  const { ok, output } = await release()
  t.ok(ok, output)
  t.match(output, /^Published\. Now push the tag: git push origin v1\.2\.3$/m)
  t.match(published, [{ 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': { name: 'released' } } }])
  t.equal(git('tag', '--points-at', 'HEAD'), 'v1.2.3\n')
})

t.test('a release candidate is not what everybody gets', async (t) => {
  const { release, published } = await prepare(t, '2.0.0-rc.1')
  const { ok, output } = await release()
  t.ok(ok, output)
  t.strictSame(published[0]?.['dist-tags'], { next: '2.0.0-rc.1' })
})

t.test('further arguments go to npm, and what it refuses leaves no tag', async (t) => {
  const { release, published, git } = await prepare(t)
  const { ok, output } = await release(['--registry=http://127.0.0.1:9/', '--fetch-retries=0'])
  t.notOk(ok)
  t.match(output, /^Not published, and the tag v1\.2\.3 is gone again\.$/m)
  t.strictSame(published, [])
  t.equal(git('tag'), '')
})

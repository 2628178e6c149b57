/** The release command, with git and npm as they are, on a small package of its own. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { run } from '../matrix/tarball.js'
import { temporaryFolder } from '../support/running/folders.js'

const script = resolve('.release/run.mjs')

const files = (version: string) => ({
  'package.json': JSON.stringify({
    name: 'released',
    version,
    license: 'MIT',
    type: 'module',
    files: ['dist', 'CHANGELOG.md'],
    repository: { type: 'git', url: 'git+https://example.org/released.git' },
    homepage: 'https://example.org/released#readme',
    bugs: 'https://example.org/released/issues',
    author: 'Somebody'
  }),
  'package-lock.json': JSON.stringify({ name: 'released', version, lockfileVersion: 3, packages: {} }),
  'CHANGELOG.md': `# Changelog\n\n## [Unreleased]\n\n## [${version}] - 2026-11-21\n\n### Added\n\n- New.\n\n## [1.0.0] - 2026-11-01\n\n- Old.\n`,
  'README.md': '# released\n',
  '.gitignore': 'dist\nrelease\n',
  'src/index.ts': "export * from './part.js'\n",
  'src/part.ts': 'export {}\n',
  'dist/index.js': 'export {}\n'
})

async function prepare(t: Test, version = '1.2.3') {
  const folder = temporaryFolder(t, 'release')
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const [name, text] of Object.entries(files(version))) write(name, text)

  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, '.git/home'),
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
    folder,
    write,
    git,
    /** What the command printed, also when it failed. */
    release: (parameters: string[] = [], settings: NodeJS.ProcessEnv = {}) =>
      run(process.execPath, [script, ...parameters], { cwd: folder, env: { ...env, ...settings } }).then(
        (output) => ({ ok: true, output }),
        (error: Error) => ({ ok: false, output: error.message })
      ),
    make: (path: string, time: Date) => utimesSync(join(folder, path), time, time)
  }
}

t.test('a dry run, also without its dashes, prints what would be published, and packs nothing', async (t) => {
  const { release, folder } = await prepare(t)
  for (const [parameters, settings] of [[['--dry-run']], [[], { npm_config_dry_run: 'true' }]] as const) {
    const { ok, output } = await release([...parameters], settings)
    t.ok(ok, output)
    t.match(output, /^ +10 {2}dist\/index\.js$/m)
    t.match(output, /^released 1\.2\.3: 4 files, \d+ bytes packed, \d+ unpacked\nNothing was packed\.$/m)
    t.notOk(existsSync(join(folder, 'release')))
  }
})

t.test('everything that stands in the way is said at once, and nothing is packed', async (t) => {
  const { release, folder, git, write, make } = await prepare(t)
  git('tag', 'v1.2.3')
  const missing = { repository: undefined, homepage: undefined, author: undefined }
  const manifest = { ...JSON.parse(files('1.2.3')['package.json']), ...missing }
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
        /^- package\.json has no repository\.url.* picture of the README: add it\.$/,
        /^- package\.json has no homepage, no author, which npm shows beside the README: add it\.$/,
        /^- CHANGELOG\.md begins with '## \[Unreleased\]': begin with '## \[1\.2\.3\] - YYYY-MM-DD' and what is new in it\.$/,
        /^- The tag v1\.2\.3 exists: raise the version/,
        /^- There are changes that are not committed/,
        /^- The build is missing or older than src\/index\.ts: run npm run test:package\.$/
      ]
    )
    t.match(output, 'Nothing was packed.')
  }
  t.notOk(existsSync(join(folder, 'release')))
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

t.test('a release is the tarball, and what the changelog says of its version', async (t) => {
  const { release, folder, git } = await prepare(t)
  for (const again of [false, true]) {
    const { ok, output } = await release()
    t.ok(ok, output)
    t.match(output, /^release has the tarball and its notes\.$/m)
    t.strictSame(readdirSync(join(folder, 'release')).toSorted(), ['notes.md', 'released-1.2.3.tgz'], `again: ${again}`)
  }
  t.equal(readFileSync(join(folder, 'release/notes.md'), 'utf8'), '### Added\n\n- New.\n')
  t.equal(git('tag'), '')
})

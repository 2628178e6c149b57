/**
 * Prepares the release of the version of package.json: `npm run release -- --dry-run` says what stands in the way, or
 * else what would be published; without `--dry-run` the folder `release` gets the tarball, and the part of CHANGELOG.md
 * as its notes. The workflow `Release` publishes both. `npm test` and `npm run test:package` come first: the command
 * packs what the second one built.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

// `npm run release --dry-run`, where npm takes the argument for its own, is a dry run too
const { npm_config_dry_run: forgottenDashes } = process.env
const dryRun = process.argv.includes('--dry-run') || forgottenDashes === 'true'
const folder = 'release'

/** @param {string} path */
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
/** @param {string[]} parameters */
const git = (...parameters) => execFileSync('git', parameters, { encoding: 'utf8' })

const manifest = JSON.parse(read('package.json'))
const { name, version, repository } = manifest
const tag = `v${version}`

// The heading of the next version may stand there, without an entry.
const changes = read('CHANGELOG.md').replace(/^## \[Unreleased\]\s+(?=## )/m, '')
const [, title = '', entries = ''] = changes.split(/^## (.*)$/m)

/** Everything that stands in the way, each with what to do about it. */
function* problems() {
  if (!/^\d+\.\d+\.\d+(-[\da-z-]+(\.[\da-z-]+)*)?$/.test(version)) {
    yield `The version ${version} is none: write it as 1.2.3 or 1.2.3-rc.1 in package.json.`
  }
  const locked = JSON.parse(read('package-lock.json') || '{}').version
  if (locked !== version) yield `package-lock.json says version ${locked}: run npm install.`
  if (!repository?.url) {
    yield 'package.json has no repository.url, which the provenance is checked against, and where npm finds the picture of the README: add it.'
  }
  const unnamed = ['homepage', 'bugs', 'author'].filter((field) => !manifest[field])
  if (unnamed.length > 0)
    yield `package.json has no ${unnamed.join(', no ')}, which npm shows beside the README: add it.`

  const date = title.startsWith(`[${version}] - `) ? title.slice(version.length + 5) : ''
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)) || !entries.trim()) {
    yield `CHANGELOG.md begins with '## ${title}': begin with '## [${version}] - YYYY-MM-DD' and what is new in it.`
  }

  if (git('tag', '--list', tag)) yield `The tag ${tag} exists: raise the version in package.json.`
  if (git('status', '--porcelain')) yield 'There are changes that are not committed: commit or discard them.'

  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const stale = sources.find((path) => changed(`src/${path}`) > changed('dist/index.js'))
  if (stale) yield `The build is missing or older than src/${stale}: run npm run test:package.`
}

/** @param {string} path when it was changed; a file that is not there never was */
const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function pack() {
  if (!dryRun) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    writeFileSync(`${folder}/notes.md`, `${entries.trim()}\n`)
  }
  const target = dryRun ? '--dry-run' : `--pack-destination=${folder}`
  const parameters = ['pack', '--json', '--loglevel=error', '--ignore-scripts', target]
  /** @type {[{ files: { path: string, size: number }[], size: number, unpackedSize: number }]} */
  const [{ files, size, unpackedSize }] = JSON.parse(execFileSync('npm', parameters, { encoding: 'utf8' }))
  for (const { path, size } of files) console.log(`${String(size).padStart(9)}  ${path}`)
  console.log(`${name} ${version}: ${files.length} files, ${size} bytes packed, ${unpackedSize} unpacked`)
}

const found = [...problems()]
for (const problem of found) console.log(`- ${problem}`)
if (found.length > 0) process.exitCode = 1
else pack()
console.log(dryRun || found.length > 0 ? 'Nothing was packed.' : `${folder} has the tarball and its notes.`)

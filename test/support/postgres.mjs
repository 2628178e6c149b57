/**
 * A private PostgreSQL for the tests with its own data folder and a free port. A stop deletes the folder. It uses the
 * installed server; as root on Debian, it installs one first. It never runs as root, but as `postgres`.
 */
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { env, freePort, install, isInstalled, isRoot, newFolder, startServer } from './private-server.mjs'

const programs = ['initdb', 'postgres']
const otherwise =
  'The tests need a PostgreSQL: install its server (Debian: postgresql-15), or set ' +
  'TEST_POSTGRES_URL=postgres://postgres:secret@127.0.0.1:5432/postgres to a server on which databases may be made, ' +
  'for example that of: docker run --rm -p 127.0.0.1:5432:5432 -e POSTGRES_PASSWORD=secret postgres:15'

/**
 * @param {string[]} [more] settings
 * @param {string} [primary] the URL of a server; the new server is its standby, which follows it
 */
export async function startPostgres(more = [], primary) {
  if (!programs.every(isInstalled)) {
    if (isRoot) keepFromStarting()
    install(['postgresql-15'], otherwise)
  }
  const folder = newPostgresFolder('postgres')
  const data = join(folder, 'data')
  const log = join(folder, 'log')
  const port = await freePort()
  const [create, ...createArgs] = primary
    ? asPostgres('pg_basebackup', '-D', data, '-d', primary, '-R', '-c', 'fast', '--no-sync')
    : asPostgres('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8')
  execFileSync(create, createArgs, { env })
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
  const [command, ...args] = asPostgres('postgres', '-D', data, ...settings.flatMap((setting) => ['-c', setting]))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return startServer({ name: 'PostgreSQL', command, args, folder, log, url, answers })
}

/**
 * PostgreSQL refuses to run as root.
 *
 * @param {string} program
 * @param {string[]} args
 * @returns {[string, ...string[]]}
 */
export const asPostgres = (program, ...args) =>
  isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', program, ...args] : [program, ...args]

/** A new folder for a server's files, which the server can write. @param {string} name */
export function newPostgresFolder(name) {
  const folder = newFolder(name)
  if (isRoot) chownSync(folder, userId('-u'), userId('-g'))
  return folder
}

/** @param {'-u' | '-g'} which */
const userId = (which) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))

/** Prevents Debian's package from creating and starting a server. */
function keepFromStarting() {
  const folder = '/etc/postgresql-common'
  const file = join(folder, 'createcluster.conf')
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, 'create_main_cluster = false\n')
}

/** @param {string} url */
async function answers(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
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

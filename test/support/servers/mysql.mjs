/**
 * Private MariaDBs and MySQLs for the tests, each with its own data folder and a free port. A stop deletes the folder.
 * `npm test` uses the installed `mariadbd`; as root on Debian, it installs one first.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import {
  env,
  freePort,
  giveToNobody,
  install,
  isInstalled,
  isRoot,
  newFolder,
  startServer,
  unpacked
} from './private-server.mjs'

const programs = ['mariadbd', 'mariadb-install-db', 'my_print_defaults']
const otherwise =
  'The tests need a MariaDB or MySQL: install mariadb-server (Debian: mariadb-server-core and mariadb-client-core), ' +
  'or set TEST_MYSQL_URL=mysql://root:secret@127.0.0.1:3306 to a server on which databases may be made, for example ' +
  'that of: docker run --rm -p 127.0.0.1:3306:3306 -e MARIADB_ROOT_PASSWORD=secret mariadb:10.11'

/** Of MariaDB, whatever its version. */
const mariadb = [
  '--innodb-log-file-size=4M',
  '--character-set-server=utf8mb4',
  '--collation-server=utf8mb4_unicode_ci',
  '--skip-name-resolve'
]

/**
 * The installed MariaDB.
 *
 * @param {string[]} [more] options
 * @param {Partial<Server>} [settings]
 */
export async function startMariadb(more = [], settings = {}) {
  if (!programs.every(isInstalled)) install(['mariadb-server-core', 'mariadb-client-core'], otherwise)
  return start({
    name: 'MariaDB',
    program: ['mariadbd', '--no-defaults'],
    more: [...mariadb, ...more],
    createTables: (options) => {
      const own = ['--auth-root-authentication-method=normal', '--skip-test-db']
      execFileSync('mariadb-install-db', ['--no-defaults', ...options, '--innodb-log-file-size=4M', ...own], { env })
    },
    ...settings
  })
}

/** The newest MariaDB of Debian's unstable suite. */
export async function startNewestMariadb() {
  const usr = bringUnstable('mariadb', 'mariadb-server-core')
  const share = join(usr, 'share/mariadb')
  /** @type {[string, ...string[]]} */
  const program = [
    ...programOf(usr, 'sbin/mariadbd'),
    '--no-defaults',
    `--lc-messages-dir=${share}`,
    `--character-sets-dir=${join(share, 'charsets')}`,
    `--plugin-dir=${join(usr, 'lib/mysql/plugin')}`
  ]
  return start({
    name: 'MariaDB',
    program,
    more: mariadb,
    createTables: (options, data) => {
      mkdirSync(data)
      // We cannot use `mariadb-install-db`, because it starts the server without the unpacked libraries.
      const tables = ['mariadb_system_tables.sql', 'mariadb_system_tables_data.sql']
      const statements = tables.map((name) => readFileSync(join(share, name), 'utf8'))
      const input = ['create database mysql;', 'use mysql;', ...statements].join('\n')
      const [command, ...args] = program
      execFileSync(command, [...args, ...options, '--bootstrap'], { env, input, stdio: ['pipe', 'ignore', 'pipe'] })
    }
  })
}

/**
 * The newest MySQL of Debian's unstable suite.
 *
 * @param {string[]} [more] options
 * @throws Error with the reason why there is no server.
 */
export async function startMysql(more = ['--disable-log-bin']) {
  const usr = bringUnstable('mysql', 'mysql-server-core')
  /** @type {[string, ...string[]]} */
  const program = [
    ...programOf(usr, 'sbin/mysqld'),
    '--no-defaults',
    `--basedir=${usr}`,
    `--lc-messages-dir=${join(usr, 'share/mysql')}`,
    `--character-sets-dir=${join(usr, 'share/mysql/charsets')}`,
    `--plugin-dir=${join(usr, 'lib/mysql/plugin')}`,
    '--secure-file-priv=',
    '--innodb-redo-log-capacity=8M'
  ]
  return start({
    name: 'MySQL',
    program,
    more: ['--mysqlx=OFF', '--innodb-doublewrite=OFF', '--performance-schema=OFF', ...more],
    createTables: (options) => {
      const [command, ...args] = program
      execFileSync(command, [...args, ...options, '--initialize-insecure'], { env, stdio: 'ignore' })
    }
  })
}

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {[string, ...string[]]} program
 * @property {string[]} more options
 * @property {(options: string[], data: string) => void} createTables makes the system tables in the data folder
 * @property {'root' | 'nobody'} [user] whom root starts it as
 * @property {(url: string) => Promise<void>} [answers] throws until the server can be used
 */

/** @param {Server} server */
async function start({ name, program: [command, ...program], more, createTables, user = 'root', answers = connects }) {
  const folder = newFolder(name.toLowerCase())
  // MariaDB adds this extension to a name without it.
  const log = join(folder, 'log.err')
  const port = await freePort()
  const data = join(folder, 'data')
  const common = [
    ...(isRoot ? [`--user=${user}`] : []),
    `--datadir=${data}`,
    '--innodb-flush-method=nosync',
    '--innodb-flush-log-at-trx-commit=0'
  ]
  if (user === 'nobody') giveToNobody(folder)
  createTables(common, data)
  const args = [
    ...program,
    ...common,
    '--skip-networking=0',
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--log-error=${log}`,
    '--max-connections=500',
    ...more
  ]
  return startServer({ name, command, args, folder, log, url: `mysql://root@127.0.0.1:${port}`, answers })
}

/** @param {string} url */
async function connects(url) {
  const connection = await createConnection(url)
  await connection.end()
}

/**
 * Downloads and unpacks a package of Debian's unstable suite, which has the newest servers, and its dependencies, with
 * separate package lists, so the packages of the system do not change.
 *
 * @param {string} name of the folder
 * @param {string} wanted the package
 * @returns {string} the folder, which has what a system has in `/usr`
 * @throws Error with the reason why there is no package
 */
const bringUnstable = (name, wanted) =>
  join(
    unpacked(name, (folder) => {
      for (const path of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, path), { recursive: true })
      // An empty status means that no package is installed, so apt downloads every library too.
      writeFileSync(join(folder, 'status'), '')
      writeFileSync(join(folder, 'sources.list'), `deb ${mirror()} sid main\n`)
      const APT_CONFIG = join(folder, 'apt.conf')
      writeFileSync(
        APT_CONFIG,
        `Dir::Etc::sourcelist "${join(folder, 'sources.list')}"; Dir::Etc::sourceparts "/dev/null";
        Dir::Etc::preferencesparts "/dev/null"; Dir::State::Lists "${join(folder, 'lists')}";
        Dir::State::status "${join(folder, 'status')}"; Dir::Cache "${join(folder, 'cache')}";
        APT::Install-Recommends "false"; APT::Sandbox::User "root"; Acquire::Languages "none";`
      )
      for (const args of [['update'], ['install', '-y', '--download-only', wanted]]) {
        execFileSync('apt-get', ['-qq', ...args], { env: { ...env, APT_CONFIG }, stdio: 'pipe' })
      }
      return join(folder, 'cache/archives')
    }),
    'usr'
  )

/**
 * Starts an unpacked program so that it finds its libraries, which are unpacked in the same folder.
 *
 * @param {string} usr
 * @param {string} program
 * @returns {[string, ...string[]]} the command and its first arguments
 */
const programOf = (usr, program) => [
  join(usr, 'lib64/ld-linux-x86-64.so.2'),
  '--library-path',
  join(usr, 'lib/x86_64-linux-gnu'),
  join(usr, program)
]

/** The Debian mirror of this machine. */
function mirror() {
  const targets = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { env, encoding: 'utf8' })
  const url = targets.split('\n').find((url) => /\/debian\/?$/.test(url))
  if (!url) throw new Error('This machine has no Debian packages.')
  return url
}

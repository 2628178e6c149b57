/**
 * Private MariaDBs for the tests, each with its own data folder and a free port. A stop deletes the folder. `npm test`
 * uses the installed `mariadbd`; as root on Debian, it installs one first.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { env, freePort, install, isInstalled, isRoot, newFolder, startServer } from './private-server.mjs'
import { bringUnstable, programOf } from './unstable.mjs'

const programs = ['mariadbd', 'mariadb-install-db', 'my_print_defaults']
const otherwise =
  'The tests need a MariaDB or MySQL: install mariadb-server (Debian: mariadb-server-core and mariadb-client-core), ' +
  'or set TEST_MYSQL_URL=mysql://root:secret@127.0.0.1:3306 to a server on which databases may be made, for example ' +
  'that of: docker run --rm -p 127.0.0.1:3306:3306 -e MARIADB_ROOT_PASSWORD=secret mariadb:10.11'

/** The installed MariaDB. @param {string[]} [more] options */
export async function startMariadb(more = []) {
  if (!programs.every(isInstalled)) install(['mariadb-server-core', 'mariadb-client-core'], otherwise)
  return start(['mariadbd', '--no-defaults'], more, (options) => {
    const own = ['--auth-root-authentication-method=normal', '--skip-test-db']
    execFileSync('mariadb-install-db', ['--no-defaults', ...options, ...own], { env })
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
  return start(program, [], (options, data) => {
    mkdirSync(data)
    // We cannot use `mariadb-install-db`, because it starts the server without the unpacked libraries.
    const tables = ['mariadb_system_tables.sql', 'mariadb_system_tables_data.sql']
    const statements = tables.map((name) => readFileSync(join(share, name), 'utf8'))
    const input = ['create database mysql;', 'use mysql;', ...statements].join('\n')
    const [command, ...args] = program
    execFileSync(command, [...args, ...options, '--bootstrap'], { env, input, stdio: ['pipe', 'ignore', 'pipe'] })
  })
}

/**
 * @param {[string, ...string[]]} program
 * @param {string[]} more options
 * @param {(options: string[], data: string) => void} createTables makes the system tables in the data folder
 */
async function start([command, ...program], more, createTables) {
  const folder = newFolder('mariadb')
  // MariaDB adds this extension to a name without it.
  const log = join(folder, 'log.err')
  const port = await freePort()
  const data = join(folder, 'data')
  const common = [
    ...(isRoot ? ['--user=root'] : []),
    `--datadir=${data}`,
    '--innodb-log-file-size=4M',
    '--innodb-flush-method=nosync',
    '--innodb-flush-log-at-trx-commit=0'
  ]
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
    '--skip-name-resolve',
    '--max-connections=500',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_ci',
    ...more
  ]
  const url = `mysql://root@127.0.0.1:${port}`
  return startServer({ name: 'MariaDB', command, args, folder, log, url, answers })
}

/** @param {string} url */
export async function answers(url) {
  const connection = await createConnection(url)
  await connection.end()
}

/**
 * A private MariaDB for the tests with its own data folder and a free port. A stop deletes the folder. It uses the
 * installed `mariadbd`; as root on Debian, it installs one first.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { env, freePort, install, isInstalled, isRoot, newFolder, startServer } from './private-server.mjs'

const programs = ['mariadbd', 'mariadb-install-db', 'my_print_defaults']
const otherwise =
  'The tests need a MariaDB or MySQL: install mariadb-server (Debian: mariadb-server-core and mariadb-client-core), ' +
  'or set TEST_MYSQL_URL=mysql://root:secret@127.0.0.1:3306 to a server on which databases may be made, for example ' +
  'that of: docker run --rm -p 127.0.0.1:3306:3306 -e MARIADB_ROOT_PASSWORD=secret mariadb:10.11'

/** @param {string[]} [more] options */
export async function startMariadb(more = []) {
  if (!programs.every(isInstalled)) install(['mariadb-server-core', 'mariadb-client-core'], otherwise)
  const folder = newFolder('mariadb')
  // MariaDB adds this extension to a name without it.
  const log = join(folder, 'log.err')
  const port = await freePort()
  const common = [
    '--no-defaults',
    ...(isRoot ? ['--user=root'] : []),
    `--datadir=${join(folder, 'data')}`,
    '--innodb-log-file-size=4M',
    '--innodb-flush-method=nosync',
    '--innodb-flush-log-at-trx-commit=0'
  ]
  execFileSync('mariadb-install-db', [...common, '--auth-root-authentication-method=normal', '--skip-test-db'], { env })
  const args = [
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
  return startServer({ name: 'MariaDB', command: 'mariadbd', args, folder, log, url, answers })
}

/** @param {string} url */
export async function answers(url) {
  const connection = await createConnection(url)
  await connection.end()
}

/** A private MySQL, the newest of Debian's unstable suite. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { answers } from './mariadb.mjs'
import { env, freePort, isRoot, newFolder, startServer } from './private-server.mjs'
import { bringUnstable, programOf } from './unstable.mjs'

/**
 * @param {string[]} [more] options
 * @throws Error with the reason why there is no server.
 */
export async function startMysql(more = ['--disable-log-bin']) {
  const usr = bringUnstable('mysql', 'mysql-server-core')
  const folder = newFolder('mysql')
  const log = join(folder, 'log')
  const port = await freePort()
  const [command, ...program] = [
    ...programOf(usr, 'sbin/mysqld'),
    '--no-defaults',
    `--basedir=${usr}`,
    `--lc-messages-dir=${join(usr, 'share/mysql')}`,
    `--character-sets-dir=${join(usr, 'share/mysql/charsets')}`,
    `--plugin-dir=${join(usr, 'lib/mysql/plugin')}`,
    '--secure-file-priv=',
    ...(isRoot ? ['--user=root'] : []),
    `--datadir=${join(folder, 'data')}`,
    `--log-error=${log}`,
    '--innodb-redo-log-capacity=8M',
    '--innodb-flush-method=nosync'
  ]
  execFileSync(command, [...program, '--initialize-insecure'], { env, stdio: 'ignore' })
  const args = [
    ...program,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    '--mysqlx=OFF',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=OFF',
    '--performance-schema=OFF',
    '--max-connections=500',
    ...more
  ]
  const url = `mysql://root@127.0.0.1:${port}`
  return startServer({ name: 'MySQL', command, args, folder, log, url, answers })
}

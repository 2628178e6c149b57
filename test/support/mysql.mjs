/**
 * A private MySQL, the newest of Debian's unstable suite. Its files and libraries are in a folder of the project, so
 * the packages of the system do not change.
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { join, resolve } from 'node:path'
import { answers } from './mariadb.mjs'
import { env, freePort, isRoot, newFolder, startServer } from './private-server.mjs'

const home = resolve('node_modules/.cache/mysql')

/**
 * @param {string[]} [more] options
 * @throws Error with the reason why there is no server.
 */
export async function startMysql(more = ['--disable-log-bin']) {
  if (!existsSync(home)) bring()
  const folder = newFolder('mysql')
  const log = join(folder, 'log')
  const port = await freePort()
  const root = join(home, 'usr')
  const loader = join(root, 'lib64/ld-linux-x86-64.so.2')
  const program = [
    '--library-path',
    join(root, 'lib/x86_64-linux-gnu'),
    join(root, 'sbin/mysqld'),
    '--no-defaults',
    `--basedir=${root}`,
    `--lc-messages-dir=${join(root, 'share/mysql')}`,
    `--character-sets-dir=${join(root, 'share/mysql/charsets')}`,
    `--plugin-dir=${join(root, 'lib/mysql/plugin')}`,
    '--secure-file-priv=',
    ...(isRoot ? ['--user=root'] : []),
    `--datadir=${join(folder, 'data')}`,
    `--log-error=${log}`,
    '--innodb-redo-log-capacity=8M',
    '--innodb-flush-method=nosync'
  ]
  execFileSync(loader, [...program, '--initialize-insecure'], { env, stdio: 'ignore' })
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
  return startServer({ name: 'MySQL', command: loader, args, folder, log, url, answers })
}

/** Downloads and unpacks the server and its dependencies, with separate package lists. */
function bring() {
  console.log('Bringing a MySQL from the unstable suite of Debian (60 MB, nothing is installed) …')
  const cache = resolve(home, '..')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'apt-'))
  try {
    const unpacked = join(folder, 'unpacked')
    for (const path of ['lists/partial', 'cache/archives/partial', 'unpacked'])
      mkdirSync(join(folder, path), { recursive: true })
    // An empty status means that no package is installed, so apt downloads every library too.
    writeFileSync(join(folder, 'status'), '')
    writeFileSync(join(folder, 'sources.list'), `deb ${mirror()} sid main\n`)
    const configuration = join(folder, 'apt.conf')
    writeFileSync(
      configuration,
      `Dir::Etc::sourcelist "${join(folder, 'sources.list')}"; Dir::Etc::sourceparts "/dev/null";
      Dir::Etc::preferencesparts "/dev/null"; Dir::State::Lists "${join(folder, 'lists')}";
      Dir::State::status "${join(folder, 'status')}"; Dir::Cache "${join(folder, 'cache')}";
      APT::Install-Recommends "false"; APT::Sandbox::User "root"; Acquire::Languages "none";`
    )
    /** @param {string[]} args */
    const aptGet = (...args) =>
      execFileSync('apt-get', ['-qq', ...args], { env: { ...env, APT_CONFIG: configuration }, stdio: 'ignore' })
    aptGet('update')
    aptGet('install', '-y', '--download-only', 'mysql-server-core')
    const archives = join(folder, 'cache/archives')
    for (const name of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
      execFileSync('dpkg-deb', ['-x', join(archives, name), unpacked])
    }
    renameSync(unpacked, home)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The Debian mirror of this machine. */
function mirror() {
  const folder = '/etc/apt/sources.list.d'
  const files = [
    '/etc/apt/sources.list',
    ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [])
  ]
  const text = files
    .filter(existsSync)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const [url] = /https?:\/\/\S+\/debian\/?(?=\s|$)/m.exec(text) ?? []
  if (!url) throw new Error('This machine has no Debian packages.')
  return url
}

/**
 * A private MariaDB for the tests: its own data folder and free port, gone when it is stopped. Uses the
 * `mariadbd` of the machine; as root on Debian it installs one first, which starts no service.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'

const programs = ['mariadbd', 'mariadb-install-db', 'my_print_defaults']
const path = [process.env.PATH, '/usr/local/sbin', '/usr/sbin', '/sbin'].join(delimiter)
const env = { ...process.env, PATH: path }

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
export async function startMariadb() {
  if (!programs.every(isInstalled)) install()
  const folder = mkdtempSync(join(tmpdir(), 'listing-mariadb-'))
  const data = join(folder, 'data')
  const port = await freePort()
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  const common = [
    '--no-defaults',
    ...user,
    `--datadir=${data}`,
    '--innodb-log-file-size=4M',
    '--innodb-flush-method=nosync',
    '--innodb-flush-log-at-trx-commit=0'
  ]
  execFileSync('mariadb-install-db', [...common, '--auth-root-authentication-method=normal', '--skip-test-db'], { env })
  const log = join(folder, 'log')
  const server = spawn(
    'mariadbd',
    [
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
      '--collation-server=utf8mb4_unicode_ci'
    ],
    { env, stdio: 'ignore' }
  )
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `mysql://root@127.0.0.1:${port}`
  for (let tries = 0; !(await answers(url)); tries++) {
    if (server.exitCode === null && tries < 600) await sleep(50)
    else {
      const reason = readFileSync(log, 'utf8')
      await stop()
      throw new Error(`MariaDB did not start; its log says:\n${reason}`)
    }
  }
  return { url, stop }
}

/** @param {string} program */
function isInstalled(program) {
  try {
    execFileSync('which', [program], { env, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function install() {
  if (process.getuid?.() !== 0 || !isInstalled('apt-get')) {
    throw new Error(
      'The tests need a MariaDB or MySQL: install mariadb-server (Debian: mariadb-server-core and mariadb-client-core), ' +
        'or set TEST_MYSQL_URL=mysql://root:secret@127.0.0.1:3306 to a server on which databases may be made, for example ' +
        'that of: docker run --rm -p 127.0.0.1:3306:3306 -e MARIADB_ROOT_PASSWORD=secret mariadb:10.11'
    )
  }
  console.log('Installing mariadb-server-core and mariadb-client-core for the tests (no service is started) …')
  /** @param {string[]} args */
  const aptGet = (...args) => {
    const quietly = { ...env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['-qq', ...args], { env: quietly, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  aptGet('update')
  aptGet('install', '-y', '--no-install-recommends', 'mariadb-server-core', 'mariadb-client-core')
}

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })

/** @param {string} url */
async function answers(url) {
  try {
    const connection = await createConnection(url)
    await connection.end()
    return true
  } catch {
    return false
  }
}

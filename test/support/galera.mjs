/**
 * A private MariaDB Galera cluster of three nodes on loopback. A stop deletes its files. As root on Debian, it installs
 * missing packages. Its nodes never run as root, because rsync could not copy a node's data.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { env, freePort, giveToNobody, install, isInstalled, isRoot, newFolder, startServer } from './private-server.mjs'

const provider = '/usr/lib/galera/libgalera_smm.so'
const programs = ['mariadbd', 'mariadb-install-db', 'my_print_defaults', 'rsync', 'lsof']
const packages = ['mariadb-server-core', 'mariadb-client-core', 'galera-4', 'rsync', 'lsof']
const otherwise = `The tests of a cluster need what Debian has in ${packages.join(', ')} and mariadb-server.`

/**
 * @typedef {import('./private-server.mjs').PrivateServer} Node
 * @typedef {object} Galera
 * @property {Node[]} nodes in the order of their start; each node can be ended and started again
 * @property {() => Promise<void>} stop ends all nodes, and deletes their files
 */

/** @returns {Promise<Galera>} */
export async function startGalera() {
  const hasScripts = isInstalled('wsrep_sst_rsync')
  if (!hasScripts || !programs.every(isInstalled) || !existsSync(provider)) install(packages, otherwise)
  const folder = newNodeFolder(newFolder('galera'))
  const ports = await Promise.all(Array.from({ length: 3 }, portsOfNode))
  const addresses = ports.map(({ group }) => `127.0.0.1:${group}`)
  /** @type {Node[]} */
  const nodes = []
  const stop = async () => {
    for (const node of nodes.splice(0).reverse()) await node.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const path = hasScripts ? env.PATH : [env.PATH, unpackScripts(folder)].join(delimiter)
    const command = ['env', `PATH=${path}`, 'mariadbd']
    // The nodes start in turn, because each node copies the data of an earlier one.
    for (const [index, port] of ports.entries()) nodes.push(await startNode(index, port, addresses, folder, command))
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, stop }
}

async function portsOfNode() {
  const [sql, group, copy, changes] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  return { sql, group, copy, changes }
}

/**
 * @param {number} index
 * @param {Awaited<ReturnType<typeof portsOfNode>>} port
 * @param {string[]} addresses
 * @param {string} parent
 * @param {string[]} command
 */
async function startNode(index, port, addresses, parent, [command = '', ...given]) {
  const folder = newNodeFolder(join(parent, `node-${index + 1}`))
  // MariaDB adds an extension to a name without one.
  const log = join(folder, 'log.err')
  const common = [
    '--no-defaults',
    ...(isRoot ? ['--user=nobody'] : []),
    `--datadir=${join(folder, 'data')}`,
    '--innodb-log-file-size=4M',
    '--innodb-flush-method=nosync',
    '--innodb-flush-log-at-trx-commit=0'
  ]
  if (index === 0) {
    const options = ['--auth-root-authentication-method=normal', '--skip-test-db']
    execFileSync('mariadb-install-db', [...common, ...options], { env })
  } else newNodeFolder(join(folder, 'data'))
  const options = [
    'base_host=127.0.0.1',
    `base_port=${port.group}`,
    `gmcast.listen_addr=tcp://${addresses[index]}`,
    `ist.recv_addr=127.0.0.1:${port.changes}`,
    'gcache.size=16M'
  ]
  const args = [
    ...given,
    ...common,
    '--bind-address=127.0.0.1',
    `--port=${port.sql}`,
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--log-error=${log}`,
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_ci',
    '--binlog-format=row',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=on',
    `--wsrep-provider=${provider}`,
    `--wsrep-provider-options=${options.join(';')}`,
    '--wsrep-cluster-name=lists',
    `--wsrep-cluster-address=gcomm://${addresses.join()}`,
    `--wsrep-node-name=node-${index + 1}`,
    `--wsrep-node-address=${addresses[index]}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${port.copy}`
  ]
  if (index === 0) args.push('--wsrep-new-cluster')
  const url = `mysql://root@127.0.0.1:${port.sql}`
  const node = await startServer({ name: 'MariaDB Galera', command, args, folder, log, url, answers: isSynced })
  // A restarted node joins the other nodes again.
  if (index === 0) args.pop()
  return node
}

/** @param {string} path */
function newNodeFolder(path) {
  mkdirSync(path, { recursive: true })
  return giveToNobody(path)
}

/**
 * Gets the scripts that copy a node's data. Their package would start a server, so it is only unpacked.
 *
 * @param {string} parent
 * @returns the folder of the scripts
 */
function unpackScripts(parent) {
  const folder = newNodeFolder(join(parent, 'scripts'))
  execFileSync('apt-get', ['-qq', '-o', 'APT::Sandbox::User=', 'download', 'mariadb-server'], { env, cwd: folder })
  for (const name of readdirSync(folder)) execFileSync('dpkg-deb', ['-x', name, '.'], { env, cwd: folder })
  return join(folder, 'usr/bin')
}

/** @param {string} url */
async function isSynced(url) {
  const connection = await createConnection(url)
  try {
    const [rows] = await connection.query("show status where variable_name = 'wsrep_local_state' and value = '4'")
    if (!Array.isArray(rows) || rows.length === 0) throw new Error('The node is not synced yet.')
  } finally {
    await connection.end()
  }
}

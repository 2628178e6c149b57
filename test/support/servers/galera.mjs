/**
 * A private MariaDB Galera cluster of three nodes on loopback. As root on Debian, it installs missing packages. Its nodes
 * never run as root, because rsync could not copy a node's data.
 */
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { startMariadb } from './mysql.mjs'
import { env, freePort, giveToNobody, install, isInstalled, newFolder, unpack } from './private-server.mjs'

const provider = '/usr/lib/galera/libgalera_smm.so'
const packages = ['mariadb-server-core', 'mariadb-client-core', 'galera-4', 'rsync', 'lsof']
const otherwise = `The tests of a cluster need what Debian has in ${packages.join(', ')} and mariadb-server.`

/**
 * @typedef {import('./private-server.mjs').PrivateServer} Node
 * @returns {Promise<{ nodes: Node[], stop: () => Promise<void> }>} all but the first node can be ended and started again
 */
export async function startGalera() {
  if (!['rsync', 'lsof'].every(isInstalled) || !existsSync(provider)) install(packages, otherwise)
  const path = isInstalled('wsrep_sst_rsync') ? String(env.PATH) : [env.PATH, copyScripts()].join(delimiter)
  const groups = await Promise.all(Array.from({ length: 3 }, freePort))
  /** @type {Node[]} */
  const nodes = []
  const stop = async () => {
    for (const node of nodes.splice(0).reverse()) await node.stop()
  }
  try {
    // The nodes start in turn, because each node copies the data of an earlier one.
    for (const group of groups) nodes.push(await startNode(group, groups, path))
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, stop }
}

/**
 * @param {number} group the port of the node in the cluster
 * @param {number[]} groups those of all nodes
 * @param {string} path
 */
async function startNode(group, groups, path) {
  const provided = [
    'base_host=127.0.0.1',
    `base_port=${group}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${group}`,
    `ist.recv_addr=127.0.0.1:${await freePort()}`,
    'gcache.size=16M'
  ]
  const options = [
    '--binlog-format=row',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=on',
    `--wsrep-provider=${provider}`,
    `--wsrep-provider-options=${provided.join(';')}`,
    '--wsrep-cluster-name=lists',
    `--wsrep-cluster-address=gcomm://${groups.map((port) => `127.0.0.1:${port}`).join()}`,
    `--wsrep-node-name=node-${group}`,
    `--wsrep-node-address=127.0.0.1:${group}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${await freePort()}`
  ]
  const isFirst = group === groups[0]
  return startMariadb([...options, ...(isFirst ? ['--wsrep-new-cluster'] : [])], {
    name: 'MariaDB-Galera',
    program: ['env', `PATH=${path}`, 'mariadbd', '--no-defaults'],
    user: 'nobody',
    answers: isSynced,
    ...(!isFirst && {
      createTables: (_options, data) => void giveToNobody(String(mkdirSync(data, { recursive: true })))
    })
  })
}

/** The scripts that copy a node's data. Their package would start a server, and its folder may be hidden from others. */
function copyScripts() {
  const folder = newFolder('galera')
  cpSync(join(unpack('galera', ['mariadb-server']), 'usr/bin'), folder, { recursive: true })
  return giveToNobody(folder)
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

/** MariaDB Galera: three nodes, each of which has all rows. */
import { openCluster } from '../../examples/cluster.js'
import type { Db } from '../support/databases.js'
import { startGalera } from '../support/galera.mjs'
import { createMysqlDatabase, openMysql, versionOf } from './connect.js'
import { fill } from './data.js'
import type { Engine } from './engine.js'

export const galera: Engine = {
  name: 'galera',
  leaving: 'stops',
  async start(scope, plain) {
    const { nodes, stop } = await startGalera()
    scope.teardown(stop)
    await createMysqlDatabase(String(nodes[0]?.url))
    const urls = nodes.map(({ url }) => `${url}/lists`)
    const servers = urls.map((url) => openMysql(scope, url))
    const [first] = servers as [Db]
    await fill(first, 'mysql', plain.data)
    // The other nodes have a confirmed write a little later.
    const db: Db = openCluster(urls.map((uri) => ({ uri, connectionLimit: 4, connectTimeout: 1_000 })))
    scope.teardown(() => db.destroy())
    const dying = nodes[2]
    if (!dying) throw new Error('The cluster has too few nodes.')
    return {
      title: `MariaDB Galera ${await versionOf(first)}, 3 nodes`,
      db,
      plain: (await plain.mariadb()).db,
      servers,
      node: { name: 'a node', die: () => dying.end('SIGKILL'), comeBack: dying.start, othersAnswer: true }
    }
  }
}

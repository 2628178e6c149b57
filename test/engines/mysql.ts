/** MySQL with partitions and with a replica, and MariaDB Galera. */
import { sql } from 'kysely'
import { createTables } from '../support/fixtures/world.js'
import { execute } from '../support/oracle/check.js'
import { startMysql } from '../support/servers/mysql.mjs'
import { controlled, startCluster, startMysqlServer } from '../support/servers/servers.js'
import { createSlowPayments, fill, writeRows } from './data.js'
import type { Engine } from './engine.js'
import { openMysql, versionOf } from './plain.js'

/** Each unique key of a partitioned table has the column of the partitions, which cannot be null in a primary key. */
const statements = [
  'alter table users partition by hash (user_id) partitions 8',
  'alter table memberships partition by hash (user_id) partitions 8',
  'alter table links partition by hash (owner_id) partitions 8',
  'alter table assessments drop primary key, add primary key (assessment_id, user_id)',
  'alter table assessments partition by hash (user_id) partitions 8',
  'alter table payments drop key payment_intent, add key payment_intent (payment_intent)',
  'alter table payments partition by hash (payment_id) partitions 8'
]

export const partitions: Engine = {
  name: 'partitions',
  leaving: 'stops',
  async start(scope, plain) {
    const { url, db: server } = await plain.mysql()
    await sql`create database partitioned`.execute(server)
    const db = openMysql(scope, new URL('partitioned', url).href)
    await createTables(db)
    await execute(db, ...statements)
    await createSlowPayments(db, 'mysql')
    await writeRows(db, 'mysql', plain.data)
    return { title: `MySQL ${await versionOf(db)}, tables of 8 hash partitions`, db, plain: server, servers: [server] }
  }
}

const settings = ['--log-bin=binlog', '--gtid-mode=on', '--enforce-gtid-consistency=on']

const follow = ({ hostname, port }: URL) => `change replication source to
  source_host = '${hostname}', source_port = ${port}, source_user = 'root', source_auto_position = 1,
  source_ssl = 0, get_source_public_key = 1`

/** The lists read on the replica of a primary. */
export const replica: Engine = {
  name: 'replica',
  leaving: 'stops',
  async start(scope, plain) {
    const following = startMysql([...settings, '--server-id=2', '--super-read-only=on'])
    const { server, control } = await controlled(scope, following, (url) => openMysql(scope, `${url}/mysql`))
    const primary = await startMysqlServer(scope, startMysql([...settings, '--server-id=1']))
    await sql.raw(follow(new URL(primary.url))).execute(control)
    await sql`start replica`.execute(control)
    const source = openMysql(scope, primary.url)
    await fill(source, 'mysql', plain.data)
    const { rows } = await sql<{ written: string }>`select @@global.gtid_executed as written`.execute(source)
    await sql`select wait_for_executed_gtid_set(${rows[0]?.written}, 600)`.execute(control)

    const db = openMysql(scope, `${server.url}/lists`)
    return {
      title: `MySQL ${await versionOf(db)}, a replica`,
      db,
      plain: source,
      servers: [source, db],
      node: { name: 'the replica', die: () => server.end('SIGKILL'), comeBack: server.start, othersAnswer: false }
    }
  }
}

/** Three nodes, each of which has all rows. */
export const galera: Engine = {
  name: 'galera',
  leaving: 'stops',
  async start(scope, plain) {
    const { db, nodes } = await startCluster(scope)
    const [first, , dying] = nodes
    // The other nodes have a confirmed write a little later.
    await fill(first.db, 'mysql', plain.data)
    return {
      title: `MariaDB Galera ${await versionOf(db)}, 3 nodes`,
      db,
      plain: (await plain.mariadb()).db,
      servers: nodes.map(({ db }) => db),
      node: { name: 'a node', die: () => dying.end('SIGKILL'), comeBack: dying.start, othersAnswer: true }
    }
  }
}

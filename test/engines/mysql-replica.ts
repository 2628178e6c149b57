/** A MySQL primary with a replica, on which the lists read. */
import { sql } from 'kysely'
import { startMysql } from '../support/mysql.mjs'
import { createMysqlDatabase, openMysql, versionOf } from './connect.js'
import { fill } from './data.js'
import type { Engine } from './engine.js'

const settings = ['--log-bin=binlog', '--gtid-mode=on', '--enforce-gtid-consistency=on']

const follow = ({ hostname, port }: URL) => `change replication source to
  source_host = '${hostname}', source_port = ${port}, source_user = 'root', source_auto_position = 1,
  source_ssl = 0, get_source_public_key = 1`

export const mysqlReplica: Engine = {
  name: 'replica',
  leaving: 'stops',
  async start(scope, plain) {
    const start = async (...own: string[]) => {
      const server = await startMysql([...settings, ...own])
      scope.teardown(server.stop)
      return server
    }
    const [primary, replica] = [await start('--server-id=1'), await start('--server-id=2', '--super-read-only=on')]

    const control = openMysql(scope, `${replica.url}/mysql`)
    await sql.raw(follow(new URL(primary.url))).execute(control)
    await sql`start replica`.execute(control)
    const source = openMysql(scope, await createMysqlDatabase(primary.url))
    await fill(source, 'mysql', plain.data)
    const { rows } = await sql<{ written: string }>`select @@global.gtid_executed as written`.execute(source)
    await sql`select wait_for_executed_gtid_set(${rows[0]?.written}, 600)`.execute(control)

    const db = openMysql(scope, `${replica.url}/lists`)
    return {
      title: `MySQL ${await versionOf(db)}, a replica`,
      db,
      plain: source,
      servers: [source, db],
      node: { name: 'the replica', die: () => replica.end('SIGKILL'), comeBack: replica.start, othersAnswer: false }
    }
  }
}

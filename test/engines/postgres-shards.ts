/** PostgreSQL with tables that are partitioned over three servers, which postgres_fdw reads: right, and slower. */

import { createTables } from '../support/fixtures/world.js'
import { execute } from '../support/oracle/check.js'
import type { Db } from '../support/servers/databases.js'
import { startDebianPostgres } from '../support/servers/postgres.mjs'
import { createSlowPayments, slowPayments, writeRows } from './data.js'
import type { Engine } from './engine.js'
import { openPostgres, versionOf } from './plain.js'

/** All rows of a user are on one shard. */
const tables = ['users', 'memberships', 'links', 'assessments', 'payments']

/** @param remainder of the hash of the rows on this shard */
async function addShard(db: Db, shards: number, remainder: number, { hostname, port }: URL): Promise<void> {
  const shard = `shard_${remainder}`
  await execute(
    db,
    `create server ${shard} foreign data wrapper postgres_fdw
      options (host '${hostname}', port '${port}', dbname 'postgres', fetch_size '1000', batch_size '1000')`,
    `create user mapping for current_user server ${shard} options (user 'postgres')`,
    `create schema ${shard}`,
    `import foreign schema public from server ${shard} into ${shard}`
  )
  for (const table of tables) {
    if (remainder === 0) await execute(db, `create table ${table} (like ${shard}.${table}) partition by hash (user_id)`)
    const values = `with (modulus ${shards}, remainder ${remainder})`
    await execute(db, `alter table ${table} attach partition ${shard}.${table} for values ${values}`)
  }
}

export const postgresShards: Engine = {
  name: 'shards',
  leaving: 'stops',
  async start(scope, plain) {
    const start = async () => {
      const server = await startDebianPostgres()
      scope.teardown(server.stop)
      return { ...server, db: openPostgres(scope, server.url) }
    }
    const shards = [await start(), await start(), await start()] as const
    for (const { db } of shards) {
      await createTables(db)
      await createSlowPayments(db, 'postgres')
    }
    const { db } = await start()
    await execute(db, 'create extension postgres_fdw')
    for (const [index, { url }] of shards.entries()) await addShard(db, shards.length, index, new URL(url))
    await execute(db, `create view ${slowPayments} as select * from shard_0.${slowPayments}`)
    await writeRows(db, 'postgres', plain.data)
    for (const { db } of shards) await execute(db, 'analyze')

    const [, dying] = shards
    return {
      title: `PostgreSQL ${await versionOf(db)}, tables partitioned over 3 servers with postgres_fdw`,
      db,
      plain: (await plain.postgres()).db,
      servers: [db, ...shards.map(({ db }) => db)],
      node: { name: 'a shard', die: () => dying.end('SIGKILL'), comeBack: dying.start, othersAnswer: false }
    }
  }
}

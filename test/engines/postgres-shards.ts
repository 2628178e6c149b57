/** PostgreSQL with tables that are partitioned over three servers, which postgres_fdw reads. */
import { sql } from 'kysely'
import type { Db } from '../support/databases.js'
import { startDebianPostgres } from '../support/postgres.mjs'
import type { PrivateServer } from '../support/private-server.mjs'
import { createTables } from '../support/world.js'
import { openPostgres, versionOf } from './connect.js'
import { createSlowPayments, slowPayments, writeRows } from './data.js'
import type { Engine } from './engine.js'

/** All rows of a user are on one shard, so that a shard can join them. */
const tables = ['users', 'memberships', 'links', 'assessments', 'payments']

/** Joins and counts run on the shards where the partitions allow it. The JIT compiler takes longer than a page. */
const settings = ['enable_partitionwise_join=on', 'enable_partitionwise_aggregate=on', 'jit=off']

/** A shard otherwise expects that the coordinator reads a tenth of its rows, and scans all records in the list's order. */
const planning = '-c cursor_tuple_fraction=1 -c random_page_cost=1.1'

const run = async (db: Db, ...statements: string[]) => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** @param remainder of the hash of the rows on this shard */
async function addShard(db: Db, shards: number, remainder: number, { hostname, port }: URL): Promise<void> {
  const shard = `shard_${remainder}`
  await run(
    db,
    // With `use_remote_estimate`, each statement asks every shard for plans, which takes longer than most pages.
    `create server ${shard} foreign data wrapper postgres_fdw options (
      host '${hostname}', port '${port}', dbname 'postgres', options '${planning}',
      async_capable 'true', fetch_size '1000', batch_size '1000')`,
    `create user mapping for current_user server ${shard} options (user 'postgres')`,
    `create schema ${shard}`,
    `import foreign schema public from server ${shard} into ${shard}`
  )
  for (const table of tables) {
    if (remainder === 0) await run(db, `create table ${table} (like ${shard}.${table}) partition by hash (user_id)`)
    await run(
      db,
      `alter table ${table} attach partition ${shard}.${table} for values with (modulus ${shards}, remainder ${remainder})`
    )
  }
}

export const postgresShards: Engine = {
  name: 'shards',
  leaving: 'stops',
  async start(scope, plain) {
    const start = async (settings?: string[]): Promise<PrivateServer> => {
      const server = await startDebianPostgres(settings)
      scope.teardown(server.stop)
      return server
    }
    const shards = [await start(), await start(), await start()] as const
    const databases = shards.map(({ url }) => openPostgres(scope, url))
    for (const db of databases) {
      await createTables(db)
      await createSlowPayments(db, 'postgres')
    }
    const db = openPostgres(scope, (await start(settings)).url)
    await run(db, 'create extension postgres_fdw')
    for (const [index, { url }] of shards.entries()) await addShard(db, shards.length, index, new URL(url))
    await run(db, `create view ${slowPayments} as select * from shard_0.${slowPayments}`)
    await writeRows(db, 'postgres', plain.data)
    for (const shard of databases) await run(shard, 'analyze')

    const [, dying] = shards
    return {
      title: `PostgreSQL ${await versionOf(db)}, tables partitioned over 3 servers with postgres_fdw`,
      db,
      plain: (await plain.postgres()).db,
      servers: [db, ...databases],
      node: { name: 'a shard', die: () => dying.end('SIGKILL'), comeBack: dying.start, othersAnswer: false }
    }
  }
}

/** MySQL with tables of eight hash partitions. */
import { sql } from 'kysely'
import { createTables } from '../support/world.js'
import { createMysqlDatabase, openMysql, versionOf } from './connect.js'
import { createSlowPayments, writeRows } from './data.js'
import type { Engine } from './engine.js'

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

export const mysqlPartitions: Engine = {
  name: 'partitions',
  leaving: 'stops',
  async start(scope, plain) {
    const { url, db: server } = await plain.mysql()
    const db = openMysql(scope, await createMysqlDatabase(url, 'partitioned'))
    await createTables(db)
    for (const statement of statements) await sql.raw(statement).execute(db)
    await createSlowPayments(db, 'mysql')
    await writeRows(db, 'mysql', plain.data)
    return {
      title: `MySQL ${await versionOf(db)}, tables of 8 hash partitions`,
      db,
      plain: server,
      servers: [server]
    }
  }
}

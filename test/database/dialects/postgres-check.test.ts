import t from 'tap'
import { execute, finds } from '../../support/oracle/check.js'
import { openTables } from '../../support/servers/tables.js'

t.test('a materialized view of PostgreSQL has indexes', async (t) => {
  const db = await openTables(t, 'postgres')
  await execute(db, 'create materialized view seen as select * from links')
  await finds(t, db, [/create index "seen_owner_id_user_id" on "seen"/], { links: 'seen' })
})

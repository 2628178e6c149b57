/** Tables of another PostgreSQL server. No statement is written for them, and every caller sees the same pages. */
import { sql } from 'kysely'
import t from 'tap'
import { execute } from '../support/check.js'
import { databases } from '../support/databases.js'
import { expected } from '../support/oracle.js'
import { serve, shown } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { callers } from '../support/world.js'

t.test('foreign tables give every caller the same pages', { skip: !databases.includes('postgres') }, async (t) => {
  const db = await openWorld(t, 'postgres')
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const { hostname, port, username } = new URL(String(process.env.TEST_POSTGRES_URL))
  const tables = ['users', 'memberships', 'links', 'assessments', 'payments']
  await execute(
    db,
    'create schema far',
    ...tables.map((table) => `alter table ${table} set schema far`),
    'create extension postgres_fdw',
    `create server shard foreign data wrapper postgres_fdw
      options (host '${hostname}', port '${port}', dbname '${rows[0]?.name}')`,
    `create user mapping for ${username} server shard options (user '${username}', password 'unused')`,
    'import foreign schema far from server shard into public'
  )
  const { get } = await serve(t, { db, timeout: 60_000 })
  for (const caller of callers) {
    for (const list of ['/assessment/list', '/payment/list']) {
      for (const query of ['search=', 'search=e&limit=2', 'search=e&page=2&limit=2', 'search=&page=3&limit=4']) {
        const url = `${list}?${query}`
        t.strictSame(shown(await get(url, caller)), expected(url, caller), `${caller.role} ${url}`)
      }
    }
  }
})

import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import t from 'tap'
import { listingMigrations } from '../../src/index.js'
import { createTables } from '../support/fixtures/world.js'
import { serve } from '../support/hosts/server.js'
import { onDatabases, openDatabase } from '../support/servers/databases.js'

onDatabases(t, 'the default tables', async (t, name) => {
  const db = await openDatabase(t, name)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => listingMigrations } })
  const { error, results } = await migrator.migrateToLatest()
  t.notOk(error)
  t.equal(results?.length, Object.keys(listingMigrations).length)
  const { get } = await serve(t, { db, checkOnReady: 'error' })
  t.match((await get('/assessment/list?search=', { userId: 1, role: 'Admin' })).body, { total: 0, assessments: [] })
  t.match((await get('/payment/list', { userId: 1, role: 'Admin' })).body, { total: 0, data: [] })

  const user = { first_name: 'A', last_name: 'B', email: 'c', avatar_url: null }
  await db.insertInto('users').values(user).execute()
  t.equal(
    Number((await db.selectFrom('users').select('user_id').executeTakeFirstOrThrow()).user_id),
    1,
    'the database generates the id'
  )

  const down = await migrator.migrateDown()
  t.notOk(down.error)
  const left = (await db.introspection.getTables()).map(({ name }) => name)
  t.strictSame(left, [])
})

t.test('the default tables have the indexes of docs/tables.md', async (t) => {
  const statements: string[] = []
  const db = await openDatabase(t, 'sqlite', { onQuery: ({ sql }) => statements.push(sql) })
  await createTables(db)
  const created = statements.flatMap((statement) => {
    const [, table, columns = ''] = /^create index "\w+" on "(\w+)" \((.*)\)$/.exec(statement) ?? []
    return table ? [`${table} (${columns.replaceAll('"', '')})`] : []
  })
  const page = readFileSync('docs/tables.md', 'utf8')
  const wanted = [...page.matchAll(/^\| `((?:assessments|payments) \(.*, .*\))` \|/gm)].map(([, index]) => index)
  t.equal(wanted.length, 8)
  t.strictSame(created, wanted)
})

t.test('the default tables store names in every script, with every character set of the database', async (t) => {
  const db = await openDatabase(t, 'mysql')
  const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
  await sql`alter database ${sql.id(String(rows[0]?.name))} character set latin1`.execute(db)
  await createTables(db)
  const user = { first_name: '日本', last_name: '😀', email: 'c', avatar_url: null }
  await db.insertInto('users').values(user).execute()
  t.match(await db.selectFrom('users').selectAll().execute(), [user])
})

onDatabases(t, 'the organizations of a user may have names that differ in case or accents only', async (t, name) => {
  const db = await openDatabase(t, name)
  await createTables(db)
  const memberships = ['Acme', 'ACME', 'Acmé'].map((org_name) => ({ user_id: 1, org_name }))
  await db.insertInto('memberships').values(memberships).execute()
  t.equal((await db.selectFrom('memberships').selectAll().execute()).length, 3)
})

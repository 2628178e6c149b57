import { CompiledQuery, sql } from 'kysely'
import t, { type Test } from 'tap'
import type { ListingTables } from '../../src/index.js'
import { execute, findings } from '../support/check.js'
import type { Db } from '../support/databases.js'
import { serve } from '../support/server.js'
import { openTables } from '../support/tables.js'
import { admin } from '../support/world.js'

const extension = 'create extension if not exists pg_trgm'
const index = `${extension}; create index "users_search" on "users" using gin ("first_name" gin_trgm_ops, "last_name" gin_trgm_ops, "email" gin_trgm_ops);`

const pretendMany = "update pg_class set reltuples = 60000 where oid = 'users'::regclass"

/** A database whose statistics say that there are many users. */
async function openMany(t: Test): Promise<Db> {
  const db = await openTables(t, 'postgres')
  await execute(db, pretendMany)
  return db
}

const suggested = async (db: Db, tables?: ListingTables) =>
  (await findings(db, tables)).filter((text) => text.includes('trgm'))

t.test('the statement of the check creates an index for each searched column that has none', async (t) => {
  const db = await openMany(t)
  t.strictSame(await suggested(db), [`warning indexes: ${index}`])
  await execute(db, extension, 'create index emails on users using gist (email gist_trgm_ops)', pretendMany)
  const others = `${extension}; create index "users_search" on "users" using gin ("first_name" gin_trgm_ops, "last_name" gin_trgm_ops);`
  t.strictSame(await suggested(db), [`warning indexes: ${others}`])
  await execute(db, others, pretendMany)
  t.strictSame(await suggested(db), [])
})

t.test('a table in another schema keeps the name of the schema', async (t) => {
  const db = await openMany(t)
  await execute(db, 'create schema crm', 'alter table users set schema crm')
  const others = ['practitioners', 'memberships', 'links', 'assessments', 'payments']
  const tables = Object.fromEntries(others.map((name) => [name, `public.${name}`]))
  t.match(await suggested(db.withSchema('crm') as Db, tables), [/ on "crm"\."users" using gin /])
})

t.test('nothing is suggested where the index does not help', async (t) => {
  const db = await openTables(t, 'postgres')
  t.strictSame(await suggested(db), [], 'few users')
  await execute(db, pretendMany)
  const lower = sql<string>`lower(email)`.as('email')
  const computed = db.selectFrom('users').select(['user_id', 'first_name', 'last_name', 'avatar_url', lower])
  t.strictSame(await suggested(db, { users: computed as never }), [], 'a computed column')
  await execute(db, 'alter table users alter email type varchar(254) collate "C"', pretendMany)
  t.strictSame(await suggested(db), [], 'a collation of its own')
})

t.test('an engine that lacks a part of the catalog gets no suggestion and no error, and is told', async (t) => {
  const before = ({ sql }: CompiledQuery) => {
    if (sql.includes('gin_trgm_ops'))
      throw Object.assign(new Error('relation "pg_opclass" does not exist'), { code: '42P01' })
  }
  const db = await openTables(t, 'postgres', { before })
  t.strictSame(await findings(db), [
    'info unchecked: Not checked, because the database refuses the statement: the trigram index of the users.'
  ])
})

t.test('a search of three letters reads the index', async (t) => {
  const sent: CompiledQuery[] = []
  const db = await openTables(t, 'postgres', { onQuery: (query) => sent.push(query) })
  await execute(
    db,
    `insert into users (email, first_name, last_name)
      select md5(n::text) || '@example.org', md5(n::text || 'f'), md5(n::text || 'l') from generate_series(1, 9000) as n`,
    `insert into assessments (licence, assessment_type, user_id, status, created_at)
      select 'L', 'T', user_id, 'pending', '2024-01-01' from users`,
    index,
    'vacuum analyze users'
  )
  const { get } = await serve(t, { db })
  t.equal((await get('/assessment/list?search=abc', admin)).status, 200)
  const { sql, parameters } = sent.find(({ sql }) => sql.includes("escape '!'")) as CompiledQuery
  const { rows } = await db.executeQuery(CompiledQuery.raw(`explain (costs off) ${sql}`, [...parameters]))
  t.match(JSON.stringify(rows), /Bitmap Index Scan on users_search/)
})

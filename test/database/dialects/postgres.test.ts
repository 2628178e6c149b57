import { sql } from 'kysely'
import type { PoolConfig } from 'pg'
import t from 'tap'
import { columnsOf } from '../../support/fixtures/columns.js'
import { admin, fill, practitioner } from '../../support/fixtures/world.js'
import { idsOf, serve, shown } from '../../support/hosts/server.js'
import { expected } from '../../support/oracle/oracle.js'
import { type Db, postgresPool } from '../../support/servers/databases.js'
import { openPostgres } from '../../support/servers/pools.js'
import { openWorld } from '../../support/servers/tables.js'

t.test('the same cells give the same bytes with every session setting and column type of PostgreSQL', async (t) => {
  const pool = await postgresPool(t)
  const open = (settings: PoolConfig) => openPostgres(t, { ...pool, ...settings })
  const plain = open({})
  await fill(plain)
  await plain.updateTable('users').set({ last_name: 'Łukasz 日本 😀' }).where('user_id', '=', 1).execute()
  const urls = ['/assessment/list?search=', '/payment/list?processor_status=complete', '/payment/list?search=pi_1']
  const answers = async (db: Db) => {
    const { get } = await serve(t, { db })
    return Promise.all(urls.map(async (url) => (await get(url, admin)).text))
  }
  const expected = await answers(plain)
  t.match(expected[0], /"date_assignment":"2024-03-01T09:30:00Z"/)
  t.match(expected[1], /"total":10/)

  const sessions = [
    '-c TimeZone=Asia/Tokyo -c DateStyle=German -c IntervalStyle=sql_standard -c standard_conforming_strings=off ' +
      '-c bytea_output=escape -c transform_null_equals=on -c quote_all_identifiers=on',
    // pg overrides the encoding with UTF8.
    '-c TimeZone=America/New_York -c DateStyle=SQL,DMY -c extra_float_digits=0 -c client_encoding=LATIN1 ' +
      '-c default_transaction_read_only=on -c default_transaction_isolation=serializable'
  ].map((options): PoolConfig => ({ options }))
  const drivers = [{ types: { getTypeParser: () => (text: string) => text } as never }, { binary: true } as PoolConfig]
  for (const setting of [...sessions, ...drivers]) {
    t.strictSame(await answers(open(setting)), expected, JSON.stringify(setting))
  }
  const numbers = { types: { getTypeParser: () => Number } as never }
  const { get } = await serve(t, { db: open(numbers) })
  t.equal((await get('/payment/list', admin)).status, 500, 'text that the driver converts to a number is a 500')

  // A session may print floats with fewer digits.
  await sql`alter table payments alter amount type double precision`.execute(plain)
  await sql`update payments set amount = amount + 1234.56`.execute(plain)
  const floats = await answers(plain)
  t.match(floats[1], /"amount":12\d\d\.\d6/)
  for (const digits of [-15, 3]) {
    t.strictSame(await answers(open({ options: `-c extra_float_digits=${digits}` })), floats, `${digits} more digits`)
  }
  await sql`update payments set amount = amount - 1234.56`.execute(plain)
  await sql`alter table payments alter amount type numeric(10, 2)`.execute(plain)

  // Columns of type timestamptz, and an enum column that accepts no other text.
  await sql`alter table assessments alter date_assignment type timestamptz using date_assignment at time zone 'UTC'`.execute(
    plain
  )
  // The offset of an old local time has seconds. The local time of the last instant is in another year.
  await sql`update assessments set date_assignment = '1900-01-01 00:00:00Z' where assessment_id = 1`.execute(plain)
  await sql`update assessments set date_assignment = '9999-12-31 23:59:59Z' where assessment_id = 2`.execute(plain)
  for (const zone of ['Europe/Amsterdam', 'Africa/Monrovia']) {
    const { get } = await serve(t, { db: open({ options: `-c TimeZone=${zone}` }) })
    const { body } = await get('/assessment/list?search=ada&limit=100', admin)
    const dates = new Map(body.assessments?.map((item) => [item.assessment_id, item.date_assignment]))
    t.match([dates.get('1'), dates.get('2')], ['1900-01-01T00:00:00Z', '9999-12-31T23:59:59Z'], zone)
  }
  await sql`update assessments set date_assignment = '2024-03-01 09:30:00Z'`.execute(plain)
  await sql`create type state as enum ('succeeded', 'pending', 'complete')`.execute(plain)
  await sql`alter table payments alter processor_status type state using processor_status::state`.execute(plain)
  for (const setting of sessions) t.strictSame(await answers(open(setting)), expected, JSON.stringify(setting))
  const { get: ask } = await serve(t, { db: plain })
  t.match((await ask('/payment/list?processor_status=zzz', admin)).body, { status: 'success', total: 0 })
  t.match((await ask('/payment/list?processor_status=zzz', { userId: 'abc', role: 'none' })).body, { total: 0 })
})

t.test('UUIDs as ids on PostgreSQL', async (t) => {
  const db = await openWorld(t, 'postgres')
  const uuid = (id: string) => sql<string>`('00000000-0000-0000-0000-' || lpad(${sql.ref(id)}::text, 12, '0'))::uuid`
  const { get } = await serve(t, {
    db,
    tables: {
      users: db
        .selectFrom('users')
        .select(['first_name', 'last_name', 'email', 'avatar_url', uuid('user_id').as('user_id')]) as never,
      links: db.selectFrom('links').select([uuid('owner_id').as('owner_id'), uuid('user_id').as('user_id')]),
      memberships: db.selectFrom('memberships').select(['org_name', uuid('user_id').as('user_id')]) as never,
      assessments: db
        .selectFrom('assessments')
        .select(columnsOf.assessments.filter((column) => !/user_id|practitioner_id/.test(column)))
        .select([uuid('user_id').as('user_id'), uuid('practitioner_id').as('practitioner_id')]) as never
    }
  })
  const userId = '00000000-0000-0000-0000-000000000010'
  const url = '/assessment/list?search=a&limit=100'
  const answer = await get(url, { userId, role: 'Practitioner' })
  t.strictSame(idsOf(shown(answer)), idsOf(expected(url, practitioner)))
  for (const other of ['10', userId.replace('1', 'x'), userId.toUpperCase().replaceAll('-', '')]) {
    t.match((await get('/assessment/list?search=', { userId: other, role: 'Practitioner' })).body, { total: 0 }, other)
  }
})

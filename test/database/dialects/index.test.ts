import { sql } from 'kysely'
import type { PoolOptions } from 'mysql2'
import type { PoolConfig } from 'pg'
import t from 'tap'
import type { Dialect } from '../../../src/database/dialect.js'
import { dialectOf } from '../../../src/database/dialects/index.js'
import { mysql } from '../../../src/database/dialects/mysql.js'
import { postgres } from '../../../src/database/dialects/postgres.js'
import { sqlite } from '../../../src/database/dialects/sqlite.js'
import { parameterOf } from '../../../src/database/parameter.js'
import { columnsOf } from '../../support/columns.js'
import { type Db, databases, dateTime, openDatabase, postgresPool } from '../../support/databases.js'
import { expected } from '../../support/oracle.js'
import { openPostgres } from '../../support/pools.js'
import { idsOf, serve, shown } from '../../support/server.js'
import { withoutDatabase } from '../../support/session.js'
import { openWorld } from '../../support/tables.js'
import { admin, fill, practitioner } from '../../support/world.js'

const dialects = { mysql, postgres, sqlite }
const column = sql.ref('c')

t.test('the SQL of each database', async (t) => {
  const expressions = (dialect: Dialect) => [
    dialect.text(column),
    dialect.bytes(column),
    sql`select ${dialect.sample('é 🙂\\')}, ${dialect.sample(null)}`,
    dialect.contains(column, parameterOf('%50!%%')),
    dialect.same(column, parameterOf('é')),
    dialect.same(column, parameterOf('12')),
    dialect.fromKey(sql.ref('t'), column, { time: parameterOf('2024-03-01 09:30:00'), id: parameterOf('é') }, 'desc')
  ]
  /** Each expression, and its parameters. Those in brackets are bytes. */
  const expected = {
    mysql: [
      'concat(convert(`c` using utf8mb4))',
      'cast(convert(`c` using utf8mb4) as binary)',
      "select _utf8mb4 X'c3a920f09f99825c', null",
      "`c` like _utf8mb4 ? escape '!' <- [%50!%%]",
      '(`c` = _utf8mb4 ? and cast(convert(`c` using utf8mb4) as binary) = ?) <- [é] [é]',
      '(`c` = ? and cast(convert(`c` using utf8mb4) as binary) = ?) <- 12 [12]',
      '(`t` < ? or (`t` = ? and `c` <= _utf8mb4 ?)) <- 2024-03-01 09:30:00 2024-03-01 09:30:00 [é]'
    ],
    postgres: [
      'cast("c" as text)',
      'cast("c" as text) collate "C"',
      "select ('' || chr(233) || ' ' || chr(128578) || '' || chr(92) || ''::text), null::text",
      'cast("c" as text) ilike $1 escape \'!\' <- %50!%%',
      '("c" = $1 and coalesce(cast("c" as text) collate "C" = $2, false)) <- é é',
      '("c" = $1 and coalesce(cast("c" as text) collate "C" = $2, false)) <- 12 12',
      '("t", "c") <= ($1, $2) <- 2024-03-01 09:30:00 é'
    ],
    sqlite: [
      'cast("c" as text)',
      'cast("c" as text) collate binary',
      "select 'é 🙂\\', null",
      'cast("c" as text) like ? escape \'!\' <- %50!%%',
      '("c" = ? and cast("c" as text) collate binary = ?) <- é é',
      '("c" in (?, cast(? as numeric)) and cast("c" as text) collate binary = ?) <- 12 12 12',
      '("t", "c") <= (?, ?) <- 2024-03-01 09:30:00 é'
    ]
  }
  const shown = (parameter: unknown) => (Buffer.isBuffer(parameter) ? `[${parameter}]` : String(parameter))
  for (const name of ['mysql', 'postgres', 'sqlite'] as const) {
    const db = withoutDatabase(name)
    const dialect = dialectOf(db)
    t.equal(dialect, dialects[name])
    const compiled = expressions(dialect).map((expression) => {
      const { sql, parameters } = expression.compile(db)
      return parameters.length > 0 ? `${sql} <- ${parameters.map(shown).join(' ')}` : sql
    })
    t.strictSame(compiled, expected[name])
  }
  const db = await openDatabase(t, 'mysql')
  t.equal(dialectOf(db), mysql)
  t.equal(
    mysql.within({ sql: '\n select 1', parameters: [] }, 1500),
    "/*M!100100 set statement time_zone='+00:00', max_sort_length=1024, max_statement_time=least(1.5, coalesce(nullif(@@max_statement_time, 0), 1.5)) for */ " +
      "select /*+ SET_VAR(time_zone='+00:00') SET_VAR(max_sort_length=1024) MAX_EXECUTION_TIME(1500) */ 1"
  )
  t.equal(
    mysql.within({ sql: 'select ?', parameters: [Buffer.from("O'Brien")] }, 20),
    "/*M!100100 set statement time_zone='+00:00', max_sort_length=1024, */ /*M!100301 optimizer_switch='split_materialized=off', */ " +
      "/*M!100100 max_statement_time=least(0.02, coalesce(nullif(@@max_statement_time, 0), 0.02)) for */ select /*+ SET_VAR(time_zone='+00:00') SET_VAR(max_sort_length=1024) " +
      "SET_VAR(optimizer_switch='derived_condition_pushdown=off') MAX_EXECUTION_TIME(20) */ ?"
  )
  const { rows } = await sql
    .raw(mysql.within({ sql: 'select @@optimizer_switch as flags', parameters: [Buffer.from("'")] }, 20))
    .execute(db)
  t.match(rows, [{ flags: /split_materialized=off|derived_condition_pushdown=off/ }])
  const sqlite = dialectOf(withoutDatabase('sqlite'))
  t.equal(sqlite.within({ sql: 'select 1', parameters: [] }, 1500), 'select 1')
})

t.test('SQLite compares a time with the days around it, which use the index, and with the instant', async (t) => {
  const db = withoutDatabase('sqlite')
  const days = (operator: '<' | '>=', time: string) =>
    dialectOf(db).compareTime(column, operator, parameterOf(time)).compile(db).parameters
  const [last, first] = ['9999-12-31 23:59:59.999', '2024-03-01 09:30:00.000']
  t.strictSame(days('>=', first), ['2024-02-29', first])
  t.strictSame(days('<', first), ['2024-03-03', first])
  t.strictSame(days('<', last), [':', last], 'after every year')
})

for (const name of databases) {
  t.test(`what follows a key on ${name} has the record of the key, and those with equal ids`, async (t) => {
    const db = await openDatabase(t, name)
    const { fromKey } = dialectOf(db)
    const id = `id varchar(9)${name === 'sqlite' ? ' collate nocase' : ''}`
    await sql.raw(`create table keys_of (made_at ${dateTime(name)}, ${id})`).execute(db)
    // PostgreSQL compares texts exactly.
    const equal = name === 'postgres' ? ['a'] : ['a', 'A']
    const rows = { '2024-03-01': ['b'], '2024-03-02': [...equal, 'c'], '2024-03-03': ['d'] }
    const values = Object.entries(rows).flatMap(([day, ids]) => ids.map((id) => ({ made_at: `${day} 09:30:00`, id })))
    await db.insertInto('keys_of').values(values).execute()
    const key = { time: parameterOf('2024-03-02 09:30:00'), id: parameterOf('a') }
    for (const [direction, others] of [
      ['desc', ['b']],
      ['asc', ['c', 'd']]
    ] as const) {
      const isFound = fromKey(sql.ref('made_at'), sql.ref('id'), key, direction)
      const { rows } = await sql<{ id: string }>`select id from keys_of where ${isFound}`.execute(db)
      t.strictSame(new Set(rows.map(({ id }) => id)), new Set([...equal, ...others]), direction)
    }
  })
}

t.test('SQLite finds a time with any zone in a range, and cuts its fraction, but does not round it', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const { compareTime } = dialectOf(db)
  await sql`create table times (c text)`.execute(db)
  const is = async (text: string, operator: '<' | '>=', time: string) => {
    await sql`delete from times`.execute(db)
    await sql`insert into times values (${text})`.execute(db)
    return (
      (await sql`select 1 from times where ${compareTime(column, operator, parameterOf(time))}`.execute(db)).rows
        .length > 0
    )
  }
  for (const [text, instant] of [
    ['2024-03-01 09:30:44.1236', '2024-03-01 09:30:44.123'],
    ['2024-03-01 09:30:29.999612', '2024-03-01 09:30:29.999'],
    ['2024-03-01T09:30:29.9996Z', '2024-03-01 09:30:29.999'],
    ['2024-03-01 09:30:44', '2024-03-01 09:30:44.000'],
    ['2024-03-01 09:30:44.5', '2024-03-01 09:30:44.500'],
    ['2024-03-01T09:30:44.123456+02:00', '2024-03-01 07:30:44.123'],
    ['2024-03-01T09:30:44.1234-0330', '2024-03-01 13:00:44.123'],
    ['2024-03-01 09:30:44+02', '2024-03-01 07:30:44.000'],
    ['2024-03-01 09:30', '2024-03-01 09:30:00.000'],
    ['2024-03-01 09:30+02:00', '2024-03-01 07:30:00.000'],
    ['2024-03-01 09:30+0230', '2024-03-01 07:00:00.000'],
    ['2024-03-01 09:30 +02:30', '2024-03-01 07:00:00.000'],
    ['2024-03-01 09:30-0530', '2024-03-01 15:00:00.000'],
    ['2024-03-01 09:30:44.Z', '2024-03-01 09:30:44.000'],
    ['2024-03-01', '2024-03-01 00:00:00.000'],
    ['2024-03-02T13:00:00+14:00', '2024-03-01 23:00:00.000'],
    ['2024-02-29T20:00:00-12:00', '2024-03-01 08:00:00.000']
  ] as const) {
    const next = new Date(Date.parse(`${instant.replace(' ', 'T')}Z`) + 1).toISOString().slice(0, -1).replace('T', ' ')
    t.ok(await is(text, '>=', instant), `${text} from ${instant}`)
    t.notOk(await is(text, '>=', next), `${text} from ${next}`)
    t.ok(await is(text, '<', next), `${text} to ${next}`)
    if (!/\.\d{3}\d/.test(text)) t.notOk(await is(text, '<', instant), `${text} to ${instant}`)
  }
})

t.test('text is read unchanged through a latin1 connection, with every typeCast of mysql2', async (t) => {
  const typeCasts: PoolOptions['typeCast'][] = [true, false, (field) => field.string(), (field) => field.buffer()]
  for (const typeCast of typeCasts) {
    const db = await openWorld(t, 'mysql', { pool: { charset: 'latin1_swedish_ci', typeCast: typeCast ?? true } })
    await sql`update users set first_name = convert(${Buffer.from('Łukasz 日本 😀')} using utf8mb4)`.execute(db)
    const { get } = await serve(t, { db })
    const { body } = await get('/assessment/list?search=ada', admin)
    t.match(body.assessments?.[0], { first_name: 'Łukasz 日本 😀', avatarUrl: 'https://cdn/1.png' }, String(typeCast))
    t.match((await get('/assessment/list?search=ben', admin)).body.assessments?.[0], { avatarUrl: null })
  }
})

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

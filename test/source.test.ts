import { CamelCasePlugin, Kysely, MssqlAdapter, MssqlQueryCompiler, MysqlDialect, sql } from 'kysely'
import { Kysely as Kysely28, MysqlDialect as MysqlDialect28 } from 'kysely-0.28'
import { createPool } from 'mysql2'
import t from 'tap'
import { columnsOf, type RelationName } from '../src/relations.js'
import { sourceOf, sourcesOf } from '../src/source.js'
import { execute, findings, openForReader } from './support/check.js'
import { type Db, databases, dateTime, mysqlPool, openDatabase } from './support/databases.js'
import { serve } from './support/server.js'
import { expectedAssessments, fill } from './support/world.js'

const admin = { userId: 20, role: 'Admin' }

interface Own {
  people: { id: number; given: string; family: string; mail: string; photo: string | null }
  teams: { id: number; name: string }
  team_people: { team: number; person: number }
  coaching: { coach: number; person: number }
  tests: {
    nr: string
    code: string
    kind: string
    person: number
    coach: number | null
    assigned: string
    done: string | null
    added: string
  }
}

for (const name of databases) {
  t.test(`relations on ${name}`, async (t) => {
    t.test('renamed and computed columns, joins and views', async (t) => {
      const db = (await openDatabase(t, name)) as unknown as Kysely<Own>
      const ddl = [
        'create table people (id bigint primary key, given varchar(50), family varchar(50), mail varchar(100), photo varchar(100))',
        'create table teams (id bigint primary key, name varchar(50))',
        'create table team_people (team bigint, person bigint)',
        'create table coaching (coach bigint, person bigint)',
        'create table tests (nr varchar(20) primary key, code varchar(20), kind varchar(20), person bigint, coach bigint, assigned datetime, done datetime, added datetime)'.replaceAll(
          'datetime',
          dateTime(name)
        ),
        "insert into people values (1, 'Ada', 'Lovelace', 'ada@x.org', null), (2, 'Bob', 'Coach', 'bob@x.org', 'b.png')",
        "insert into teams values (1, 'Red'), (2, 'Blue')",
        'insert into team_people values (1, 1), (2, 1)',
        'insert into coaching values (2, 1)',
        "insert into tests values ('A-1', 'c1', 'k', 1, 2, '2024-01-01 10:00:00', '2024-01-02 10:00:00', '2024-01-01 09:00:00'), ('A-2', 'c2', 'k', 1, null, '2024-01-01 10:00:00', null, '2024-01-01 09:00:00'), ('A-3', 'c3', 'k', 2, 2, '2024-01-01 10:00:00', null, '2024-01-03 09:00:00')",
        'create view coaches as select id as practitioner_id, given as first_name, family as last_name from people where id = 2'
      ]
      for (const statement of ddl) await sql.raw(statement).execute(db)

      const { get } = await serve(t, {
        db,
        relations: {
          users: db
            .selectFrom('people')
            .select([
              'id as user_id',
              'given as first_name',
              'family as last_name',
              'mail as email',
              'photo as avatar_url'
            ]),
          practitioners: 'coaches',
          memberships: db
            .selectFrom('team_people')
            .innerJoin('teams', 'teams.id', 'team_people.team')
            .select(['team_people.person as user_id', 'teams.name as org_name']),
          links: db.selectFrom('coaching').select(['coach as owner_id', 'person as user_id']),
          assessments: db
            .selectFrom('tests')
            .select([
              'nr as assessment_id',
              'code as licence',
              'kind as assessment_type',
              'person as user_id',
              'coach as practitioner_id',
              sql<string>`case when done is null then 'pending' else 'completed' end`.as('status'),
              'assigned as date_assignment',
              'done as date_conclusion',
              'added as created_at'
            ]),
          payments: db
            .selectFrom('tests')
            .select([
              'nr as payment_id',
              'person as user_id',
              sql<number>`1`.as('amount'),
              sql<number>`1`.as('quantity'),
              'code as payment_intent',
              'done as paid_at',
              'kind as payment_method',
              'kind as payment_status',
              'kind as processor_status',
              'added as created_at'
            ])
        }
      })
      const coach = { userId: 2, role: 'Practitioner' }
      const { body } = await get('/assessment/list?search=a', coach)
      t.match(body, {
        total: 3,
        assessments: [{ assessment_id: 'A-3' }, { assessment_id: 'A-2' }, { assessment_id: 'A-1' }]
      })
      t.match(body.assessments?.[2], {
        first_name: 'Ada',
        practitioner_first_name: 'Bob',
        org_names: ['Blue', 'Red'],
        status: 'completed',
        date_conclusion: '2024-01-02T10:00:00Z'
      })
      t.match((await get('/assessment/list?search=love&status=pending', coach)).body, { total: 1 })
      t.match((await get('/payment/list?search=c2', admin)).body, { total: 1, data: [{ payment_id: 'A-2' }] })
    })

    t.test('the host’s Kysely plugins work on its relations, once, and not on our columns', async (t) => {
      let transforms = 0
      const counting = {
        transformQuery: ({ node }: { node: never }) => {
          transforms++
          return node
        },
        transformResult: async ({ result }: { result: never }) => result
      }
      const db = await openDatabase(t, name, { plugins: [new CamelCasePlugin(), counting as never] })
      const { get } = await serve(t, { db: db.withPlugin(counting as never), checkOnReady: 'off' })
      await fill(db)
      transforms = 0
      const { body } = await get('/assessment/list?search=ada&status=completed', admin)
      t.match(body, { total: 1, assessments: [{ first_name: 'Ada', org_names: ['Acme', 'Zenith', 'acme sub'] }] })
      t.ok(transforms > 0)
    })

    t.test('ids as text match only themselves', async (t) => {
      const db = await openDatabase(t, name)
      await fill(db)
      const numbered = await serve(t, { db })
      for (const userId of ['12abc', '1 ', ' 1', '1.0', '0x1', "1' or '1'='1", '漢']) {
        const { status, body } = await numbered.get('/assessment/list?search=', { userId, role: 'Practitioner' })
        t.strictSame({ status, total: body.total }, { status: 200, total: 0 }, userId)
      }

      // text ids: letters in the other case and spaces at the end are somebody else
      const texts = [
        'payment_intent',
        'paid_at',
        'payment_method',
        'payment_status',
        'processor_status',
        'created_at'
      ] as const
      const payments = db
        .selectFrom('payments')
        .select(['payment_id', 'amount', 'quantity', ...texts, sql<string>`concat('u', user_id)`.as('user_id')])
      const users = db
        .selectFrom('users')
        .select(['first_name', 'last_name', 'email', 'avatar_url', sql<string>`concat('u', user_id)`.as('user_id')])
      const relations = { payments: payments as never, users: users as never }
      const lettered = await serve(t, { db, relations, checkOnReady: 'off' })
      for (const [userId, total] of [
        ['u1', 3],
        ['U1', 0],
        ['u1 ', 0],
        ['ú1', 0]
      ] as const) {
        t.equal((await lettered.get('/payment/list', { userId, role: 'Individual' })).body.total, total, userId)
      }
    })

    t.test('ids may be computed, and are compared by what they are', async (t) => {
      const db = await openDatabase(t, name)
      await fill(db)
      const computed = (column: string) => sql<number>`${sql.ref(column)} * 1`
      const { get } = await serve(t, {
        db,
        relations: {
          assessments: db
            .selectFrom('assessments')
            .select([
              ...columnsOf.assessments.filter((column) => column !== 'user_id'),
              computed('user_id').as('user_id')
            ]) as never,
          links: db
            .selectFrom('links')
            .select([computed('owner_id').as('owner_id'), computed('user_id').as('user_id')]) as never
        }
      })
      for (const [role, userId, reach] of [
        ['Individual', 1, 'own'],
        ['Practitioner', 10, 'linked']
      ] as const) {
        for (const search of ['', 'a']) {
          const { body } = await get(`/assessment/list?limit=50&search=${search}`, { userId, role })
          const expected = expectedAssessments(reach, userId, search)
          t.strictSame(
            body.assessments?.map(({ assessment_id }) => assessment_id),
            expected,
            `${role} ${search}`
          )
        }
      }
    })

    t.test('a database for each request', async (t) => {
      const tenants = { a: await openDatabase(t, name), b: await openDatabase(t, name) }
      await fill(tenants.a)
      await fill(tenants.b)
      await tenants.b.deleteFrom('payments').execute()
      const { get, app } = await serve(t, {
        db: ({ headers }) => tenants[String(headers['x-tenant']) as 'a']
      })
      const authorization = `Bearer ${app.jwt.sign({ sub: '20', role: 'Admin' })}`
      const totals = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const tenant = index % 2 ? 'b' : 'a'
          return (await get('/payment/list?page=2', { headers: { authorization, 'x-tenant': tenant } })).body.total
        })
      )
      t.strictSame(
        totals,
        Array.from({ length: 20 }, (_, index) => (index % 2 ? 0 : 31))
      )
      t.equal((await get('/payment/list', { headers: { authorization } })).status, 500, 'no database for nobody')
    })
  })
}

t.test('a schema, by name and by plugin', async (t) => {
  const pool = await mysqlPool(t)
  const home = await mysqlPool(t)
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(home) }) })
  t.teardown(() => db.destroy())
  const there: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(pool) }) })
  t.teardown(() => there.destroy())
  await fill(there)
  const expected = expectedAssessments('linked', 10)
  const caller = { userId: 10, role: 'Practitioner' }
  const schema = String(pool.database)
  const named = Object.fromEntries(
    ['assessments', 'payments', 'users', 'memberships', 'links'].map((relation) => [relation, `${schema}.${relation}`])
  )
  for (const options of [{ db: db.withSchema(schema) }, { db, relations: named }]) {
    const { get } = await serve(t, options)
    const { body } = await get('/assessment/list?search=', caller)
    t.strictSame(
      body.assessments?.map(({ assessment_id }) => assessment_id),
      expected
    )
  }
})

t.test('an instance of Kysely 0.28', async (t) => {
  const pool = createPool(await mysqlPool(t))
  const db = new Kysely28<Record<string, Record<string, unknown>>>({ dialect: new MysqlDialect28({ pool }) })
  t.teardown(() => db.destroy())
  await fill(db as unknown as Db)
  const users = db.selectFrom('users').select(['user_id', 'first_name', 'last_name', 'email', 'avatar_url'])
  const { get } = await serve(t, { db, relations: { users: users as never } })
  const { body } = await get('/assessment/list?search=a', { userId: 10, role: 'Practitioner' })
  t.strictSame(
    body.assessments?.map(({ assessment_id }) => assessment_id),
    expectedAssessments('linked', 10, 'a')
  )
})

t.test('nothing is shared between requests where plugins may send each one elsewhere', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  t.equal(sourcesOf({ db, relations: {} })({} as never).shareable, db)
  const tenants = db.withPlugin(new CamelCasePlugin())
  t.equal(sourcesOf({ db: tenants, relations: {} })({} as never).shareable, undefined)
})

t.test('a kind of database that is not supported stops the boot in one sentence', async (t) => {
  const mssql: Db = new Kysely({
    dialect: {
      createAdapter: () => new MssqlAdapter(),
      createQueryCompiler: () => new MssqlQueryCompiler(),
      createDriver: () => ({}) as never,
      createIntrospector: () => ({}) as never
    }
  })
  await t.rejects(async () => serve(t, { db: mssql }), {
    message: /^The database is not supported: use MySQL, MariaDB, PostgreSQL or SQLite/
  })
})

t.test('a table stands for itself, unless a plugin takes part', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const relations = { users: 'crm.members', links: 'pairs as p', payments: db.selectFrom('payments').selectAll() }
  const from = (database: Kysely<never>, name: RelationName) =>
    sql`from ${sourceOf(database as never, relations as never).relation(name)} as x`.compile(db).sql
  const columns = (name: RelationName) => columnsOf[name].map((column) => `"${column}"`).join(', ')
  const plain = db as unknown as Kysely<never>
  t.equal(from(plain, 'assessments'), 'from "assessments" as x')
  t.equal(from(plain, 'users'), 'from "crm"."members" as x')
  t.equal(from(plain, 'links'), `from (select ${columns('links')} from "pairs" as "p") as x`)
  t.equal(from(plain, 'payments'), 'from (select * from "payments") as x')
  t.equal(
    from(plain.withSchema('one'), 'memberships'),
    `from (select ${columns('memberships')} from "one"."memberships") as x`
  )
})

for (const name of ['mysql', 'postgres'] as const) {
  t.test(`an account of ${name} that may read nothing but the relations' columns is enough`, async (t) => {
    const { owner, reader } = await openForReader(t, name)
    await fill(owner)
    await execute(owner, 'alter table users add column password_hash varchar(100)')
    const { practitioners: _, ...columns } = columnsOf
    const db = await reader(columns)
    await t.rejects(sql`select * from users`.execute(db), 'who may not read all')
    t.strictSame(await findings(db), [])
    const { get } = await serve(t, { db })
    t.match((await get('/assessment/list?search=a&status=pending', admin)).status, 200)
    t.match((await get('/assessment/list?search=', { userId: 10, role: 'Practitioner' })).status, 200)
    t.match((await get('/payment/list?search=a&page=2&limit=2', admin)).status, 200)
  })
}

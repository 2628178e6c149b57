import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import t from 'tap'
import { type Row, sampleName, samples } from '../../../src/database/cells.js'
import { assessments } from '../../../src/lists/assessments.js'
import { payments } from '../../../src/lists/payments.js'
import type { Traits } from '../../../src/question/known/fitted.js'
import { execute } from '../../support/check.js'
import { columnsOf } from '../../support/columns.js'
import { conversions } from '../../support/conversions.js'
import { type DatabaseName, databases, mysqlPool, openDatabase, postgresPool } from '../../support/databases.js'
import { tenantPlugin, withSchema } from '../../support/plugins.js'
import { openMysql, openPostgres } from '../../support/pools.js'
import {
  finder,
  findIn,
  knownTables,
  look,
  openSession,
  patient,
  questionFor,
  sessionOf,
  sourceOf,
  withoutDatabase
} from '../../support/session.js'
import { openWorld } from '../../support/tables.js'
import { until } from '../../support/until.js'
import { fill } from '../../support/world.js'

/** Column types, and the search terms that find `École` in a column of that type. */
const collations: Record<DatabaseName, Record<string, string[]>> = {
  mysql: {
    'varchar(190) collate utf8mb4_general_ci': ['École', 'école', 'ÉCOLE', 'ecole'],
    'varchar(190) collate utf8mb4_bin': ['École', 'école', 'ÉCOLE'],
    'varchar(190) collate utf8mb4_turkish_ci': ['École', 'école', 'ÉCOLE', 'ecole'],
    'varchar(190) character set latin1 collate latin1_general_cs': ['École', 'école', 'ÉCOLE'],
    'varbinary(190)': ['École', 'école', 'ÉCOLE']
  },
  postgres: {
    'varchar(190)': ['École', 'école', 'ÉCOLE'],
    'varchar(190) collate "C"': ['École', 'école', 'ÉCOLE'],
    'varchar(190) collate "und-x-icu"': ['École', 'école', 'ÉCOLE'],
    'varchar(190) collate "tr-x-icu"': ['École', 'école', 'ÉCOLE'],
    'varchar(190) collate blind': ['École', 'école', 'ÉCOLE']
  },
  sqlite: {
    'varchar(190) collate binary': ['École', 'ÉCOLE'],
    'varchar(190) collate nocase': ['École', 'ÉCOLE']
  }
}

for (const name of databases) {
  t.test(`ASCII letters match in either case, whatever the collation of the column on ${name}`, async (t) => {
    const db = await openWorld(t, name)
    if (name === 'postgres')
      await execute(db, "create collation blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
    // On PostgreSQL, the locale of the database decides about letters beyond ASCII.
    const folded = name !== 'postgres' || (await sql`select 1 where 'É' ilike 'é'`.execute(db)).rows.length > 0
    for (const [place, [type, letters]] of Object.entries(collations[name]).entries()) {
      const [people, orders] = [`people_${place}`, `orders_${place}`]
      await execute(
        db,
        `create table ${people} (user_id integer primary key, first_name ${type}, last_name ${type}, email ${type}, avatar_url ${type})`,
        `insert into ${people} values (1, 'École', 'WILLIAM', 'ines@example.org', null)`,
        `create table ${orders} (payment_intent ${type})`,
        `insert into ${orders} values ('PI_Inés')`
      )
      const columns = columnsOf.payments.filter((name) => name !== 'payment_intent')
      const payments = db
        .selectFrom(['payments', `${orders} as orders`])
        .select([...columns.map((name) => `payments.${name}`), 'orders.payment_intent'])
        .where('payment_id', '=', 1)
      const find = findIn(db, { users: people, payments })
      const found = async (list: 'assessments' | 'payments', terms: string[]) => {
        const kept: string[] = []
        for (const search of terms) if ((await find(list, { search })).total > 0) kept.push(search)
        return kept
      }
      const ascii = ['william', 'WiLLiaM', 'INES@EXAMPLE.ORG']
      t.strictSame(await found('assessments', [...ascii, 'w_lliam', 'inex']), ascii, type)
      t.strictSame(await found('payments', ['pi_inés', 'Pi_INéS', 'pi-inés']), ['pi_inés', 'Pi_INéS'], type)
      const beyond = await found('assessments', ['École', 'école', 'ÉCOLE', 'ecole'])
      t.strictSame(beyond, folded ? letters : ['École', 'ÉCOLE'], type)
    }
  })
}

// The other databases always compare text exactly.
if (databases.includes('mysql')) {
  t.test('a filter is exact in every collation', async (t) => {
    const db = await openWorld(t, 'mysql')
    const isMariadb = (await sql<{ v: string }>`select version() as v`.execute(db)).rows[0]?.v.includes('MariaDB')
    const exact = isMariadb ? ['utf8mb4_nopad_bin', 'latin1_nopad_bin'] : ['utf8mb4_0900_bin']
    const others = ['utf8mb4_bin', 'latin1_bin', 'utf8mb4_general_ci', 'latin1_swedish_ci', 'ucs2_bin', 'binary']
    for (const collation of [...exact, ...others]) {
      const type = `varchar(20) character set ${collation.replace(/_.*/, '')} collate ${collation}`
      await sql`drop table if exists orders`.execute(db)
      await sql.raw(`create table orders (id integer, processor_status ${type})`).execute(db)
      await sql`insert into orders values (1, 'paid'), (2, 'paid '), (3, 'Paid'), (4, 'páid'), (5, null)`.execute(db)
      const payments = db
        .selectFrom('payments')
        .innerJoin('orders', 'orders.id', 'payments.payment_id')
        .select(
          columnsOf.payments.filter((name) => name !== 'processor_status').map((name) => `payments.${name}` as const)
        )
        .select('orders.processor_status')
      const find = findIn(db, { payments })
      for (const [status, expected] of [
        ['paid', ['1']],
        ['paid ', ['2']],
        ['Paid', ['3']],
        ['páid', ['4']],
        ['PAID', []],
        ['漢', []],
        ["'", []]
      ] as const) {
        const { total, items } = await find('payments', { parameters: { processor_status: status } })
        t.strictSame([total, ...items.map(({ payment_id }) => payment_id)], [expected.length, ...expected], collation)
      }
    }
  })

  t.test('the text of one request that a column cannot hold does not slow down the next request', async (t) => {
    const pages: string[] = []
    const db = await openWorld(t, 'mysql', {
      onQuery: ({ sql }) => {
        if (sql.includes('sort key')) pages.push(sql.includes('`processor_status` = ') ? 'usual' : 'slower')
      }
    })
    await sql`alter table payments modify processor_status varchar(50) character set latin1`.execute(db)
    const find = findIn(db)
    for (const [processor_status, total, sent] of [
      ['pending', 11, ['usual']],
      // A latin1 column cannot hold this text.
      ['漢', 0, ['usual', 'slower']],
      ['pending', 11, ['usual']],
      ['字', 0, ['usual', 'slower']]
    ] as const) {
      t.match(await find('payments', { parameters: { processor_status } }), { total })
      t.strictSame(pages.splice(0), sent, processor_status)
    }
  })
}

t.test(
  'ASCII letters match in either case in a PostgreSQL database whose own collation is Turkish',
  { skip: !databases.includes('postgres') },
  async (t) => {
    const server = await openDatabase(t, 'postgres')
    const turkish = `listing_turkish_${process.pid}`
    const locale = "locale_provider icu icu_locale 'tr-TR' locale 'C'"
    await sql.raw(`drop database if exists ${turkish}`).execute(server)
    await sql.raw(`create database ${turkish} template template0 encoding 'UTF8' ${locale}`).execute(server)
    const url = new URL(String(process.env.TEST_POSTGRES_URL))
    url.pathname = turkish
    t.teardown(() => sql.raw(`drop database ${turkish}`).execute(server))
    const db = openPostgres(t, { connectionString: url.href })
    await fill(db)
    await db.updateTable('users').set({ last_name: 'WILLIAM' }).where('user_id', '=', 1).execute()
    t.equal((await findIn(db)('assessments', { search: 'william' })).total, 3)
  }
)

t.test('ids may have a type without arithmetic on MariaDB', async (t) => {
  const db = await openDatabase(t, 'mysql')
  const version = await sql<{ version: string }>`select version() as version`.execute(db)
  // MySQL has no such type
  const type = version.rows[0]?.version.includes('MariaDB') ? 'uuid' : 'char(36)'
  await fill(db)
  for (const [name, columns] of Object.entries(columnsOf)) {
    if (name === 'practitioners') continue
    const table = sql.table(name)
    for (const id of columns.filter((column) => column.endsWith('_id')).map((column) => sql.id(column))) {
      await sql`alter table ${table} modify ${id} varchar(36)`.execute(db)
      await sql`update ${table} set ${id} = concat('0f0f0f0f-0000-4000-8000-', lpad(${id}, 12, '0'))`.execute(db)
      await sql`alter table ${table} modify ${id} ${sql.raw(type)}`.execute(db)
    }
  }
  const uuid = (id: number) => `0f0f0f0f-0000-4000-8000-${String(id).padStart(12, '0')}`
  const find = findIn(db)
  t.match(await find('assessments', { reach: 'own', userId: uuid(1) }), { total: 3 })
  t.match(await find('assessments', { reach: 'linked', userId: uuid(10) }), { total: 9 })
  t.match(await find('assessments', { search: 'jane' }), { total: 3 })
  t.match(await find('payments', { search: 'jane' }), { total: 3 })
  t.match(await find('payments', { search: 'pi_1' }), { total: 3 })
})

t.test('a timeout while the columns are looked at rejects the request, and the next request looks again', async (t) => {
  const session = sessionOf(await openWorld(t, 'mysql'))
  const slow = async () => {
    throw Object.assign(new Error('slow'), { errno: 3024 })
  }
  const fit = knownTables()
  await t.rejects(fit(assessments, { ...session, run: slow }), { message: 'slow' })
  let asked = 0
  // The second statement tries a term on a column.
  const late = async (...parameters: Parameters<typeof session.run>) =>
    ++asked === 2 ? slow() : session.run(...parameters)
  await t.rejects(fit(assessments, { ...session, run: late }), { message: 'slow' })
  t.ok(await fit(assessments, session))
})

t.test('without an answer, a searched column counts as case-sensitive, and there is no time limit', async (t) => {
  const session = sessionOf(withoutDatabase('mysql'))
  const proof: Row = Object.fromEntries(samples.map((sample, place) => [sampleName(place), sample]))
  const rowOf = (cell: unknown) =>
    new Proxy(proof, { get: (_row, name) => (name in proof ? proof[String(name)] : cell) })
  for (const row of [proof, rowOf(null), rowOf('yes')]) {
    const traits = await look(assessments, { ...session, run: async () => [row] })
    t.strictSame(traits.searched['u.email'], ['folded', 'folded'])
    t.match(traits, { maxMilliseconds: Number.POSITIVE_INFINITY, exactIds: [] })
  }
  const answered = await look(assessments, { ...session, run: async () => [rowOf('0')] })
  t.strictSame(answered.searched['u.email'], ['own', 'own'])
})

t.test('rows with changed samples, and an answer without rows, are an error', async (t) => {
  const session = sessionOf(await openDatabase(t, 'sqlite'))
  for (const rows of [[], [{}], [{ [sampleName(0)]: 'x' }]]) {
    await t.rejects(look(assessments, { ...session, run: async () => rows }), { name: 'Failure' })
  }
  const rare = { 'numbers with an exponent': (text: string) => (/^\de\d$/.test(text) ? Number(text) : text) }
  for (const [name, convert] of Object.entries({ ...conversions, ...rare })) {
    const cells = samples.map((text, place) => [sampleName(place), text === null ? null : convert(text)])
    const run = async () => [Object.fromEntries(cells)]
    await t.rejects(look(assessments, { ...session, run }), { name: 'Failure' }, name)
  }
})

t.test('cells are read as bytes through a connection that changes text', async (t) => {
  const latin1 = { connectionLimit: 1, charset: 'latin1_swedish_ci' }
  const [whole, changing] = [await openWorld(t, 'mysql'), await openWorld(t, 'mysql', { pool: latin1 })].map((db) =>
    look(assessments, sessionOf(db))
  )
  t.match(await changing, { hasBytes: true })
  t.match(await whole, { hasBytes: false })
})

t.test('equal columns have equal traits, and columns that need other SQL have others', async (t) => {
  const all: Traits[] = []
  const changes = [
    'alter table users modify email varchar(190) collate utf8mb4_bin',
    'alter table users modify first_name varchar(190) collate utf8mb4_bin',
    'alter table users modify last_name varchar(190) character set latin1'
  ]
  const db = await openWorld(t, 'mysql')
  for (const change of ['select 1', ...changes]) {
    await sql.raw(change).execute(db)
    const traits = await look(assessments, sessionOf(db))
    t.strictSame(await look(assessments, sessionOf(db)), traits)
    t.notOk(
      all.some((other) => isDeepStrictEqual(other, traits)),
      change
    )
    all.push(traits)
  }
})

t.test('the columns are looked at again when the tables of the database change', async (t) => {
  const db = await openWorld(t, 'mysql')
  const source = sourceOf(db)
  const open = () => openSession(source, patient)
  const [kept, short] = [knownTables(60_000), knownTables(1)]
  const before = await Promise.all([kept(assessments, open()), short(assessments, open())])
  await execute(db, 'alter table users modify email varchar(190) collate utf8mb4_bin')
  await until(async () => (await short(assessments, open())) !== before[1])
  const after = await short(assessments, open())
  t.not(after, before[1])
  await sleep(5)
  t.equal(await short(assessments, open()), after, 'equal traits keep the statements')
  t.equal(await kept(assessments, open()), before[0])
})

/** Opens sessions of one instance, and counts the looks at the columns. */
function counting(db: object, fit = knownTables()) {
  const source = sourceOf(db as never, {})
  let count = 0
  const open = () =>
    openSession(source, patient, (_step, run) => {
      count++
      return run()
    })
  return {
    open,
    /** The number of looks that a request needs to know the columns. */
    async asks() {
      count = 0
      await fit(assessments, open())
      return count
    }
  }
}

t.test(
  'what is known of columns belongs to the tables of the request, even if a plugin changes the tables during the look',
  async (t) => {
    const db = await openWorld(t, 'sqlite')
    let schema = 'main'
    const fit = knownTables()
    const { open, asks } = counting(db.withPlugin(withSchema(() => schema)), fit)
    const session = open()
    await fit(assessments, {
      ...session,
      async run(statement) {
        schema = 'other'
        return session.run(statement)
      }
    })
    await sql`attach database ':memory:' as other`.execute(db)
    for (const table of ['users', 'links', 'memberships', 'assessments']) {
      await sql`create table ${sql.id('other', table)} as select * from ${sql.id('main', table)}`.execute(db)
    }
    t.equal(await asks(), 1, 'the other schema')
    schema = 'main'
    t.equal(await asks(), 1, 'the schema of the first request, which is looked at again')
    t.equal(await asks(), 0)
  }
)

t.test('what is known of the tables of one tenant says nothing of those of another', async (t) => {
  const db = await openWorld(t, 'sqlite')
  let tenant: unknown = 1
  const { asks } = counting(db.withPlugin(tenantPlugin(() => tenant)))
  for (const other of [1, 2, '2', Buffer.from('2'), null, 1]) {
    tenant = other
    t.equal(await asks(), 1, String(other))
    t.equal(await asks(), 0, 'the same tables in new nodes')
  }
})

t.test('instances never share what is known of the columns, even with the same tables', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const fit = knownTables()
  for (const instance of [db, db.withSchema('main'), db.withSchema('main')]) {
    const { asks } = counting(instance, fit)
    t.equal(await asks(), 1)
    t.equal(await asks(), 0)
  }
  t.equal(await counting(db, fit).asks(), 1, 'a new source of the same instance')
})

t.test('a filter stays exact when the column gets another collation while the server runs', async (t) => {
  const db = await openWorld(t, 'mysql')
  const find = findIn(db)
  const paid = async () => (await find('payments', { parameters: { processor_status: 'pending' } })).total
  t.equal(await paid(), 11)
  await execute(db, 'alter table payments modify processor_status varchar(50) collate utf8mb4_general_ci')
  await db.updateTable('payments').set({ processor_status: 'PENDING' }).where('payment_id', '=', 99).execute()
  t.equal(await paid(), 10)
})

for (const name of ['mysql', 'postgres'] as const) {
  t.test(
    `a shorter time limit of the administrator holds on ${name}`,
    { skip: !databases.includes(name) },
    async (t) => {
      // On a busy machine, creating a table takes longer than the limit.
      const opened = {
        async mysql() {
          const options = await mysqlPool(t)
          await fill(openMysql(t, options))
          // MariaDB has the first variable, and MySQL the second.
          const start = 'set /*M! max_statement_time = 0.3 */ /*!80000 max_execution_time = 300 */'
          return openMysql(t, options, { start })
        },
        async postgres() {
          const options = await postgresPool(t)
          await fill(openPostgres(t, options))
          return openPostgres(t, { ...options, options: '-c statement_timeout=300' })
        }
      }
      const db = await opened[name]()
      const sleeps = sql<boolean>`${sql.raw(name === 'mysql' ? 'sleep(2) = 0' : 'pg_sleep(2) is not null')}`
      const slow = db.selectFrom('payments').selectAll().where(sleeps)
      const patient = { timeLeft: () => 60_000 }
      const { find } = finder()
      const source = sourceOf(db, { payments: slow })
      const start = performance.now()
      await t.rejects(find(questionFor(), openSession(source, patient)), { kind: 'timeout' } as never)
      t.ok(performance.now() - start < 20_000, 'the limit of the administrator, and not that of the request')
      const usual = await find(questionFor({ limit: 1 }), openSession(sourceOf(db), patient))
      t.equal(usual.total, 31)
    }
  )
}

for (const name of ['mysql', 'postgres'] as const) {
  t.test(`the types of the ids decide whether their bytes are compared on ${name}`, async (t) => {
    const db = await openWorld(t, name)
    const exactIds = async (path = 'r.user_id') => (await look(payments, sessionOf(db))).exactIds.includes(path)
    t.equal(await exactIds(), true)
    const change = (type: string) =>
      execute(db, `alter table payments ${name === 'mysql' ? `modify user_id ${type}` : `alter user_id type ${type}`}`)
    for (const type of ['decimal(12, 2)', 'varchar(36)', name === 'mysql' ? 'double' : 'citext']) {
      if (type === 'citext') await execute(db, 'create extension citext')
      await change(type)
      t.equal(await exactIds(), false, type)
      t.equal(await exactIds('u.user_id'), true, 'of the users')
    }
  })
}

t.test('a text id is not exact where a session of MySQL divides with more digits than a double has', async (t) => {
  const db = await openWorld(t, 'mysql', { pool: { connectionLimit: 1 } })
  await execute(db, 'alter table payments modify user_id varchar(36)', 'set div_precision_increment = 30')
  t.notOk((await look(payments, sessionOf(db))).exactIds.includes('r.user_id'))
})

import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import t from 'tap'
import { type Row, sampleName, samples } from '../../../src/database/cells.js'
import { assessments } from '../../../src/lists/ready/assessments.js'
import { payments } from '../../../src/lists/ready/payments.js'
import type { Traits } from '../../../src/question/fitted/fitted-sql.js'
import { columnsOf } from '../../support/fixtures/columns.js'
import { fill } from '../../support/fixtures/world.js'
import { execute } from '../../support/oracle/check.js'
import { mysqlPool, onDatabases, onServers, openDatabase, postgresPool } from '../../support/servers/databases.js'
import { openMysql, openPostgres } from '../../support/servers/pools.js'
import { finder, findIn, look, questionFor, sessionOf, withoutDatabase } from '../../support/servers/session.js'
import { openWorld } from '../../support/servers/tables.js'

/** Column types, and the search terms that find `École` in a column of that type. */
const collations = {
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

onDatabases(t, 'ASCII letters match in either case, whatever the collation of the column', async (t, name) => {
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

t.test('ASCII letters match in either case in a PostgreSQL database whose own collation is Turkish', async (t) => {
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
})

t.test('ids may have a type without arithmetic on MariaDB', async (t) => {
  const db = await openWorld(t, 'mysql')
  const version = await sql<{ version: string }>`select version() as version`.execute(db)
  // MySQL has no such type
  const type = version.rows[0]?.version.includes('MariaDB') ? 'uuid' : 'char(36)'
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

t.test('without an answer, a searched column counts as case-sensitive, and there is no time limit', async (t) => {
  const session = sessionOf(withoutDatabase('mysql'))
  const proof: Row = Object.fromEntries(samples.map((sample, place) => [sampleName(place), sample]))
  const rowOf = (cell: unknown) =>
    new Proxy(proof, { get: (_row, name) => (name in proof ? proof[String(name)] : cell) })
  for (const row of [proof, rowOf(null), rowOf('yes')]) {
    const traits = await look(assessments, { ...session, run: async () => [row] })
    t.strictSame(traits.searched['u.email'], { usual: 'folded', slower: 'folded' })
    t.match(traits, { maxMilliseconds: Number.POSITIVE_INFINITY, exactIds: [] })
  }
  const answered = await look(assessments, { ...session, run: async () => [rowOf('0')] })
  t.strictSame(answered.searched['u.email'], { usual: 'own', slower: 'own' })
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
    const isKnown = all.some((other) => isDeepStrictEqual(other, traits))
    t.notOk(isKnown, change)
    all.push(traits)
  }
})

onServers(t, 'a shorter time limit of the administrator holds', async (t, name) => {
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
  const minute = { timeLeft: () => 60_000 }
  const { find } = finder()
  const start = performance.now()
  const asked = find(questionFor(), sessionOf(db, { tables: { payments: slow }, ...minute }))
  await t.rejects(asked, { kind: 'timeout' } as never)
  t.ok(performance.now() - start < 20_000, 'the limit of the administrator, and not that of the request')
  t.match(await find(questionFor({ limit: 1 }), sessionOf(db, minute)), { total: 31 })
})

onServers(t, 'the types of the ids decide whether their bytes are compared', async (t, name) => {
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

t.test('a text id is not exact where a session of MySQL divides with more digits than a double has', async (t) => {
  const db = await openWorld(t, 'mysql', { pool: { connectionLimit: 1 } })
  await execute(db, 'alter table payments modify user_id varchar(36)', 'set div_precision_increment = 30')
  t.notOk((await look(payments, sessionOf(db))).exactIds.includes('r.user_id'))
})

t.test('a column that cannot be compared with each of its few values is compared by its bytes', async (t) => {
  for (const [name, types] of [
    ['postgres', ['integer', 'boolean', 'uuid', 'date', 'json', 'short']],
    ['mysql', ['integer', 'uuid', 'inet6', 'date', 'bit(8)']]
  ] as const) {
    const db = await openWorld(t, name)
    if (name === 'postgres') await execute(db, "create type short as enum ('pending')")
    for (const type of types) {
      await execute(db, 'alter table assessments drop column status', `alter table assessments add status ${type}`)
      const { exactTexts } = await look(assessments, sessionOf(db))
      t.notOk(exactTexts.includes('r.status'), `${name}: ${type}`)
      // PostgreSQL has no comparison of json.
      if (type === 'json') continue
      if (type === 'short') await execute(db, "update assessments set status = 'pending' where assessment_id = 2")
      const find = findIn(db)
      for (const status of ['pending', 'completed']) {
        const total = type === 'short' && status === 'pending' ? 1 : 0
        t.match(await find('assessments', { parameters: { status } }), { total }, `${status}: ${name}: ${type}`)
      }
    }
  }
})

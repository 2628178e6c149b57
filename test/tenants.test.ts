/** A caller reads one tenant's database and never gets that of somebody else, however many ask at once. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { Kysely, type KyselyPlugin, MysqlDialect, PostgresDialect, sql, WithSchemaPlugin } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { ListingOptions } from '../src/index.js'
import { migrations } from '../src/migrations.js'
import { type DatabaseName, type Db, databases, mysqlPool, openDatabase, postgresPool } from './support/databases.js'
import { type Answer, serve } from './support/server.js'

/** They have the same ids, and nothing else that is the same. */
const tenants = { red: 7, green: 11, blue: 16 } as const
type Tenant = keyof typeof tenants
const names = Object.keys(tenants) as Tenant[]

const userIds = [1, 2, 3]
const created = '2024-03-01 09:30:00'

/** As many records a user as the tenant's number, and its name in every text. */
async function fill(db: Db, tenant: Tenant): Promise<void> {
  for (const { up } of Object.values(migrations)) await up(db)
  const insert = (table: string, rows: Record<string, unknown>[]) => db.insertInto(table).values(rows).execute()
  const records = userIds.flatMap((user_id) =>
    Array.from({ length: tenants[tenant] }, (_, index) => ({ id: user_id * 100 + index, user_id, created_at: created }))
  )
  const email = `someone@${tenant}.example`
  await insert(
    'users',
    userIds.map((user_id) => ({ user_id, first_name: tenant, last_name: 'Someone', email, avatar_url: null }))
  )
  await insert(
    'memberships',
    userIds.map((user_id) => ({ user_id, org_name: `${tenant} org` }))
  )
  await insert('links', [{ owner_id: 2, user_id: 1 }])
  await insert(
    'assessments',
    records.map(({ id, ...record }) => ({
      ...record,
      assessment_id: id,
      licence: tenant,
      assessment_type: tenant,
      practitioner_id: 2,
      status: 'pending',
      date_assignment: null,
      date_conclusion: null
    }))
  )
  await insert(
    'payments',
    records.map(({ id, ...record }) => ({
      ...record,
      payment_id: id,
      amount: tenants[tenant],
      quantity: 1,
      payment_intent: `${tenant}_${id}`,
      paid_at: null,
      payment_method: tenant,
      payment_status: tenant,
      processor_status: 'succeeded'
    }))
  )
}

const callers = [
  { userId: 1, role: 'Individual', users: { assessments: 1, payments: 1 } },
  { userId: 2, role: 'Practitioner', users: { assessments: 2, payments: 1 } },
  { userId: 3, role: 'Admin', users: { assessments: 3, payments: 3 } }
]
const queries = ['search=', 'search=someone&limit=2', 'search=&page=2&limit=5', 'search=e&limit=100', 'search=&page=99']

/** Hundreds of requests of all tenants at once; each answer is the tenant's own. */
async function askForAll(t: Test, app: FastifyInstance): Promise<void> {
  const requests = [...callers, ...callers, ...callers].flatMap((caller) =>
    queries.flatMap((query) =>
      (['assessments', 'payments'] as const).flatMap((list) => names.map((tenant) => ({ caller, query, list, tenant })))
    )
  )
  t.ok(requests.length >= 200, `${requests.length} requests`)
  const wrong: unknown[] = []
  await Promise.all(
    requests.map(async ({ caller: { userId, role, users }, query, list, tenant }) => {
      const token = app.jwt.sign({ sub: String(userId), role })
      const url = `/${list === 'payments' ? 'payment' : 'assessment'}/list?${query}`
      const headers = { authorization: `Bearer ${token}`, 'x-tenant': tenant }
      const answer = await app.inject({ url, headers })
      const body: Answer['body'] = answer.json()
      const rows = body.assessments ?? body.data ?? []
      const total = tenants[tenant] * users[list]
      const { page, limit } = { page: 1, limit: 12, ...Object.fromEntries(new URLSearchParams(query)) }
      const expected = Math.max(0, Math.min(Number(limit), total - (Number(page) - 1) * Number(limit)))
      const isOwn = (row: Record<string, unknown>) =>
        list === 'payments'
          ? row.email === `someone@${tenant}.example` && row.amount === tenants[tenant] && row.payment_method === tenant
          : row.first_name === tenant &&
            row.practitioner_first_name === tenant &&
            row.licence === tenant &&
            String(row.org_names) === `${tenant} org`
      if (body.total !== total || rows.length !== expected || !rows.every(isOwn)) wrong.push({ tenant, url, body })
    })
  )
  t.strictSame(wrong, [])
}

const tenantOf = (value: unknown): Tenant => {
  const tenant = names.find((name) => name === value)
  if (!tenant) throw new Error('No tenant.')
  return tenant
}

/** With and without shared totals; some relations by name and some as selects. */
async function askInEveryWay(
  t: Test,
  db: ListingOptions['db'],
  relationsFrom: Db,
  before: (app: FastifyInstance) => unknown
): Promise<void> {
  const select = (table: string) => relationsFrom.selectFrom(table).selectAll() as never
  const relations = {
    users: select('users'),
    memberships: select('memberships'),
    assessments: select('assessments')
  }
  for (const shareTotals of [false, true]) {
    await t.test(shareTotals ? 'shared totals' : 'totals of their own', async (t) => {
      const { app } = await serve(t, { db, shareTotals, relations, checkOnReady: 'off', timeout: 60_000 }, { before })
      await askForAll(t, app)
    })
  }
}

for (const name of databases) {
  t.test(`a database for each tenant on ${name}`, async (t) => {
    const opened = {} as Record<Tenant, Db>
    for (const tenant of names) {
      opened[tenant] = await openDatabase(t, name)
      await fill(opened[tenant], tenant)
    }
    const db: ListingOptions['db'] = ({ headers }) => opened[tenantOf(headers['x-tenant'])]
    await askInEveryWay(t, db, opened.red, () => undefined)
  })
}

/** One pool, and a schema for each tenant: databases on MySQL and MariaDB. */
const openSchemas: Record<Exclude<DatabaseName, 'sqlite'>, (t: Test) => Promise<[Db, Record<Tenant, string>]>> = {
  mysql: async (t) => {
    const pools = { red: await mysqlPool(t), green: await mysqlPool(t), blue: await mysqlPool(t) }
    const { red, green, blue } = pools
    const schemas = { red: String(red.database), green: String(green.database), blue: String(blue.database) }
    return [new Kysely({ dialect: new MysqlDialect({ pool: createPool(red) }) }), schemas]
  },
  postgres: async (t) => {
    const pool = new pg.Pool(await postgresPool(t))
    pool.on('error', () => undefined)
    const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
    for (const tenant of names) await sql`create schema ${sql.id(tenant)}`.execute(db)
    return [db, { red: 'red', green: 'green', blue: 'blue' }]
  }
}

for (const name of databases.filter((name) => name !== 'sqlite')) {
  t.test(`one pool, and a plugin that knows the tenant of the request, on ${name}`, async (t) => {
    const [pool, schemas] = await openSchemas[name](t)
    t.teardown(() => pool.destroy())
    for (const tenant of names) await fill(pool.withSchema(schemas[tenant]), tenant)

    const storage = new AsyncLocalStorage<Tenant>()
    const plugin: KyselyPlugin = {
      transformQuery: (args) => new WithSchemaPlugin(schemas[tenantOf(storage.getStore())]).transformQuery(args),
      transformResult: async ({ result }) => result
    }
    const db = pool.withPlugin(plugin)
    const before = (app: FastifyInstance) =>
      app.addHook('onRequest', (request, _reply, done) => storage.run(tenantOf(request.headers['x-tenant']), done))
    await t.test('as the database', (t) => askInEveryWay(t, db, db, before))
    await t.test('by a function', (t) =>
      askInEveryWay(t, ({ headers }) => pool.withSchema(schemas[tenantOf(headers['x-tenant'])]), db, before)
    )
  })
}

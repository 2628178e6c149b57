/**
 * A caller reads only their own tenant's data, however many callers ask at once. The other databases have one round for
 * the way to keep tenants apart that SQLite lacks: one pool with a schema for each tenant.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { CamelCasePlugin, SelectQueryNode, sql, WhereNode } from 'kysely'
import t, { type Test } from 'tap'
import { listingMigrations } from '../src/database/migrations.js'
import type { ListingOptions, ListingTables } from '../src/index.js'
import { columnsOf } from './support/columns.js'
import { type DatabaseName, type Db, databases, mysqlPool, openDatabase, postgresPool } from './support/databases.js'
import { type Data, expected } from './support/oracle.js'
import { transforming, withSchema } from './support/plugins.js'
import { openMysql, openPostgres } from './support/pools.js'
import { ask, serve, shown } from './support/server.js'
import { headersOf } from './support/tokens.js'
import * as world from './support/world.js'
import { admin, fill, individual, practitioner } from './support/world.js'

/** The tenants, each with the number of its assessments and payments. */
const tenants = { red: 30, green: 26, blue: 21 } as const
type Tenant = keyof typeof tenants
const names = Object.keys(tenants) as Tenant[]

/** The tenants have the same ids, but different data. */
const dataOf = (tenant: Tenant): Data => ({
  users: world.users.map((user) => ({ ...user, first_name: tenant, email: `${user.user_id}@${tenant}.example` })),
  memberships: world.memberships.map(({ user_id, org_name }) => ({ user_id, org_name: `${tenant} ${org_name}` })),
  links: world.links,
  assessments: world.assessments.slice(-tenants[tenant]).map((record) => ({ ...record, licence: tenant })),
  payments: world.payments
    .slice(-tenants[tenant])
    .map((record) => ({ ...record, payment_intent: `${tenant} ${record.payment_id}` }))
})
const data = { red: dataOf('red'), green: dataOf('green'), blue: dataOf('blue') }

const queries = ['search=', 'search=example&limit=2', 'search=&page=2&limit=5', 'search=e&limit=100', 'search=&page=99']
const urls = ['/assessment/list', '/payment/list'].flatMap((path) => queries.map((query) => `${path}?${query}`))

/** The requests of all tenants, and their answers. */
const requests = [individual, practitioner, admin].flatMap((caller) =>
  urls.flatMap((url) => names.map((tenant) => ({ caller, url, tenant, wanted: expected(url, caller, data[tenant]) })))
)

/** Sends the requests of all tenants at once, and checks that each answer has the data of its tenant. */
async function askForAll(t: Test, app: FastifyInstance): Promise<void> {
  const wrong: unknown[] = []
  await Promise.all(
    requests.map(async ({ caller, url, tenant, wanted }) => {
      const answer = shown(await ask(app, url, { headers: { ...headersOf(caller), 'x-tenant': tenant } }))
      if (!isDeepStrictEqual(answer, wanted)) wrong.push({ tenant, url, answer })
    })
  )
  t.strictSame(wrong, [])
}

const tenantOf = (value: unknown): Tenant => {
  const tenant = names.find((name) => name === value)
  if (!tenant) throw new Error('No tenant.')
  return tenant
}

const tenantFor = ({ headers }: { headers: Record<string, unknown> }) => tenantOf(headers['x-tenant'])

/** The tenant of the current request, for a plugin that all requests share. */
const storage = new AsyncLocalStorage<Tenant>()
const storeTenant = (app: FastifyInstance) =>
  app.addHook('onRequest', (request, _reply, done) => storage.run(tenantFor(request), done))

/** Some tables as selects from the instance of the request. The others are read by their names. */
const selects = (db: Db): ListingTables =>
  Object.fromEntries(
    (['users', 'memberships', 'assessments'] as const).map((name) => [
      name,
      db.selectFrom(name).select([...columnsOf[name]]) as never
    ])
  )

async function askFor(t: Test, db: ListingOptions['db'], tables: (db: Db) => ListingTables = selects): Promise<void> {
  const options = { db, tables, checkOnReady: 'off', timeout: 60_000 } as const
  const { app } = await serve(t, options, { before: storeTenant })
  await askForAll(t, app)
}

t.test('a database for each tenant', async (t) => {
  const opened = {} as Record<Tenant, Db>
  for (const tenant of names) {
    opened[tenant] = await openDatabase(t, 'sqlite')
    await fill(opened[tenant], data[tenant])
  }
  await askFor(t, (request) => opened[tenantFor(request)])
})

/** One pool, and a schema for each tenant. A schema is a database on MySQL and MariaDB. */
const openSchemas: Record<Exclude<DatabaseName, 'sqlite'>, (t: Test) => Promise<[Db, Record<Tenant, string>]>> = {
  mysql: async (t) => {
    const pools = { red: await mysqlPool(t), green: await mysqlPool(t), blue: await mysqlPool(t) }
    const { red, green, blue } = pools
    const schemas = { red: String(red.database), green: String(green.database), blue: String(blue.database) }
    return [openMysql(t, red), schemas]
  },
  postgres: async (t) => {
    const db = openPostgres(t, await postgresPool(t))
    for (const tenant of names) await sql`create schema ${sql.id(tenant)}`.execute(db)
    return [db, { red: 'red', green: 'green', blue: 'blue' }]
  }
}

for (const name of databases.filter((name) => name !== 'sqlite')) {
  t.test(`one pool, and a plugin that selects the schema of the request's tenant, on ${name}`, async (t) => {
    const [pool, schemas] = await openSchemas[name](t)
    for (const tenant of names) await fill(pool.withSchema(schemas[tenant]), data[tenant])
    await askFor(t, pool.withPlugin(withSchema(() => schemas[tenantOf(storage.getStore())])))
  })
}

const storedTables = ['users', 'memberships', 'links', 'assessments', 'payments']

/** A plugin that reads only the rows of a tenant. */
const filteringBy = (tenant: () => unknown) =>
  transforming((node) =>
    SelectQueryNode.is(node)
      ? { ...node, where: WhereNode.create(sql`tenant = ${tenants[tenantOf(tenant())]}`.toOperationNode()) }
      : node
  )

/** Opens a database whose tables have the rows of all tenants. */
async function openShared(t: Test): Promise<Db> {
  const db = await openDatabase(t, 'sqlite')
  const sharedOf = (table: string) => sql.id(`every_${table}`)
  for (const tenant of names) {
    await fill(db, data[tenant])
    for (const table of storedTables) {
      const [rows, shared] = [
        sql`select x.*, ${sql.lit(tenants[tenant])} as tenant from ${sql.id(table)} as x`,
        sharedOf(table)
      ]
      await (tenant === 'red' ? sql`create table ${shared} as ${rows}` : sql`insert into ${shared} ${rows}`).execute(db)
    }
    for (const { down } of Object.values(listingMigrations).reverse()) await down?.(db)
  }
  for (const table of storedTables) await sql`alter table ${sharedOf(table)} rename to ${sql.id(table)}`.execute(db)
  return db
}

t.test("tables shared by all tenants, and a plugin that filters by the request's tenant", async (t) => {
  const base = await openShared(t)
  await t.test('one instance', (t) => askFor(t, base.withPlugin(filteringBy(() => storage.getStore()))))
  const instances = new Map(names.map((tenant) => [tenant, base.withPlugin(filteringBy(() => tenant))]))
  await t.test('an instance for each tenant', (t) => askFor(t, (request) => instances.get(tenantFor(request)) ?? base))
})

t.test('an instance for each request, with CamelCasePlugin and a tenant plugin', async (t) => {
  const base = await openShared(t)
  const db: ListingOptions['db'] = (request) =>
    base.withPlugin(new CamelCasePlugin()).withPlugin(filteringBy(() => tenantFor(request)))
  const tables = (db: Db) => ({
    users: db
      .selectFrom('users')
      .select(['userId as user_id', 'firstName as first_name', 'lastName as last_name', 'email'])
      .select('avatarUrl as avatar_url') as never,
    memberships: db.selectFrom('memberships').select(['userId as user_id', 'orgName as org_name']) as never,
    links: db.selectFrom('links').select(['ownerId as owner_id', 'userId as user_id']) as never
  })
  await askFor(t, db, tables)
})

t.test('the function tables is called once for each instance', async (t) => {
  const opened = { red: await openDatabase(t, 'sqlite'), green: await openDatabase(t, 'sqlite') }
  await fill(opened.red, data.red)
  await fill(opened.green, data.green)
  const given: unknown[] = []
  const tables = (db: Db) => {
    given.push(db)
    return selects(db)
  }
  const { get } = await serve(t, { db: ({ headers }) => opened[headers['x-tenant'] as 'red'], tables })
  t.strictSame(given, [])
  for (const tenant of ['red', 'green', 'red', 'green']) {
    for (const url of ['/assessment/list?search=', '/payment/list']) {
      t.equal((await get(url, { headers: { ...headersOf(admin), 'x-tenant': tenant } })).status, 200)
    }
  }
  t.equal(given.length, 2)
  t.ok(given[0] === opened.red && given[1] === opened.green)

  const one = await serve(t, { db: opened.red, tables, checkOnReady: 'error' })
  t.equal((await one.get('/payment/list', admin)).status, 200)
  t.equal(given.length, 3, 'the start-up check makes no second call')
  t.equal(given[2], opened.red)
})

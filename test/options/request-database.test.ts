import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { CamelCasePlugin, Kysely, MssqlAdapter, MssqlQueryCompiler, SelectQueryNode, sql, WhereNode } from 'kysely'
import t, { type Test } from 'tap'
import { listingMigrations } from '../../src/database/migrations.js'
import { checkDatabase, type ListingOptions, type ListingTables } from '../../src/index.js'
import { defaultLists as lists } from '../../src/lists/ready/index.js'
import { sourcesOf } from '../../src/options/request-database.js'
import { columnsOf } from '../support/fixtures/columns.js'
import * as world from '../support/fixtures/world.js'
import { admin, fill, individual, practitioner } from '../support/fixtures/world.js'
import type { Line } from '../support/hosts/log.js'
import { transforming, withSchema } from '../support/hosts/plugins.js'
import { ask, serve, shown } from '../support/hosts/server.js'
import { headersOf } from '../support/hosts/tokens.js'
import { type Data, expected } from '../support/oracle/oracle.js'
import {
  type DatabaseName,
  type Db,
  mysqlPool,
  onServers,
  openDatabase,
  postgresPool
} from '../support/servers/databases.js'
import { openMysql, openPostgres } from '../support/servers/pools.js'
import { withoutDatabase } from '../support/servers/session.js'

t.test('an instance has one source, and the option db has the only source', async (t) => {
  const [one, other] = [withoutDatabase('sqlite'), withoutDatabase('sqlite')]
  const [first, second, third] = [{}, {}, {}] as never[]
  const { of, only } = sourcesOf({ lists, db: (request) => (request === third ? other : one), tables: {} })
  t.equal(only, undefined)
  t.equal(of(first as never), of(second as never))
  t.not(of(first as never), of(third as never))

  const sources = sourcesOf({ lists, db: one, tables: {} })
  t.ok(sources.only)
  t.equal(sources.of(first as never), sources.only)
})

t.test('a call shares the sources of the requests', async (t) => {
  const [one, other] = [withoutDatabase('sqlite'), withoutDatabase('sqlite')]
  const fixed = sourcesOf({ lists, db: one, tables: {} })
  t.equal(fixed.ofCall(undefined), fixed.only)
  t.equal(fixed.ofCall(one), fixed.only)
  t.throws(() => fixed.ofCall(other), { name: 'TypeError', message: /^'db' must not be given in the call/ })

  const { of, ofCall } = sourcesOf({ lists, db: () => one, tables: {} })
  t.equal(ofCall(one), of({} as never))
  t.not(ofCall(other), ofCall(one))
  for (const wrong of [undefined, null, {}]) {
    t.throws(() => ofCall(wrong), { name: 'TypeError', message: /^'db' must be a Kysely instance in the call/ })
  }
})

t.test('selects of one instance are an error if each request has its own instance', async (t) => {
  const db = withoutDatabase('sqlite')
  const users = db.selectFrom('users').selectAll() as never
  t.throws(() => sourcesOf({ lists, db: () => db, tables: { links: 'links', users } }), {
    name: 'TypeError',
    message: /^Option 'tables': 'users' is a select of one Kysely instance, but 'db' is a function/
  })
  t.ok(sourcesOf({ lists, db: () => db, tables: { links: 'links', users: undefined } }))
  t.ok(sourcesOf({ lists, db: () => db, tables: () => ({ users }) }))
  t.ok(sourcesOf({ lists, db, tables: { users } }).only)
})

const unsupported: Db = new Kysely({
  dialect: {
    createAdapter: () => new MssqlAdapter(),
    createQueryCompiler: () => new MssqlQueryCompiler(),
    createDriver: () => ({}) as never,
    createIntrospector: () => ({}) as never
  }
})

t.test('an unsupported dialect stops the boot with one sentence', async (t) => {
  await t.rejects(async () => serve(t, { db: unsupported }), {
    message: /^The database is not supported: use MySQL, MariaDB, PostgreSQL or SQLite/
  })
})

/** The message of the log line about a request that fails with a 500. */
async function complaintOf(t: Test, options: Parameters<typeof serve>[1]): Promise<string> {
  const { get, lines } = await serve(t, options, { log: 'error' })
  const { status, text } = await get('/payment/list', admin)
  t.strictSame({ status, text }, { status: 500, text: '{"status":500,"error":"Internal server error."}' })
  t.equal(lines.length, 1)
  const [{ kind, msg = '' } = {}] = lines as Partial<Line>[]
  t.equal(kind, 'internal')
  return msg
}

t.test('an invalid result of the function db is a 500, and the log describes the result', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const transaction = await db.startTransaction().execute()
  const expected = "The function 'db' must return a Kysely instance, and must not be async; it returned"
  for (const [give, words] of [
    [() => undefined, 'undefined'],
    [() => ({ host: 'secret' }), 'an object with host'],
    // A rejection that nobody handles would end the process.
    [() => Promise.reject(new Error('no tenant')), 'a promise (give the instance that it resolves to)'],
    [() => transaction, 'a transaction (give the instance that it was begun on)']
  ] as const) {
    t.equal(await complaintOf(t, { db: give as never }), `${expected} ${words}.`)
  }
  await transaction.rollback().execute()
  const complaint = await complaintOf(t, { db: () => unsupported })
  t.match(complaint, /^The database is not supported: use MySQL, MariaDB, PostgreSQL or SQLite/)
})

/** Invalid results of the function tables, and how the message describes them. */
const wrongReturns: [value: unknown, words: string][] = [
  ['members', 'a string'],
  [Promise.resolve({ users: 'members' }), 'a promise'],
  [{ user: 'members' }, "an entry 'user' (did you mean 'users'?)"],
  [{ links: 'clients as c' }, "'links': a string"]
]

t.test('the boot, checkDatabase and the log describe an invalid result of the function tables', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const expected =
    "The function 'tables' must return an object of assessments, payments, users, practitioners, memberships, links; " +
    'each a table name ("members", "crm.members") or a Kysely select; it returned '
  for (const [value, words] of wrongReturns) {
    const tables = () => value as never
    const boot: unknown = await serve(t, { db, tables }).catch((error: unknown) => error)
    t.match(boot, { code: 'FST_LISTING_INVALID_OPTION' })
    const check: unknown = await checkDatabase({ db, tables }).catch((error: unknown) => error)
    const messages = [await complaintOf(t, { db: () => db, tables })]
    for (const error of [boot, check]) messages.push(error instanceof Error ? error.message : 'no error')
    for (const message of messages) {
      t.ok(message.startsWith(expected), message)
      t.equal(message.slice(expected.length, -1), words)
    }
  }
})

t.test('an error of the function tables rejects the boot unchanged', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const tables = () => {
    throw new Error('No schema yet.')
  }
  await t.rejects(serve(t, { db, tables }), { message: 'No schema yet.' })
  t.equal(await complaintOf(t, { db: () => db, tables }), 'tables threw an error.')
})

t.test('a table that the host adds later to the result of the function tables changes nothing', async (t) => {
  const given = { users: 'members' }
  const { only } = sourcesOf({ lists, db: withoutDatabase('sqlite'), tables: () => given })
  Object.assign(given, { practitioners: 'therapists' })
  t.doesNotThrow(() => only?.tables(['practitioners']))
})

// A caller reads only their own tenant's data, however many callers ask at once. The other databases have one round for the
// way to keep tenants apart that SQLite lacks: one pool with a schema for each tenant.

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

onServers(t, "one pool, and a plugin that selects the schema of the request's tenant", async (t, name) => {
  const [pool, schemas] = await openSchemas[name](t)
  for (const tenant of names) await fill(pool.withSchema(schemas[tenant]), data[tenant])
  await askFor(t, pool.withPlugin(withSchema(() => schemas[tenantOf(storage.getStore())])))
})

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

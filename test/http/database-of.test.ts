import { Kysely, MssqlAdapter, MssqlQueryCompiler, sql } from 'kysely'
import t, { type Test } from 'tap'
import { sourcesOf } from '../../src/http/database-of.js'
import { checkDatabase } from '../../src/index.js'
import { defaultLists as lists } from '../../src/lists/index.js'
import { type Db, databases, openDatabase } from '../support/databases.js'
import type { Line } from '../support/log.js'
import { serve } from '../support/server.js'
import { withoutDatabase } from '../support/session.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { admin } from '../support/world.js'

for (const name of databases) {
  t.test(`the function db can return another database for each request, on ${name}`, async (t) => {
    const tenants = { a: await openWorld(t, name), b: await openWorld(t, name) }
    await tenants.b.deleteFrom('payments').execute()
    const { get } = await serve(t, {
      db: ({ headers }) => tenants[String(headers['x-tenant']) as 'a']
    })
    const { authorization } = headersOf(admin)
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
    t.equal((await get('/payment/list', { headers: { authorization } })).status, 500, 'no database without a tenant')
  })
}

t.test('an instance has one source, and the option db has the only source', (t) => {
  const [one, other] = [withoutDatabase('sqlite'), withoutDatabase('sqlite')]
  const given = new Map<object, Db>()
  const { of, only } = sourcesOf({ lists, db: (request) => given.get(request) ?? one, tables: {} })
  t.equal(only, undefined)
  const [first, second, third] = [{}, {}, {}] as never[]
  given.set(third as never, other)
  t.equal(of(first as never), of(second as never))
  t.not(of(first as never), of(third as never))

  const sources = sourcesOf({ lists, db: one, tables: {} })
  t.ok(sources.only)
  t.equal(sources.of(first as never), sources.only)
  t.end()
})

t.test('a call shares the sources of the requests', (t) => {
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
  t.end()
})

t.test('selects of one instance are an error if each request has its own instance', (t) => {
  const db = withoutDatabase('sqlite')
  const users = db.selectFrom('users').selectAll() as never
  t.throws(() => sourcesOf({ lists, db: () => db, tables: { links: 'links', users } }), {
    name: 'TypeError',
    message: /^Option 'tables': 'users' is a select of one Kysely instance, but 'db' is a function/
  })
  t.ok(sourcesOf({ lists, db: () => db, tables: { links: 'links', users: undefined } }))
  t.ok(sourcesOf({ lists, db: () => db, tables: () => ({ users }) }))
  t.ok(sourcesOf({ lists, db, tables: { users } }).only)
  t.end()
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
  const expected = "The function 'db' must return a Kysely instance, and must not be async; it returned"
  for (const [given, words] of [
    [undefined, 'undefined'],
    [{ host: 'secret' }, 'an object with host'],
    [Promise.resolve(db), 'a promise (give the instance that it resolves to)']
  ] as const) {
    t.equal(await complaintOf(t, { db: () => given as never }), `${expected} ${words}.`)
  }
  const transaction = await db.startTransaction().execute()
  t.equal(
    await complaintOf(t, { db: () => transaction }),
    `${expected} a transaction (give the instance that it was begun on).`
  )
  await transaction.rollback().execute()
  const complaint = await complaintOf(t, { db: () => unsupported })
  t.match(complaint, /^The database is not supported: use MySQL, MariaDB, PostgreSQL or SQLite/)
})

/** Invalid results of the function tables, and how the message describes them. */
const wrongReturns: [value: unknown, words: string][] = [
  [undefined, 'undefined'],
  ['members', 'a string'],
  [Promise.resolve({ users: 'members' }), 'a promise'],
  [{ user: 'members' }, "an entry 'user' (did you mean 'users'?)"],
  [{ users: 42 }, "'users': 42"],
  [{ users: null }, "'users': null"],
  [{ users: () => 'members' }, "'users': a function"],
  [{ links: 'clients as c' }, "'links': a string"],
  [{ users: sql`select 1` }, /^'users': an object with /]
] as never

t.test('the boot, checkDatabase and the log describe an invalid result of the function tables', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const expected =
    "The function 'tables' must return an object of assessments, payments, users, practitioners, memberships, links; " +
    'each a table name ("members", "crm.members") or a Kysely select; it returned '
  for (const [value, words] of wrongReturns) {
    const tables = () => value as never
    const boot: unknown = await serve(t, { db, tables }).catch((error: unknown) => error)
    const check: unknown = await checkDatabase({ db, tables }).catch((error: unknown) => error)
    const messages = [await complaintOf(t, { db: () => db, tables })]
    for (const error of [boot, check]) messages.push(error instanceof Error ? error.message : 'no error')
    for (const message of messages) {
      t.ok(message.startsWith(expected), message)
      t.match(message.slice(expected.length, -1), words)
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

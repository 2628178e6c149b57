import { Kysely, MssqlAdapter, MssqlQueryCompiler } from 'kysely'
import t, { type Test } from 'tap'
import { sourcesOf } from '../../src/access/sources.js'
import { checkDatabase } from '../../src/index.js'
import { defaultLists as lists } from '../../src/lists/index.js'
import { type Db, openDatabase } from '../support/databases.js'
import type { Line } from '../support/log.js'
import { serve } from '../support/server.js'
import { withoutDatabase } from '../support/session.js'
import { admin } from '../support/world.js'

t.test('an instance has one source, and the option db has the only source', (t) => {
  const [one, other] = [withoutDatabase('sqlite'), withoutDatabase('sqlite')]
  const [first, second, third] = [{}, {}, {}] as never[]
  const { of, only } = sourcesOf({ lists, db: (request) => (request === third ? other : one), tables: {} })
  t.equal(only, undefined)
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

t.test('a table that the host adds later to the result of the function tables changes nothing', (t) => {
  const given = { users: 'members' }
  const { only } = sourcesOf({ lists, db: withoutDatabase('sqlite'), tables: () => given })
  Object.assign(given, { practitioners: 'therapists' })
  t.doesNotThrow(() => only?.tables(['practitioners']))
  t.end()
})

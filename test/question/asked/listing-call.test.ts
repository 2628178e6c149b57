import { runInNewContext } from 'node:vm'
import Fastify from 'fastify'
import t from 'tap'
import { createListings, defineOptions, payments } from '../../../src/index.js'
import { profiles } from '../../support/fixtures/profiles.js'
import { admin, individual } from '../../support/fixtures/world.js'
import { resolveRole } from '../../support/hosts/server.js'
import { openDatabase } from '../../support/servers/databases.js'
import { openWorld } from '../../support/servers/tables.js'

const asked = (search: unknown) => ({ caller: admin, query: { search } })

/** A query with a getter, which `Object.entries` does not find. */
class Query {
  get search() {
    return 'pi_'
  }
}

/** Objects from which a call would read no parameter, or not all of them. */
const notPlain: Record<string, unknown> = {
  'a class instance': new Query(),
  'an inherited property': Object.create({ search: 'pi_' }),
  'one more step of inheritance': Object.create(Object.create({ search: 'pi_' })),
  ...{ 'a Date': new Date(), 'a Map': new Map([['search', 'pi_']]), 'a Set': new Set(['search']) },
  ...{ 'an array': [['search', 'pi_']], 'an empty array': [], 'a function': () => ({ search: 'pi_' }), null: null },
  'a Date of another realm': runInNewContext('new Date()'),
  'an array of another realm': runInNewContext('[]')
}

/** Wrong calls. The error is a TypeError, or a ListingError with a status. */
const invalid: [call: unknown, error: 'TypeError' | number, message: string | RegExp][] = [
  [undefined, 'TypeError', 'A call needs an object such as { caller, query }; got undefined.'],
  [
    { caller: admin, qurey: {} },
    'TypeError',
    /^A call has .* signal, db, and not 'qurey'; got an object with caller, q/
  ],
  [{ caller: individual, reach: 'all' }, 'TypeError', /and not 'reach'/],
  [
    { caller: { userId: 1 } },
    'TypeError',
    "'caller' must have a role that is a string, or an array of strings; got an object with userId."
  ],
  [{ caller: { role: 'Admin' } }, 'TypeError', /^'caller' must have a userId that is a safe integer/],
  [{ caller: null }, 401, 'Invalid or expired token.'],
  [
    { caller: admin, query: new URLSearchParams('a=b') },
    'TypeError',
    /^'query' must be a plain object such as \{ search/
  ],
  [{ caller: admin, query: 'search=a' }, 'TypeError', /^'query' must be a plain object .*; got a string/],
  ...Object.values(notPlain).map((query): (typeof invalid)[0] => [
    { caller: admin, query },
    'TypeError',
    /^'query' must be a plain object such as \{ search: 'pi_' \}; got /
  ]),
  [{ caller: admin, query: { serch: 'a' } }, 400, /'serch' is unknown. Allowed: search/],
  [asked(['a', 'b']), 400, "The query parameter 'search' must be given only once."],
  [asked({}), 400, "The query parameter 'search' must be a text, a number or a boolean."],
  [asked([null]), 400, "The query parameter 'search' must have at least one value."],
  [asked([]), 400, "The query parameter 'search' must have at least one value."],
  [asked([undefined]), 400, "The query parameter 'search' must have at least one value."],
  [asked('\ud800'), 400, 'The query string must be percent-encoded UTF-8.'],
  [asked('\0'), 400, /control characters/],
  ...[2 ** 53, -(2 ** 53), Number('9007199254740993'), 1e300].flatMap((number): typeof invalid => [
    [
      asked(number),
      'TypeError',
      `The number in 'query.search' has lost digits: give a bigint or a text; got ${number}.`
    ],
    [
      { caller: admin, query: { processor_status: ['1', number] } },
      'TypeError',
      /'query\.processor_status' has lost digits/
    ]
  ]),
  [{ caller: admin, signal: 5 }, 'TypeError', "'signal' must be an AbortSignal; got 5."],
  [{ caller: admin, signal: null }, 'TypeError', "'signal' must be an AbortSignal; got null."],
  [{ caller: admin, signal: AbortSignal.abort() }, 499, /^The signal .* has aborted already\. Give each call a signal/],
  [{ caller: admin, db: {} }, 'TypeError', /^'db' must not be given in the call/]
]

t.test('a parameter that is undefined or null is not given, and a number is a text', async (t) => {
  const { find } = createListings({ db: await openWorld(t, 'sqlite'), resolveRole })
  const query = { search: undefined, processor_status: null, page: undefined, limit: 2 }
  t.match(await find('payments', { caller: admin, query }), { page: 1, limit: 2, total: 31 })
  t.match(await find('payments', { caller: admin, query: { page: 2n, limit: '5' } as never }), { page: 2, limit: 5 })
})

t.test('a query is any plain object: without a prototype, that of a request, or of another realm', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { find, each } = createListings({ db, resolveRole })
  const app = Fastify()
  t.teardown(() => app.close())
  let ofRequest: unknown
  app.get('/', async ({ query }) => {
    ofRequest = query
  })
  await app.inject('/?search=pi_0')
  for (const [what, query] of Object.entries({
    'without a prototype': Object.assign(Object.create(null), { search: 'pi_0' }),
    "a request's": ofRequest,
    'of another realm': runInNewContext("({ search: 'pi_0' })"),
    frozen: Object.freeze({ search: 'pi_0' })
  })) {
    const call = { caller: admin, query: query as object }
    t.match(await find('payments', call), { total: 3 }, what)
    let count = 0
    for await (const item of each('payments', call)) count += Number(item.payment_intent.startsWith('pi_0'))
    t.equal(count, 3, what)
  }
})

t.test('a bigint keeps all of its digits, and a safe number is its text', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const lists = [payments.extend({ filters: { user_id: { several: true, examples: ['1'] } } })] as const
  const { find } = createListings(defineOptions({ db, resolveRole, lists }))
  await db.updateTable('payments').set({ user_id: 9007199254740993n }).where('payment_id', '=', 99).execute()
  const totalOf = async (user_id: unknown) =>
    (await find('payments', { caller: admin, query: { user_id } as object })).total
  t.equal(await totalOf(9007199254740993n), 1)
  t.equal(await totalOf([9007199254740993n, 1n, 2]), 7)
  t.equal(await totalOf(Number.MAX_SAFE_INTEGER), 0)
})

t.test('a wrong call is refused before any statement', async (t) => {
  const statements: string[] = []
  const db = await openDatabase(t, 'sqlite', { onQuery: ({ sql }) => statements.push(sql) })
  const listings = createListings({ db, resolveRole })
  for (const [call, kind, message] of invalid) {
    const error = { message, ...(kind === 'TypeError' ? { name: kind } : { name: 'ListingError', statusCode: kind }) }
    await t.rejects(listings.find('payments', call as never), error, `find: ${message}`)
    t.throws(() => listings.each('payments', call as never), error, `each: ${message}`)
  }
  const unnamed: unknown = await listings.find('payments', { caller: null }).catch((error) => error)
  t.match(unnamed, { reason: /^'caller' is missing/ })
  const unknown = new TypeError("There is no list 'payment'. The lists are: assessments, payments.")
  await t.rejects(listings.find('payment' as 'payments', { caller: admin }), unknown)
  t.throws(() => listings.each('payment' as 'payments', { caller: admin }), unknown)
  const required = { statusCode: 400, message: "The query parameter 'search' is required; it may be empty." }
  await t.rejects(listings.find('assessments', { caller: admin } as never), required)
  const unpaged = { statusCode: 400, message: /'page' is unknown. Allowed: search, processor_status\.$/ }
  t.throws(() => listings.each('payments', { caller: admin, query: { page: 2 } as never }), unpaged)
  const none = { statusCode: 400, message: "The query parameter 'page' is unknown. Allowed: none." }
  const bare = createListings(defineOptions({ db, resolveRole, lists: [profiles] }))
  t.throws(() => bare.each('profiles', { caller: individual, query: { page: 2 } as never }), none)
  const whole = { statusCode: 400, message: /'page' must be a whole number/ }
  await t.rejects(listings.find('payments', { caller: admin, query: { page: 1.5 } }), whole)
  t.strictSame(statements, [])
})

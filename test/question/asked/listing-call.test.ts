import t from 'tap'
import { createListings } from '../../../src/index.js'
import { openDatabase } from '../../support/databases.js'
import { resolveRole } from '../../support/server.js'
import { openWorld } from '../../support/tables.js'
import { admin, individual } from '../../support/world.js'

const asked = (search: unknown) => ({ caller: admin, query: { search } })

/** Wrong calls. The error is a TypeError, or a ListingError with a status. */
const invalid: [call: unknown, error: 'TypeError' | number, message: string | RegExp][] = [
  [undefined, 'TypeError', 'A call needs an object such as { caller, query }; got undefined.'],
  [
    { caller: admin, qurey: {} },
    'TypeError',
    /^A call has .* signal, db, and not 'qurey'; got an object with caller, q/
  ],
  [{ caller: individual, reach: 'all' }, 'TypeError', /and not 'reach'/],
  [{ caller: { userId: 1 } }, 'TypeError', "'caller' must have a role that is a string; got an object with userId."],
  [{ caller: { role: 'Admin' } }, 'TypeError', /^'caller' must have a userId that is a safe integer/],
  [{ caller: null }, 401, 'Invalid or expired token.'],
  [
    { caller: admin, query: new URLSearchParams('a=b') },
    'TypeError',
    /^'query' must be a plain object such as \{ search/
  ],
  [{ caller: admin, query: 'search=a' }, 'TypeError', /^'query' must be a plain object .*; got a string/],
  [{ caller: admin, query: { serch: 'a' } }, 400, /'serch' is not known; allowed are: search/],
  [asked(['a', 'b']), 400, "The query parameter 'search' must be given only once."],
  [asked(null), 400, "The query parameter 'search' must be a text, a number or a boolean."],
  [asked([]), 400, "The query parameter 'search' must have at least one value."],
  [asked([undefined]), 400, "The query parameter 'search' must have at least one value."],
  [asked('\ud800'), 400, 'The query string must be percent-encoded UTF-8.'],
  [asked('\0'), 400, /control characters/],
  [{ caller: admin, signal: 5 }, 'TypeError', "'signal' must be an AbortSignal; got 5."],
  [{ caller: admin, signal: null }, 'TypeError', "'signal' must be an AbortSignal; got null."],
  [{ caller: admin, signal: AbortSignal.abort() }, 499, /^The signal .* has aborted already\. Give each call a signal/],
  [{ caller: admin, db: {} }, 'TypeError', /^'db' must not be given in the call/]
]

t.test('a parameter that is undefined is not given, and a number is a text', async (t) => {
  const { find } = createListings({ db: await openWorld(t, 'sqlite'), resolveRole })
  const query = { search: undefined, processor_status: undefined, page: undefined, limit: 2 }
  t.match(await find('payments', { caller: admin, query }), { page: 1, limit: 2, total: 31 })
  t.match(await find('payments', { caller: admin, query: { page: 2n, limit: '5' } as never }), { page: 2, limit: 5 })
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
  const unpaged = { statusCode: 400, message: /'page' is not known; allowed are: search, processor_status\.$/ }
  t.throws(() => listings.each('payments', { caller: admin, query: { page: 2 } as never }), unpaged)
  const whole = { statusCode: 400, message: /'page' must be a whole number/ }
  await t.rejects(listings.find('payments', { caller: admin, query: { page: 1.5 } }), whole)
  t.strictSame(statements, [])
})

/** Whatever a host's `resolveRole` and `authenticate` do, a caller never gets the rows of another user. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { assessments as assessmentList, listingOptions } from '../../src/index.js'
import { databases } from '../support/databases.js'
import { expectedOf, hostLists, hostTables, openHostLists } from '../support/host-lists.js'
import { expected } from '../support/oracle.js'
import { ask, type Caller, hostWith, serve, shown } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { admin, individual, practitioner } from '../support/world.js'
import { holds, times } from './sizes.js'

const assessments = '/assessment/list?search=&limit=100'
const payments = '/payment/list?limit=100'

const seen = async (app: FastifyInstance, url: string) => shown(await ask(app, url))
const nothing = { status: 200, total: 0, items: [] }

/** Values that are not ids, although JavaScript can convert most of them to 1. */
const notIds: unknown[] = [
  ...[undefined, null, true, 1.5, Number.NaN, 2 ** 53, 1e21, Number.POSITIVE_INFINITY, Symbol('1'), () => 1, [1]],
  ...[{ user_id: 1 }, { toString: () => '1' }, { valueOf: () => 1, [Symbol.toPrimitive]: () => 1 }],
  ...[{ toSqlString: () => '1 or 1=1' }, new String('1'), Object(1), new Date(1), Buffer.from('1'), Promise.resolve(1)],
  ...['', '1\0', '1\n', '1\ud83d']
]

/** Valid ids of no user. */
const nobodies: (string | number | bigint)[] = [
  ...[' 1', '1 ', '1\u00a0', '\ufeff1', '1\u200b', '１', '١', '01', '+1', '-1', '1.0', '1e0', '0x1', '1abc', 'true'],
  ...["1' or '1'='1", '1 or 1=1', '1/*', '1;', '1,2', '%', '_', 'null', 'x'.repeat(10_000), '1'.repeat(10_000)],
  // Without their upper bits, these would be 1 or 10.
  ...[2n ** 32n + 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n + 1n, 2n ** 64n + 10n, 2n ** 128n + 1n, 10n ** 400n, -1n],
  ...[0, -0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, '9223372036854775807', '9223372036854775808']
]

for (const name of databases) {
  t.test(`an id matches exactly one user or none on ${name}`, async (t) => {
    const db = await openHostLists(t, name)
    let userId: unknown
    const lists = [assessmentList, ...hostLists] as const
    const resolveRole = () => ({ userId, role: 'Practitioner' }) as never
    const app = await hostWith(t, {
      ...listingOptions({ db, resolveRole, lists, tables: hostTables }),
      checkOnReady: 'off'
    })
    const urls = [payments, assessments, '/certificate/list?limit=100', '/room/list?limit=100']
    for (userId of nobodies) {
      const found = await Promise.all(urls.map((url) => seen(app, url)))
      t.strictSame(found, [nothing, nothing, nothing, nothing], JSON.stringify(String(userId).slice(0, 40)))
    }
    for (userId of [10, 10n, '10']) {
      for (const url of urls) t.strictSame(await seen(app, url), expectedOf(url, practitioner))
    }
  })
}

t.test('an invalid result of resolveRole is a 500, and a strange object is read like any other', async (t) => {
  const db = await openWorld(t, 'sqlite')
  let answer: unknown
  const app = await hostWith(t, { db, resolveRole: () => answer as never })
  const throwing = new Proxy({}, { get: () => fail(), has: () => fail(), ownKeys: () => fail() })
  const invalid = [1, 1n, 'Admin', true, false, Symbol('Admin'), [], [1, 'Admin'], new Map([['userId', 1]]), throwing]
  for (answer of [...invalid, Object.assign(() => 1, { userId: 1, role: 'Admin' })]) {
    t.match(await ask(app, payments), { status: 500, body: { status: 500, error: 'Internal server error.' } })
  }
  const good = { userId: 1, role: 'Individual' }
  const strange = [
    Object.assign(Object.create(null), good),
    Object.freeze({ ...good, role: 'Individual', __proto__: { role: 'Admin' } }),
    Object.create(good),
    // biome-ignore lint/suspicious/noThenProperty: resolveRole may return any thenable
    { then: (resolve: (value: unknown) => void) => [good, { ...good, role: 'Admin' }].forEach(resolve) }
  ]
  for (answer of strange) t.strictSame(await seen(app, payments), expected(payments, individual))
})

t.test('the result of resolveRole is read once, and a later change has no effect', async (t) => {
  const db = await openWorld(t, 'sqlite')
  let caller: { userId: number; role: string }
  const turn = () => Object.assign(caller, admin)
  const app = await hostWith(t, { db, resolveRole: () => caller }, (app) => {
    app.addHook('preParsing', async () => void turn())
    app.addHook('preHandler', async () => void turn())
  })
  for (const url of [payments, assessments]) {
    caller = { userId: 1, role: 'Individual' }
    t.strictSame(await seen(app, url), expected(url, individual), 'changed by a hook')

    const reads = { userId: 0, role: 0 }
    caller = {
      get userId() {
        return reads.userId++ === 0 ? 1 : admin.userId
      },
      get role() {
        return reads.role++ === 0 ? 'Individual' : admin.role
      },
      set userId(_value) {},
      set role(_value) {}
    }
    t.strictSame(await seen(app, url), expected(url, individual), 'a getter with changing values')
  }
})

t.test('concurrent requests keep their own caller if resolveRole returns one shared object', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const people = [individual, practitioner, admin, { userId: 30, role: 'Admin' }, { userId: 30, role: 'ordinary user' }]
  // A careless cache returns one object for all requests.
  const shared = { userId: 0, role: '' }
  let asked = 0
  const resolveRole = async (request: FastifyRequest) => {
    asked++
    await sleep(asked % 3)
    return Object.assign(shared, people[Number(request.headers['x-person'])])
  }
  const { get } = await serve(t, { db, resolveRole })
  const answers = Array.from({ length: times(60, 300, 2_000) }, async (_each, index) => {
    const person = index % people.length
    const headers = { ...headersOf(admin), 'x-person': String(person) }
    const answer = shown(await get(assessments, { headers }))
    return isDeepStrictEqual(answer, expected(assessments, people[person] as Caller))
  })
  const right = (await Promise.all(answers)).filter(Boolean).length
  t.equal(right, answers.length)
  t.equal(asked, answers.length, 'resolveRole is called once for each request')
})

t.test('every thrown value, before or after the deadline, makes one error answer', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const throwing = new Proxy({}, { get: () => fail() })
  const odd = [Symbol('x'), 1n, Object.create(null), throwing, Object.freeze(new Error('x')), { statusCode: '403' }]
  const statuses = [403n, 1e21, 451.5, 'Admin', 200, 302].map((statusCode) => ({
    statusCode,
    headers: { location: '/' }
  }))
  let error: unknown
  let late = 0
  const resolveRole = async () => {
    if (late) await sleep(late)
    throw error
  }
  const app = await hostWith(t, { db, resolveRole, timeout: 100 })
  for (error of [...odd, ...statuses]) {
    const answer = await ask(app, payments)
    t.equal(answer.status, error === odd.at(-1) ? 403 : 500)
    t.strictSame(Object.keys(answer.body), ['status', 'error'])
    t.equal(answer.headers.location, undefined)
  }
  // An unhandled rejection would end this process.
  late = 150
  const answers = await Promise.all(odd.slice(0, 4).map(() => ask(app, payments)))
  for (const answer of answers) t.match(answer, { status: 504, body: { error: 'The request took too long.' } })
  await sleep(100)
})

t.test('resolveRole decides the caller, not the claims of the token', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get } = await serve(t, { db, resolveRole: () => ({ userId: 1, role: 'Individual' }) })
  t.strictSame(shown(await get(payments, admin)), expected(payments, individual))
})

t.test('an authenticate that refuses and then calls back again still refuses', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const authenticate = (_request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    done(Object.assign(new Error('no'), { statusCode: 401 }))
    done()
  }
  const answer = await ask(await hostWith(t, { db, authenticate, resolveRole: () => admin }), payments)
  t.match(answer, { status: 401, body: { status: 401, error: 'Invalid or expired token.' } })
  t.notMatch(answer.text, 'pi_')
})

/** Values that are no role, and texts that are almost the name of a role. */
const notRoles: unknown[] = [
  ...[undefined, null, 0, 1n, true, Symbol('Admin'), ['Admin'], new String('Admin'), () => 'Admin'],
  ...[{ toString: () => 'Admin' }, { Admin: 'all' }, new Map([['Admin', 'all']])],
  ...['', 'admin', ' Admin', 'Admin ', 'Admin\0', 'Admin\n', 'Ａdmin', 'Аdmin', 'Admin,Individual', 'all', 'prototype'],
  ...[...Object.getOwnPropertyNames(Object.prototype), 'Admin'.repeat(2_000)]
]

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true
})
const oddId = fc.oneof(
  anything,
  fc.integer({ min: -2, max: 31 }),
  fc.bigInt({ min: -2n, max: 31n }),
  fc.integer({ min: -2, max: 31 }).map(String),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.bigInt()
)
const oddRole = fc.oneof(anything, fc.constantFrom('Individual', 'Practitioner', 'ordinary user', 'constructor'))

t.test('every result of resolveRole gives an error or the rows of the user that it names', async (t) => {
  const db = await openWorld(t, 'sqlite')
  let answer: unknown
  const app = await hostWith(t, { db, resolveRole: () => answer as never })
  const isText = (id: unknown) =>
    typeof id === 'string' && id !== '' && !/\p{Cc}/u.test(id) && id === String(Buffer.from(id))
  const isId = (id: unknown) => Number.isSafeInteger(id) || typeof id === 'bigint' || isText(id)
  const examples: [unknown, unknown][] = [
    ...notIds.map((id): [unknown, unknown] => [id, 'Admin']),
    ...notRoles.map((role): [unknown, unknown] => [1, role])
  ]
  await holds(
    t,
    'odd callers: neither an error nor their own rows',
    fc.asyncProperty(oddId, oddRole, async (userId, role) => {
      answer = { userId, role }
      for (const url of [payments, assessments]) {
        const found = await seen(app, url)
        const isKnown = isId(userId) && typeof role === 'string'
        const wanted = isKnown
          ? expected(url, { userId: userId as string, role })
          : { status: 500, total: undefined, items: undefined }
        if (!isDeepStrictEqual(found, wanted)) throw new Error(`${url}: ${JSON.stringify([found, wanted])}`)
      }
    }),
    times(500, 3_000, 30_000),
    { examples }
  )
})

function fail(): never {
  throw new Error('looked at')
}

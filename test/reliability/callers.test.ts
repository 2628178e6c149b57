/** Whatever a host's `resolveRole` and `authenticate` do, a caller never gets the rows of another user. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import t from 'tap'
import { admin, individual, practitioner } from '../support/fixtures/world.js'
import { ask, type Caller, hostWith, serve, shown } from '../support/hosts/server.js'
import { headersOf } from '../support/hosts/tokens.js'
import { expected } from '../support/oracle/oracle.js'
import { onDatabases } from '../support/servers/databases.js'
import { openWorld } from '../support/servers/tables.js'
import { codePoint, holds, times } from './sizes.js'

const assessments = '/assessment/list?search=&limit=100'
const payments = '/payment/list?limit=100'

const db = await openWorld(t, 'sqlite')
const seen = async (app: FastifyInstance, url: string) => shown(await ask(app, url))
const nothing = { status: 200, total: 0, items: [] }
const fail = (): never => {
  throw new Error('looked at')
}
const throwing = new Proxy({}, { get: fail, has: fail, ownKeys: fail })

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

onDatabases(t, 'an id matches exactly one user or none', async (t, name) => {
  const db = await openWorld(t, name)
  let userId: unknown
  const app = await hostWith(t, { db, resolveRole: () => ({ userId, role: 'Practitioner' }) as never })
  for (userId of nobodies) {
    const found = [await seen(app, payments), await seen(app, assessments)]
    t.strictSame(found, [nothing, nothing], JSON.stringify(String(userId).slice(0, 40)))
  }
  for (userId of [10, 10n, '10']) {
    for (const url of [payments, assessments]) t.strictSame(await seen(app, url), expected(url, practitioner))
  }
})

t.test('concurrent requests keep their own caller if resolveRole returns one shared object', async (t) => {
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
  const answers = Array.from({ length: times(40, 300, 2_000) }, async (_each, index) => {
    const person = index % people.length
    const headers = { ...headersOf(admin), 'x-person': String(person) }
    const answer = shown(await get(assessments, { headers }))
    return isDeepStrictEqual(answer, expected(assessments, people[person] as Caller))
  })
  const right = (await Promise.all(answers)).filter(Boolean).length
  t.equal(right, answers.length)
  t.equal(asked, answers.length, 'resolveRole is called once for each request')
})

/** Values that are no role, and texts that are almost the name of a role. */
const notRoles: unknown[] = [
  ...[undefined, null, 0, 1n, true, Symbol('Admin'), [], ['Admin', 7], new String('Admin'), () => 'Admin'],
  ...[{ toString: () => 'Admin' }, { Admin: 'all' }, new Map([['Admin', 'all']])],
  ...['', 'admin', ' Admin', 'Admin ', 'Admin\0', 'Admin\n', 'Ａdmin', 'Аdmin', 'Admin,Individual', 'all', 'prototype'],
  ...[...Object.getOwnPropertyNames(Object.prototype), 'Admin'.repeat(2_000)]
]

/** Results that are no objects with an id and a role, although some of them are almost one. */
const noObjects: unknown[] = [
  ...[1, 1n, 'Admin', true, Symbol('Admin'), [], [1, 'Admin'], new Map([['userId', 1]]), throwing],
  Object.assign(() => 1, { userId: 1, role: 'Admin' })
]

const good = { userId: 1, role: 'Individual' }
/** Strange objects that are this caller. */
const strange: unknown[] = [
  Object.assign(Object.create(null), good),
  Object.freeze({ ...good, __proto__: { role: 'Admin' } }),
  Object.create(good),
  // biome-ignore lint/suspicious/noThenProperty: resolveRole may return any thenable
  { then: (resolve: (value: unknown) => void) => [good, { ...good, role: 'Admin' }].forEach(resolve) }
]

const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
const oddId = fc.oneof(
  anything,
  fc.integer({ min: -2, max: 31 }),
  fc.integer({ min: -2, max: 31 }).map(String),
  fc.string({ unit: codePoint }),
  fc.double(),
  fc.bigInt()
)
const someRole = fc.constantFrom('Individual', 'Practitioner', 'Admin', 'ordinary user', 'constructor')
const oddRole = fc.oneof(anything, someRole, fc.array(someRole, { maxLength: 3 }))
const odd: fc.Arbitrary<unknown> = fc.record({ userId: oddId, role: oddRole })

const isText = (id: unknown) =>
  typeof id === 'string' && id !== '' && !/\p{Cc}/u.test(id) && id === String(Buffer.from(id))
const isId = (id: unknown) => Number.isSafeInteger(id) || typeof id === 'bigint' || isText(id)

/** The caller that a result of resolveRole names, if it is one. */
function callerIn(result: unknown): Caller | undefined {
  if (noObjects.includes(result)) return undefined
  const caller = (strange.includes(result) ? good : result) as Caller
  const roles: unknown[] = [caller.role].flat()
  const areRoles = roles.every((role) => typeof role === 'string')
  return isId(caller.userId) && areRoles ? caller : undefined
}

t.test('every result of resolveRole gives an error or the rows of the user that it names', async (t) => {
  let answer: unknown
  const app = await hostWith(t, { db, resolveRole: () => answer as never })
  const examples = [
    ...[...noObjects, ...strange, ...notIds.map((userId) => ({ userId, role: 'Admin' }))],
    ...notRoles.map((role) => ({ userId: 1, role }))
  ]
  await holds(
    t,
    'odd callers: neither an error nor their own rows',
    fc.asyncProperty(odd, async (result) => {
      answer = result
      const caller = callerIn(result)
      for (const url of [payments, assessments]) {
        const found = await seen(app, url)
        const wanted = caller ? expected(url, caller) : { status: 500, total: undefined, items: undefined }
        if (!isDeepStrictEqual(found, wanted)) throw new Error(`${url}: ${JSON.stringify([found, wanted])}`)
      }
    }),
    times(200, 3_000, 30_000),
    { examples: examples.map((result): [unknown] => [result]) }
  )
})

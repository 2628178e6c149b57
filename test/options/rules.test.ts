import t from 'tap'
import { describe } from '../../src/errors/describe.js'
import { payments } from '../../src/lists/ready/payments.js'
import type { rulesFor } from '../../src/options/rules.js'
import { lessons } from '../support/fixtures/lessons.js'
import { complaint, db, refuses, told } from '../support/hosts/options.js'
import { openDatabase } from '../support/servers/databases.js'

const notNumbers = [null, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '12', '', 12n, [12], true, {}]

const noId = 'which is no id column; there are payment_id, user_id'

/** Every option, with values that it cannot have. The test of `tables` has those of its own. */
const wrong: Record<Exclude<keyof ReturnType<typeof rulesFor>, 'tables'>, unknown[]> = {
  db: [
    ...[undefined, null, false, 3306, 'mysql://root:hunter2@db/app', [db]],
    { host: 'db', user: 'root', password: 'hunter2' },
    { isTransaction: false },
    { isTransaction: false, getExecutor: 'hunter2' },
    { getExecutor: () => ({}) },
    told({ getExecutor: () => ({}), isTransaction: true }, 'a transaction (give the instance that it was begun on)'),
    told(Promise.resolve(db), 'a promise (give the instance that it resolves to)'),
    told(async () => db, 'an async function (look the tenant up in authenticate, and return its instance here)')
  ],
  resolveRole: [undefined, null, 'hunter2', { userId: 1, role: 'Admin' }],
  authenticate: [
    ...[null, false, true, 'hunter2'],
    told([], 'an empty array (leave the option out for @fastify/jwt)'),
    told([() => undefined, 'hunter2'], 'a string in the array'),
    told([undefined], 'undefined in the array')
  ],
  roles: [
    ...[null, 'all', ['Admin'], new Map([['Practitioner', 'none']])].map((roles) =>
      told({ assessments: roles }, `'assessments': ${describe(roles)}`)
    ),
    // The last one is a column of the other list.
    ...['', null, true, 1, {}, { owns: 'user_id' }].map((reach) =>
      told({ payments: { Admin: 'all', Auditor: reach } }, `'payments': 'Auditor': ${describe(reach)}`)
    ),
    told({ payments: { Auditor: ['all'] } }, "'payments': 'Auditor': an array with 'all'"),
    ...['status', 'amount', 'practitioner_id'].flatMap((own) => [
      told({ payments: { Auditor: { own } } }, `'payments': 'Auditor': { own: '${own}' }, ${noId}`),
      told(
        { payments: { Auditor: [{ linked: own }] } },
        `'payments': 'Auditor': an array with { linked: '${own}' }, ${noId}`
      )
    ]),
    ...Object.entries({
      ALL: "'ALL' (did you mean 'all'?)",
      lnked: "'lnked' (did you mean 'linked'?)",
      everything: "'everything'",
      constructor: "'constructor'",
      ['x'.repeat(1000)]: `'${'x'.repeat(64)}'`
    }).map(([reach, words]) => told({ payments: { Auditor: reach } }, `'payments': 'Auditor': ${words}`))
  ],
  defaultLimit: notNumbers,
  maxLimit: notNumbers,
  timeout: [...notNumbers, 2 ** 31],
  messages: [
    ...[500, null, () => 'hunter2'].map((internal) => told({ internal }, `'internal': ${describe(internal)}`)),
    told({ parameterMissing: '{nam} fehlt' }, "'parameterMissing': the placeholder {nam} (allowed: {name})"),
    told({ parameterMissing: '{ name } fehlt' }, "'parameterMissing': the placeholder { name } (allowed: {name})"),
    told(
      { parameterTooLong: '{name}: {maximum} {max}' },
      "'parameterTooLong': the placeholder {max} (allowed: {name}, {maximum})"
    ),
    told({ paymentsFound: '{total} payments' }, "'paymentsFound': the placeholder {total} (allowed: none)")
  ],
  unknownParameters: [
    ...[null, true, '', { utm_source: true }, [1], ['a', null], new Set(['a'])],
    told('Reject', "'Reject' (did you mean 'reject'?)"),
    told('utm_source', "'utm_source'")
  ],
  lists: [
    {},
    told([], 'an empty array'),
    told([{ name: 'payments' }], 'an object with name in the array'),
    told([payments, undefined], 'undefined in the array'),
    told([payments, payments.extend({})], "two lists with the name 'payments'"),
    ...(['path', 'operationId'] as const).map((property) => {
      const { [property]: twice } = { ...payments, ...payments.openapi }
      const same = { path: '/refund/list', operationId: 'listRefunds', [property]: twice } as const
      const other = lessons.extend({ path: same.path, openapi: { operationId: same.operationId } })
      return told([payments, other], `two lists with the ${property} '${twice}'`)
    })
  ],
  checkOnReady: [...[null, true, false, '', ['error']], told('eror', "'eror' (did you mean 'error'?)")]
}

for (const [name, values] of Object.entries(wrong)) {
  t.test(`a wrong ${name} is named, with what is expected and what came`, async (t) => refuses(t, name, values))
}

t.test('a transaction is not a database, because it ends before the server does', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await db.transaction().execute(async (transaction) => {
    const expected = 'expected a Kysely instance (not a transaction) or a function (request) => Kysely'
    const got = 'got a transaction (give the instance that it was begun on)'
    t.equal(complaint({ db: transaction }), `Option 'db': ${expected}; ${got}.`)
  })
})

const notObjects = [null, true, 'hunter2', [], ['hunter2']]

/** The options that are objects with names, and what is none. */
const wrongNames: Record<string, unknown[]> = {
  tables: [
    ...[...notObjects, new (class Tables {})()],
    told({ user: 'members' }, "an entry 'user' (did you mean 'users'?)"),
    told({ users: 'members', toString: 'members' }, "an entry 'toString'")
  ],
  roles: [
    ...[...notObjects, () => ({}), new Map()],
    told({ assessment: {} }, "an entry 'assessment' (did you mean 'assessments'?)"),
    told({ Admin: 'all' }, "an entry 'Admin'")
  ],
  messages: [
    ...[...notObjects, () => ({}), new Date()],
    told({ unauthorised: 'No.' }, "an entry 'unauthorised' (did you mean 'unauthorized'?)"),
    told({ internal: 'Oops.', constructor: 'x' }, "an entry 'constructor'")
  ]
}

for (const [name, values] of Object.entries(wrongNames)) {
  t.test(`the option ${name} is an object, and its entries have known names`, async (t) => refuses(t, name, values))
}

import { Kysely, MysqlDialect } from 'kysely'
import t from 'tap'
import type { HostTables } from '../../src/database/tables.js'
import { describe } from '../../src/errors/describe.js'
import { defaultLists } from '../../src/lists/index.js'
import { payments } from '../../src/lists/payments.js'
import { defaultMessages } from '../../src/options/messages.js'
import { rulesFor } from '../../src/options/rules.js'
import { type GivenOptions, type Settings, settingsOf } from '../../src/options/settings.js'
import type { Rule } from '../../src/options/validate.js'
import { openDatabase } from '../support/databases.js'
import { lessons } from '../support/lessons.js'

type DB = Record<string, Record<string, unknown>>

const db = new Kysely<DB>({ dialect: new MysqlDialect({ pool: {} as never }) })
const resolveRole = () => null

/** Reads options of any kind, as a host in plain JavaScript may give them; the required ones are there. */
const read = (options: Record<string, unknown> = {}): Settings =>
  settingsOf({ db, resolveRole, ...options } as unknown as GivenOptions)

/** What is said about wrong options; undefined when nothing is. */
function complaint(options: Record<string, unknown>): string | undefined {
  try {
    read(options)
    return undefined
  } catch (error) {
    if (error instanceof TypeError && Object(error).code === 'FST_LISTING_INVALID_OPTION') return error.message
    throw error
  }
}

const rules: Record<string, Rule> = rulesFor(defaultLists)
const names = Object.keys(rules)

const notNumbers = [null, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '12', '', 12n, [12], true, {}]

const notObjects = [null, true, 'hunter2', [], ['hunter2']]

/** A value, and the words for it where these are not those of `describe`. */
const words = new Map<unknown, string>()
const told = (value: unknown, text: string) => {
  words.set(value, text)
  return value
}

const noId = 'which is no id column; there are payment_id, user_id'

const wrongTables = [
  ...['', ' ', '.', 'members as m', 'a.b.c', '.members', 'crm.', 'crm..members', '`members`', '"members"', 'mem\nbers'],
  ...[1, null, true, ['members'], () => db.selectFrom('members'), {}, db],
  { isSelectQueryBuilder: true },
  { isSelectQueryBuilder: true, toOperationNode: 'hunter2' },
  { isSelectQueryBuilder: false, toOperationNode: () => ({}) }
]

/** Every option, with values that it cannot have. */
const wrong: Record<keyof ReturnType<typeof rulesFor>, unknown[]> = {
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
  tables: [
    ...[...notObjects, new (class Tables {})()],
    told({ user: 'members' }, "an entry 'user' (did you mean 'users'?)"),
    told({ users: 'members', toString: 'members' }, "an entry 'toString'"),
    ...wrongTables.map((users) => told({ users }, `'users': ${describe(users)}`))
  ],
  roles: [
    ...[...notObjects, () => ({}), new Map()],
    told({ assessment: {} }, "an entry 'assessment' (did you mean 'assessments'?)"),
    told({ Admin: 'all' }, "an entry 'Admin'"),
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
    ...[...notObjects, () => ({}), new Date()],
    told({ unauthorised: 'No.' }, "an entry 'unauthorised' (did you mean 'unauthorized'?)"),
    told({ internal: 'Oops.', constructor: 'x' }, "an entry 'constructor'"),
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
  t.test(`a wrong ${name} is named, with what is expected and what came`, (t) => {
    for (const value of values) {
      const message = complaint({ [name]: value })
      const got = words.get(value) ?? describe(value)
      t.equal(message, `Option '${name}': expected ${rules[name]?.expected}; got ${got}.`)
      t.notMatch(message, 'hunter2')
    }
    t.end()
  })
}

t.test('a transaction is not a database, because it ends before the server does', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await db.transaction().execute(async (transaction) => {
    const expected = 'expected a Kysely instance (not a transaction) or a function (request) => Kysely'
    const got = 'got a transaction (give the instance that it was begun on)'
    t.equal(complaint({ db: transaction }), `Option 'db': ${expected}; ${got}.`)
  })
})

t.test('an option that does not exist is named, with those that do, and its value is not shown', (t) => {
  const like = { Db: 'db', maxlimit: 'maxLimit', table: 'tables' }
  for (const name of ['password', '', 'constructor', 'prefixes', 'relations', '__proto__', ...Object.keys(like)]) {
    const hint = Object.hasOwn(like, name) ? ` Did you mean '${like[name as keyof typeof like]}'?` : ''
    const expected = `Unknown option '${name}'.${hint} The options are: ${names.join(', ')}.`
    for (const value of ['hunter2', undefined]) t.equal(complaint(Object.fromEntries([[name, value]])), expected)
  }
  t.end()
})

t.test('a default limit above the largest limit is refused', (t) => {
  const tooLarge = (most: number, got: number) =>
    `Option 'defaultLimit': expected at most maxLimit (${most}); got ${got}.`
  t.equal(complaint({ defaultLimit: 11, maxLimit: 10 }), tooLarge(10, 11))
  t.equal(complaint({ defaultLimit: 101 }), tooLarge(100, 101))
  for (const options of [{ defaultLimit: 10, maxLimit: 10 }, { defaultLimit: 100 }, { maxLimit: 12 }]) {
    t.equal(complaint(options), undefined, JSON.stringify(options))
  }
  t.equal(read({ maxLimit: 5 }).defaultLimit, 5, 'the default is never over maxLimit')
  t.end()
})

t.test('what is not given has its default, and so has what is undefined', (t) => {
  const optional = {
    authenticate: [],
    tables: {},
    defaultLimit: 12,
    maxLimit: 100,
    timeout: 10_000,
    messages: defaultMessages,
    unknownParameters: 'reject',
    checkOnReady: 'error'
  }
  const undefineds = Object.fromEntries(Object.keys(optional).map((name) => [name, undefined]))
  for (const { lists, ...others } of [read(), read({ ...undefineds, lists: undefined, roles: undefined })]) {
    const names = lists.map(({ name }) => name)
    t.strictSame([names, others], [['assessments', 'payments'], { ...optional, db, resolveRole, newRoles: [] }])
    t.equal(others.db, db)
  }
  // What Fastify itself takes at registration is no setting.
  const settings = read({ prefix: '/v1', logLevel: 'warn', logSerializers: {} })
  t.strictSame(Object.keys(settings).sort(), names.join().replace('roles', 'newRoles').split(',').sort())
  t.end()
})

t.test('what is given is taken as it is', (t) => {
  const select = db.selectFrom('members').select('id as user_id')
  const every = { assessments: 'a', payments: 'p', users: 'u', practitioners: 'q', memberships: 'm', links: 'l' }
  const ways: Partial<Record<keyof typeof wrong, unknown[]>> = {
    db: [db, () => db, { getExecutor: () => ({}), isTransaction: false }],
    resolveRole: [() => null, async () => ({ userId: 1, role: 'Admin' })],
    authenticate: [async () => undefined, [async () => undefined, () => undefined]],
    tables: [{}, { users: 'crm.members', links: 'Ünïcode-Tabelle' }, { users: select }, every, () => ({})],
    defaultLimit: [1, 100],
    maxLimit: [12, 1_000_000, Number.MAX_SAFE_INTEGER],
    timeout: [1, 2 ** 31 - 1],
    unknownParameters: ['reject', 'ignore', [], ['utm_source', 'lang']],
    checkOnReady: ['error', 'warn', 'off']
  }
  for (const [name, values] of Object.entries(ways)) {
    for (const value of values) {
      const setting = read({ [name]: value })[name as keyof Settings]
      if (name === 'authenticate') t.strictSame(setting, [value].flat(), name)
      else if (typeof value === 'function' || name === 'db') t.equal(setting, value, name)
      else t.strictSame(setting, value, `${name}: ${JSON.stringify(value)}`)
    }
  }
  t.equal((read({ tables: { users: select } }).tables as HostTables).users, select)
  t.end()
})

t.test('messages and roles replace the default ones one by one, and undefined ones replace none', (t) => {
  const { messages } = read({ messages: { internal: 'Uff.', timeout: '', unavailable: undefined } })
  t.strictSame(messages, { ...defaultMessages, internal: 'Uff.', timeout: '' })
  const roles = {
    assessments: { Practitioner: { own: 'practitioner_id' } },
    payments: { Admin: undefined, Clerk: 'own', Individual: 'all' }
  }
  const { lists, newRoles } = read({ roles: Object.assign(Object.create(null), roles) })
  t.strictSame(lists[0]?.roles.Practitioner, { own: 'practitioner_id' })
  t.strictSame(lists[1]?.roles, { ...payments.roles, Clerk: 'own', Individual: 'all' })
  t.match(newRoles, ['Clerk'], 'the roles that no list names')
  t.strictSame(read({ tables: { users: undefined }, roles: { payments: undefined } }), {
    ...read(),
    tables: { users: undefined }
  })
  t.end()
})

t.test('a table of links that a role names is one of the tables, and no list', (t) => {
  const desk = { linked: 'user_id', by: 'clinic_staff' } as const
  const roles = { payments: { Desk: [{ own: 'user_id' }, desk] } }
  t.strictSame(read({ roles, tables: { clinic_staff: 'staff' } }).tables, { clinic_staff: 'staff' })
  t.throws(() => read({ tables: { clinic_staff: 'staff' } }), /an entry 'clinic_staff'/)
  const both = "Option 'lists': 'assessments' is a list and a table of links; rename one of them."
  t.throws(() => read({ roles: { payments: { Desk: { ...desk, by: 'assessments' } } } }), { message: both })
  t.end()
})

t.test('the settings cannot be changed, and do not change with the options, which may be frozen', (t) => {
  const make = () => ({
    db,
    resolveRole,
    maxLimit: 50,
    tables: { users: 'members' },
    roles: { payments: { Auditor: 'all' as 'all' | 'none', Agent: [{ own: 'payment_id' as const }] } },
    messages: { internal: 'Uff.' },
    unknownParameters: ['lang']
  })
  const [given, frozen] = [make(), make()]
  for (const part of [frozen, frozen.roles.payments, ...Object.values(frozen)]) Object.freeze(part)
  const settings = settingsOf(given)
  t.strictSame(given, make())
  t.strictSame(settingsOf(frozen), settings)
  for (const part of [settings, settings.tables, settings.lists[1]?.roles, ...settings.lists, settings.messages]) {
    t.ok(Object.isFrozen(part))
  }
  given.maxLimit = 1
  given.tables.users = 'others'
  given.messages.internal = 'Changed.'
  given.unknownParameters.push('staus')
  given.roles.payments.Auditor = 'none'
  given.roles.payments.Agent.pop()
  t.strictSame(settings, settingsOf(frozen))
  t.end()
})

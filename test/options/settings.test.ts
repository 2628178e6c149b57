import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import t from 'tap'
import type { HostTables } from '../../src/database/tables.js'
import { describe } from '../../src/errors/describe.js'
import { column } from '../../src/lists/columns.js'
import { defineList } from '../../src/lists/define-list.js'
import { payments } from '../../src/lists/payments.js'
import { defaultMessages } from '../../src/options/messages.js'
import type { ListingOptions } from '../../src/options/options.js'
import { type GivenOptions, type Settings, settingsOf } from '../../src/options/settings.js'
import { openDatabase } from '../support/databases.js'

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

const names =
  'db, resolveRole, authenticate, tables, lists, visibility, defaultLimit, maxLimit, timeout, messages, unknownParameters, ' +
  'checkOnReady'

/** The lists have what the option `visibility` says. Its new roles are told at the boot. */
const settingNames = names.replace('visibility', 'newRoles').split(', ').sort()

const wholeNumber = 'a whole number from 1'

/** Every option's rule, in words. */
const expectations = {
  db: 'a Kysely instance (not a transaction) or a function (request) => Kysely',
  resolveRole: 'a function (request) => { userId, role } | null',
  authenticate: 'a Fastify onRequest hook or an array of such hooks',
  tables:
    'an object of assessments, payments, users, practitioners, memberships, links; each a table name ("members", "crm.members") or a Kysely select; or a function (db) => such an object',
  visibility:
    'an object of assessments, payments; each an object of role names with own, linked, all, none or { own: an id column of the list }',
  defaultLimit: wholeNumber,
  maxLimit: wholeNumber,
  timeout: 'a whole number of milliseconds from 1 to 2147483647',
  messages:
    'an object of strings: parameterMissing, parameterRepeated, parameterUnknown, ' +
    'parameterNotPositive, parameterNotAllowed, parameterNotTime, parameterNotDate, parameterNotNumber, parameterNotInteger, parameterRangeReversed, ' +
    'parameterTooMany, parameterTooLong, parameterControlCharacters, ' +
    'queryEncoding, unauthorized, internal, unavailable, timeout, assessmentsFound, assessmentsForbidden, ' +
    'paymentsFound, paymentsForbidden',
  unknownParameters: "'reject', 'ignore' or an array of parameter names",
  checkOnReady: "'error', 'warn' or 'off'"
}
type Name = keyof typeof expectations

const notNumbers = [null, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '12', '', 12n, [12], true, {}]

const notObjects = [null, true, 'hunter2', [], ['hunter2']]

/** A value, and the words for it where these are not those of `describe`. */
class Told {
  constructor(
    readonly value: unknown,
    readonly words: string
  ) {}
}
const told = (value: unknown, words: string) => new Told(value, words)

const wrongTables = [
  ...['', ' ', '.', 'members as m', 'a.b.c', '.members', 'crm.', 'crm..members', '`members`', '"members"', 'mem\nbers'],
  ...[1, null, true, ['members'], () => db.selectFrom('members'), {}, db],
  { isSelectQueryBuilder: true },
  { isSelectQueryBuilder: true, toOperationNode: 'hunter2' },
  { isSelectQueryBuilder: false, toOperationNode: () => ({}) }
]

/** Every option, with values that it cannot have. */
const wrong: Record<Name, unknown[]> = {
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
    ...notObjects,
    told({ user: 'members' }, "an entry 'user' (did you mean 'users'?)"),
    told({ users: 'members', toString: 'members' }, "an entry 'toString'"),
    ...wrongTables.map((users) => told({ users }, `'users': ${describe(users)}`))
  ],
  visibility: [
    ...[...notObjects, () => ({})],
    told({ assessment: {} }, "an entry 'assessment' (did you mean 'assessments'?)"),
    told({ Admin: 'all' }, "an entry 'Admin'"),
    ...[null, 'all', ['Admin']].map((roles) => told({ assessments: roles }, `'assessments': ${describe(roles)}`)),
    ...['', null, true, 1, ['all'], {}, { own: 'status' }, { own: 'amount' }].map((reach) =>
      told({ payments: { Admin: 'all', Auditor: reach } }, `'payments': 'Auditor': ${describe(reach)}`)
    ),
    ...(
      [
        ['ALL', "'ALL' (did you mean 'all'?)"],
        ['lnked', "'lnked' (did you mean 'linked'?)"],
        ['everything', "'everything'"],
        ['constructor', "'constructor'"],
        ['x'.repeat(1000), `'${'x'.repeat(64)}'`]
      ] as const
    ).map(([reach, words]) => told({ payments: { Auditor: reach } }, `'payments': 'Auditor': ${words}`))
  ],
  defaultLimit: notNumbers,
  maxLimit: notNumbers,
  timeout: [...notNumbers, 2 ** 31],
  messages: [
    ...[...notObjects, () => ({})],
    told({ unauthorised: 'No.' }, "an entry 'unauthorised' (did you mean 'unauthorized'?)"),
    told({ internal: 'Oops.', constructor: 'x' }, "an entry 'constructor'"),
    ...[500, null, () => 'hunter2'].map((internal) => told({ internal }, `'internal': ${describe(internal)}`)),
    ...(
      [
        ['parameterMissing', '{nam} fehlt', '{nam} (allowed: {name})'],
        ['parameterMissing', '{ name } fehlt', '{ name } (allowed: {name})'],
        ['parameterTooLong', '{name}: {maximum} {max}', '{max} (allowed: {name}, {maximum})'],
        ['paymentsFound', '{total} payments', '{total} (allowed: none)']
      ] as const
    ).map(([name, text, words]) => told({ [name]: text }, `'${name}': the placeholder ${words}`))
  ],
  unknownParameters: [
    ...[null, true, '', { utm_source: true }, [1], ['a', null], new Set(['a'])],
    told('Reject', "'Reject' (did you mean 'reject'?)"),
    told('utm_source', "'utm_source'")
  ],
  checkOnReady: [...[null, true, false, '', ['error']], told('eror', "'eror' (did you mean 'error'?)")]
}

for (const [name, values] of Object.entries(wrong)) {
  t.test(`a wrong ${name} is named, with what is expected and what came`, (t) => {
    for (const each of values) {
      const { value, words } = each instanceof Told ? each : told(each, describe(each))
      const message = complaint({ [name]: value })
      t.equal(message, `Option '${name}': expected ${expectations[name as Name]}; got ${words}.`)
      t.notMatch(message, 'hunter2')
    }
    t.end()
  })
}

t.test('a transaction is not a database: it ends before the server does', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await db.transaction().execute(async (transaction) => {
    t.match(
      complaint({ db: transaction }),
      /^Option 'db': .* got a transaction \(give the instance that it was begun on\)\.$/
    )
  })
})

t.test('an option that does not exist is named, with those that do, and its value is not shown', (t) => {
  for (const [name, hint] of [
    ...['password', '', 'constructor', 'prefixes', 'relations', '__proto__'].map((name) => [name, ''] as const),
    ...[
      ['Db', 'db'],
      ['maxlimit', 'maxLimit'],
      ['table', 'tables']
    ].map(([name, known]) => [name, ` Did you mean '${known}'?`] as const)
  ]) {
    const expected = `Unknown option '${name}'.${hint} The options are: ${names}.`
    for (const value of ['hunter2', undefined]) t.equal(complaint(Object.fromEntries([[name, value]])), expected)
  }
  t.end()
})

t.test('a default limit above the largest limit is refused', (t) => {
  const cases: [options: Record<string, unknown>, expected: string | undefined][] = [
    [{ defaultLimit: 11, maxLimit: 10 }, "Option 'defaultLimit': expected at most maxLimit (10); got 11."],
    [{ defaultLimit: 101 }, "Option 'defaultLimit': expected at most maxLimit (100); got 101."],
    [{ defaultLimit: 10, maxLimit: 10 }, undefined],
    [{ defaultLimit: 100 }, undefined],
    [{ maxLimit: 12 }, undefined]
  ]
  for (const [options, expected] of cases) t.equal(complaint(options), expected, JSON.stringify(options))
  t.equal(read({ maxLimit: 5 }).defaultLimit, 5, 'the default is never over maxLimit')
  t.end()
})

t.test('what is not given has its default, and so has what is undefined', (t) => {
  const defaults = {
    db,
    resolveRole,
    authenticate: [],
    tables: {},
    newRoles: [],
    defaultLimit: 12,
    maxLimit: 100,
    timeout: 10_000,
    messages: defaultMessages,
    unknownParameters: 'reject',
    checkOnReady: 'error'
  }
  const { db: _db, resolveRole: _resolveRole, newRoles: _newRoles, ...optional } = defaults
  const undefineds = Object.fromEntries(Object.keys(optional).map((name) => [name, undefined]))
  for (const { lists, ...others } of [read(), read(undefineds)]) {
    t.strictSame(
      lists.map(({ name }) => name),
      ['assessments', 'payments']
    )
    t.strictSame(others, defaults)
    t.equal(others.db, db)
  }
  t.strictSame(Object.keys(read()).sort(), settingNames, 'every option is there')
  t.end()
})

t.test('what is given is taken as it is', (t) => {
  const select = db.selectFrom('members').select('id as user_id')
  const postgres = new Kysely<DB>({ dialect: new PostgresDialect({ pool: {} as never }) })
  const ways: Partial<Record<Name, unknown[]>> = {
    db: [db, () => db, postgres, { getExecutor: () => ({}), isTransaction: false }],
    resolveRole: [() => null, async () => ({ userId: 1, role: 'Admin' })],
    authenticate: [
      async () => undefined,
      (_request: unknown, _reply: unknown, done: () => void) => done(),
      [async () => undefined, () => undefined]
    ],
    tables: [
      {},
      { users: 'members' },
      { users: 'crm.members', links: 'Ünïcode-Tabelle' },
      { users: select },
      { assessments: 'a', payments: 'p', users: 'u', practitioners: 'q', memberships: 'm', links: 'l' },
      () => ({})
    ],
    defaultLimit: [1, 100],
    maxLimit: [12, 1_000_000, Number.MAX_SAFE_INTEGER],
    timeout: [1, 2 ** 31 - 1],
    messages: [],
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

t.test('messages replace the default ones one by one', (t) => {
  t.strictSame(read({ messages: { internal: 'Uff.', timeout: '', unavailable: undefined } }).messages, {
    ...defaultMessages,
    internal: 'Uff.',
    timeout: ''
  })
  t.end()
})

t.test('a role can have own records by any id column of the list', (t) => {
  const { lists } = read({ visibility: { assessments: { Practitioner: { own: 'practitioner_id' } } } })
  t.strictSame(lists[0]?.roles.Practitioner, { own: 'practitioner_id' })
  t.end()
})

t.test('parts of an option that are undefined are as if they were left out', (t) => {
  t.strictSame(read({ tables: { users: undefined }, visibility: { payments: undefined } }), {
    ...read(),
    tables: { users: undefined }
  })
  const { lists } = read({ visibility: { payments: { Admin: undefined, Auditor: undefined } } })
  t.strictSame(lists[1]?.roles, payments.roles, 'a reach')
  t.end()
})

t.test('what Fastify itself takes at registration passes, and is no setting', (t) => {
  const settings = read({ prefix: '/v1', logLevel: 'warn', logSerializers: {} })
  t.strictSame(Object.keys(settings).sort(), settingNames)
  t.end()
})

t.test("the host's options stay as they are, and may be frozen", (t) => {
  const make = () => ({
    db,
    resolveRole,
    tables: Object.freeze({ users: 'members' }),
    visibility: Object.freeze({ assessments: Object.freeze({ Auditor: 'all' as const }) }),
    messages: Object.freeze({ internal: 'Uff.' }),
    unknownParameters: Object.freeze(['lang'])
  })
  const frozen = Object.freeze(make())
  t.strictSame(settingsOf(frozen), settingsOf(make()))

  const given = make()
  settingsOf(given)
  t.strictSame(given, make())
  t.notOk(Object.isFrozen(given), 'and are not frozen')
  t.end()
})

t.test('the settings cannot be changed, and do not change when the host changes its options', (t) => {
  const visibility: ListingOptions['visibility'] = { payments: { Auditor: 'all' } }
  const given = {
    maxLimit: 50,
    tables: { users: 'members' },
    messages: { internal: 'Uff.' },
    unknownParameters: ['lang'],
    visibility
  }
  const settings = read(given)
  for (const part of [settings, settings.tables, settings.lists[1]?.roles, ...settings.lists, settings.messages]) {
    t.ok(Object.isFrozen(part))
  }
  given.maxLimit = 1
  given.tables.users = 'others'
  given.messages.internal = 'Changed.'
  given.unknownParameters.push('staus')
  Object.assign(visibility?.payments ?? {}, { Auditor: 'none' })
  t.match(settings, { maxLimit: 50, tables: { users: 'members' }, messages: { internal: 'Uff.' } })
  t.strictSame(settings.unknownParameters, ['lang'])
  t.match(settings.lists, [{}, { roles: { Auditor: 'all' } }])
  t.end()
})

t.test('only plain objects are taken where an object is expected', (t) => {
  for (const options of [
    { visibility: { payments: new Map([['Practitioner', 'none']]) } },
    { visibility: new Map() },
    { messages: new Date() },
    { tables: new (class Tables {})() }
  ]) {
    t.type(complaint(options), 'string')
  }
  t.equal(complaint({ visibility: Object.assign(Object.create(null), { payments: {} }) }), undefined)
  t.end()
})

t.test('the boot names a value that is no list, and two lists of one name', (t) => {
  const told: [lists: unknown, message: string][] = [
    [{}, 'an object with no properties'],
    [[], 'an empty array'],
    [[{ name: 'payments' }], 'an object with name in the array'],
    [[payments, undefined], 'undefined in the array'],
    [[payments, payments], "two lists with the name 'payments'"]
  ]
  for (const [lists, got] of told) {
    t.equal(complaint({ lists }), `Option 'lists': expected an array of lists, each made by defineList; got ${got}.`)
  }
  t.end()
})

t.test('no two lists have a name, a path or an operationId in common', (t) => {
  const listLike = (same: { name?: string; path?: `/${string}`; operationId?: string }) => {
    const { name, path, operationId } = {
      name: 'refunds',
      path: '/refund/list' as const,
      operationId: 'listRefunds',
      ...same
    }
    return defineList({
      name,
      path,
      key: 'data',
      openapi: { name: 'Refund', operationId, summary: 'List refunds', description: 'The refunds.' },
      fields: { id: column.id({ examples: ['1'] }) },
      columns: { user_id: column.id(), made_at: column.wallTime({ whenNull: 'error' }) },
      id: 'id',
      owner: 'user_id',
      newest: 'made_at',
      roles: { Admin: 'all' },
      messages: { found: 'Found.', forbidden: 'No.' }
    })
  }
  t.equal(complaint({ lists: [payments, listLike({})] }), undefined)
  for (const property of ['name', 'path', 'operationId'] as const) {
    const { [property]: value } = { ...payments, ...payments.openapi, name: payments.name }
    t.match(
      complaint({ lists: [payments, listLike({ [property]: value })] }),
      `two lists with the ${property} '${value}'`
    )
  }
  t.end()
})

t.test('a role in visibility is new if no list names it, and its own column is one of that list', (t) => {
  t.strictSame(read({ visibility: { payments: { Admin: 'own', Clerk: 'own' } } }).newRoles, ['Clerk'])
  const ownBy = (list: string) => complaint({ visibility: { [list]: { Coach: { own: 'practitioner_id' } } } })
  t.equal(ownBy('assessments'), undefined)
  t.match(ownBy('payments'), "Option 'visibility': expected an object of assessments, payments")
  t.end()
})

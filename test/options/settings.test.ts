import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import type { HostTables } from '../../src/database/tables.js'
import { defaultMessages } from '../../src/errors/client-texts.js'
import { checkDatabase } from '../../src/index.js'
import { column } from '../../src/lists/column.js'
import { defineList } from '../../src/lists/define-list.js'
import { payments } from '../../src/lists/ready/payments.js'
import { type GivenOptions, type Settings, settingsOf } from '../../src/options/settings.js'
import { shifts } from '../support/fixtures/shifts.js'
import { complaint, db, read, resolveRole, rules } from '../support/hosts/options.js'

const names = Object.keys(rules)

t.test('an option that does not exist is named, with those that do, and its value is not shown', async (t) => {
  const like = { Db: 'db', maxlimit: 'maxLimit', table: 'tables' }
  for (const name of ['password', '', 'constructor', 'prefixes', 'relations', '__proto__', ...Object.keys(like)]) {
    const hint = Object.hasOwn(like, name) ? ` Did you mean '${like[name as keyof typeof like]}'?` : ''
    const expected = `Unknown option '${name}'.${hint} The options are: ${names.join(', ')}.`
    for (const value of ['hunter2', undefined]) t.equal(complaint(Object.fromEntries([[name, value]])), expected)
  }
})

t.test('a default limit above the largest limit is refused', async (t) => {
  const tooLarge = (most: number, got: number) =>
    `Option 'defaultLimit': expected at most maxLimit (${most}); got ${got}.`
  t.equal(complaint({ defaultLimit: 11, maxLimit: 10 }), tooLarge(10, 11))
  t.equal(complaint({ defaultLimit: 101 }), tooLarge(100, 101))
  for (const options of [{ defaultLimit: 10, maxLimit: 10 }, { defaultLimit: 100 }, { maxLimit: 12 }]) {
    t.equal(complaint(options), undefined, JSON.stringify(options))
  }
  t.equal(read({ maxLimit: 5 }).defaultLimit, 5, 'the default is never over maxLimit')
})

t.test('what is not given has its default, and so has what is undefined', async (t) => {
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
})

t.test('what is given is taken as it is', async (t) => {
  const select = db.selectFrom('members').select('id as user_id')
  const every = { assessments: 'a', payments: 'p', users: 'u', practitioners: 'q', memberships: 'm', links: 'l' }
  const ways: Partial<Record<keyof GivenOptions, unknown[]>> = {
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
})

t.test('messages and roles replace the default ones one by one, and undefined ones replace none', async (t) => {
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
})

t.test(
  'a field for a role that the list does not name is a mistake, for the checks too, and the hint names a similar role',
  async (t) => {
    const { definition } = shifts
    const listFor = (...roles: string[]) => {
      const note = column.text({ roles: ['Lead', ...roles], examples: ['Late.'] })
      return defineList({ ...definition, fields: { ...definition.fields, note } } as never)
    }
    const advice = "give the role a reach in the definition or in the option 'roles'"
    const message = (role: string, hint = '') =>
      `List 'shifts': field 'note' is for the role '${role}', which the list does not name: ${advice}${hint}.`
    const code = 'FST_LISTING_INVALID_OPTION'
    for (const [role, hint] of [
      ['Admn', " (did you mean 'Admin'?)"],
      ['admin', " (did you mean 'Admin'?)"],
      ['Nurse'],
      ['__proto__'],
      ['toString']
    ] as const) {
      const lists = [listFor(role)]
      t.equal(complaint({ lists }), message(role, hint))
      t.throws(() => conformance(() => ({}) as never, { lists } as never), { code, message: message(role, hint) })
      await t.rejects(checkDatabase({ db, lists } as never), { code, message: message(role, hint) })
    }
    // The roles of the definition, and those of the option.
    const lists = [listFor('Desk', 'Nurse')]
    const roles = { shifts: { Nurse: 'none', Carer: undefined } }
    t.equal(complaint({ lists, roles }), undefined)
    t.ok(conformance(() => ({}) as never, { lists, roles } as never))
    const of = (role: string) => complaint({ lists: [listFor(role)], roles })
    t.equal(of('Nurs'), message('Nurs', " (did you mean 'Nurse'?)"))
    t.equal(of('Carer'), message('Carer'), 'a role whose reach is undefined')
    t.equal(complaint({ lists: [listFor('Nurse'), payments], roles: { payments: { Nurse: 'all' } } }), message('Nurse'))
  }
)

t.test('the settings cannot be changed, and do not change with the options, which may be frozen', async (t) => {
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
})

import t from 'tap'
import { roleNoticer } from '../../src/http/role-notices.js'
import { assessments, defineList, type List, payments, type RoleReach } from '../../src/index.js'
import { lessons, lessonTables, openLessons } from '../support/fixtures/lessons.js'
import { type Options, resolveRole, serve } from '../support/hosts/server.js'
import { openDatabase } from '../support/servers/databases.js'
import { openWorld } from '../support/servers/tables.js'

t.test('the boot warns of no role of a list, whatever it resembles', async (t) => {
  const warnings: unknown[] = []
  const log = { warn: (...line: unknown[]) => warnings.push(line) }
  const list: List = { ...payments, roles: { Student: 'own', Students: 'all' } }
  roleNoticer({ log } as never, { lists: [list], newRoles: [] })
  t.strictSame(warnings, [])
})

t.test('the boot warns of a role of the option that resembles one of the lists, and of no other', async (t) => {
  const misspelt = { Practicioner: 'none', ADMIN: 'all', Auditor: 'all', Individual: 'none' } as const
  const roles = { assessments: misspelt, payments: misspelt }
  const { lines } = await serve(t, { db: await openDatabase(t, 'sqlite'), roles }, { log: 'warn' })
  t.strictSame(
    lines.map(({ msg }) => msg),
    [
      "The role 'Practicioner' is new, or misspelt in the option roles (did you mean 'Practitioner'?).",
      "The role 'ADMIN' is new, or misspelt in the option roles (did you mean 'Admin'?)."
    ]
  )
})

t.test('a host adds roles and changes reaches, and their callers are not logged as unknown', async (t) => {
  const roles = { payments: { Auditor: 'all', Individual: 'linked' } } as const
  const { get, lines } = await serve(t, { db: await openWorld(t, 'sqlite'), roles }, { log: 'warn' })
  for (const [role, total] of Object.entries({ Auditor: 31, Individual: 9, Practitioner: 3 })) {
    t.match((await get('/payment/list', { userId: 10, role })).body, { total }, role)
  }
  t.strictSame(lines, [])
})

const statements: unknown[] = []
const db = await openWorld(t, 'sqlite', { onQuery: (query) => statements.push(query) })

t.test('each of the first hundred unknown roles is logged once', async (t) => {
  const { get, lines } = await serve(t, { db }, { log: 'warn' })
  const logged = async (roles: string[]) => {
    lines.length = 0
    for (const role of roles) await get('/payment/list', { userId: 1, role })
    return lines.map(({ role }) => role)
  }
  const unknown = ['ADMIN', 'Admin ', 'constructor', '__proto__', '']
  t.strictSame(await logged(['Admin', ...unknown, 'ADMIN', 'x'.repeat(1000)]), [...unknown, 'x'.repeat(64)])
  lines.length = 0
  await get('/payment/list', { userId: 1, role: ['Admin', 'Owner', 'Auditor', 'Owner'] as never })
  t.strictSame(
    lines.map(({ role }) => role),
    ['Owner', 'Auditor'],
    'each of several'
  )
  t.equal((await logged(Array.from({ length: 100 }, (_, index) => `made up ${index}`))).length, 92)
})

t.test('the boot warns of a role with records by another column that another list does not name', async (t) => {
  const db = await openLessons(t, 'sqlite')
  const tables = lessonTables(db, 'sqlite')
  const options = { db, resolveRole, lists: [payments, lessons], tables } as never as Options
  const { texts } = await serve(t, options, { log: 'warn' })
  t.match(
    texts.join(),
    /The role 'Instructor' has records by another column in one list, and is any other role in 'payments': give it a reach/
  )
  const roles = { payments: { Instructor: 'none' } } as const
  const quiet = await serve(t, { ...options, roles }, { log: 'warn' })
  t.notMatch(quiet.texts.join(), /another column/)
  const refusing = await serve(t, { ...options, lists: [assessments, lessons] } as never, { log: 'warn' })
  t.notMatch(refusing.texts.join(), /another column/, 'a list that refuses other roles')
  const open = defineList({ ...payments.definition, otherRoles: 'all' } as never)
  const shown = await serve(t, { ...options, lists: [open, lessons] } as never, { log: 'warn' })
  t.notMatch(shown.texts.join(), /another column/, 'a list that other roles see whole')
  const openapi = { ...lessons.definition.openapi, name: 'Exam', operationId: 'listExams' }
  const exams = defineList({ ...lessons.definition, name: 'exams', path: '/exam/list', openapi } as never)
  const three = { ...options, lists: [payments, lessons, exams], tables: { ...tables, exams: tables.lessons } }
  const { texts: ofThree } = await serve(t, three as never, { log: 'warn' })
  t.equal(ofThree.filter((text) => /'Instructor' has.*'payments'/.test(text)).length, 1, 'once, in however many lists')
  for (const role of ['Student', 'Individual']) await quiet.get('/payment/list', { userId: 1, role })
  t.notMatch(quiet.texts.join(), 'The role is unknown', 'a role of any list is known')
})

t.test('the boot warns of a role only where lists compare its userId with ids of two kinds', async (t) => {
  const warnings: string[] = []
  const log = { warn: (line: string) => warnings.push(line) }
  const warned = (reach: RoleReach, otherRoles: RoleReach = 'own') => {
    warnings.length = 0
    const staff: List = { ...assessments, name: 'staff', roles: { Coach: reach }, otherRoles: 'none' }
    roleNoticer({ log } as never, { lists: [{ ...payments, otherRoles }, staff], newRoles: [] })
    return warnings.map((line) => line.slice(0, 44))
  }
  const told = ["The role 'Coach' has records by another colu"]
  const coach = { own: 'practitioner_id' } as const
  t.strictSame(warned(coach), told)
  t.strictSame(warned([{ where: { status: 'pending' } }, { linked: 'user_id', by: 'teams' }]), told)
  t.strictSame(
    warned({ ...coach, where: { status: 'pending' } }, { own: 'user_id', where: { quantity: 1 } } as never),
    told
  )
  for (const reach of ['own', 'linked', 'all', 'none', { own: 'user_id', where: { status: 'pending' } }] as const) {
    t.strictSame(warned(reach), [], 'the owners are users')
  }
  t.strictSame(warned({ where: { status: 'pending' } }), [], 'no id is compared')
  t.strictSame(warned({ ...coach, callerId: 'coach' }), [], 'the userId is still the id of a user')
  t.strictSame(warned(coach, { where: { payment_status: 'paid' } }), [], 'the other list compares no id')
  t.strictSame(
    warned(coach, { own: 'user_id', callerId: 'payer' }),
    [],
    'the other list compares an id of its own name'
  )
})

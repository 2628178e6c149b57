import type { FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { column, defineList, type RoleReach } from '../../src/index.js'
import { goods } from '../support/fixtures/goods.js'
import { createShifts, shifts } from '../support/fixtures/shifts.js'
import { findsFaults, isPlain } from '../support/hosts/faults.js'
import { type Asked, handWritten, type Rules, rules } from '../support/hosts/hand-written.js'
import { hostWith } from '../support/hosts/server.js'
import { execute } from '../support/oracle/check.js'
import { openDatabase } from '../support/servers/databases.js'

const own = "but the reach of the Practitioner (user 10) is 'own'."
const linked =
  "but the reach of the Practitioner (user 10) is 'linked', and the caller's 'linked' does not have this user."

type UserId = string | number | bigint | null

/** A caller also sees the records of a user, or does not see them. */
const sees = (caller: number, user: UserId, isVisible = true): Partial<Rules> => ({
  isVisible: (entry, asked: Asked) =>
    asked.caller?.userId === caller && entry.userId === user && (!isVisible || isPlain(asked))
      ? isVisible
      : rules.isVisible(entry, asked)
})

findsFaults(t, 'every caller sees the records within their reach, and no others', {
  'a record of somebody else': [
    `GET /payment/list?search=&page=#&limit=2 as the Practitioner: record # is of user 3, ${own}`,
    sees(10, 3)
  ],
  'a record of nobody': [
    `GET /payment/list?search=&page=#&limit=1 as the Practitioner: record 99 is of user none, ${own}`,
    sees(10, null)
  ],
  'linked users of another practitioner': [
    `GET /assessment/list?search=&page=#&limit=3 as the Practitioner: record # is of user 3, ${linked}`,
    sees(10, 3)
  ],
  'records of a linked user are missing': [
    'GET /assessment/list?search= as the Master Practitioner: record # of user # is missing, but is in the answer to GET /assessment/list?search=&page=#&limit=6 as the Admin.',
    sees(11, 3, false)
  ],
  'one who should see all sees what another one does not': [
    'GET /payment/list?search= as the Super Admin: record 99 of user none is missing, but is in the answer to GET /payment/list?search=&page=#&limit=7 as the Admin.',
    sees(21, null, false)
  ],
  'one who should see all misses what another one sees': [
    'GET /assessment/list?search= as the Individual: record # should not be in the answer.',
    sees(20, 1, false)
  ],
  'another order for some': [
    'GET /assessment/list?search= as the Practitioner: record # is at the place of record # in GET /assessment/list?search=&page=#&limit=6 as the Admin.',
    { compare: (a, b, asked) => (asked.caller?.userId === 10 ? a.id - b.id : rules.compare(a, b, asked)) }
  ]
})

t.test('nobody is linked to a caller unless it is said', async (t) => {
  const { app, callers } = handWritten()
  const unlinked = callers.map(({ linked, ...caller }) => caller)
  const checks = conformance(() => ({ app, callers: unlinked }))
  const check = checks.find(({ name }) => name.includes('assessments: every caller'))
  await t.rejects(async () => check?.run(), /but the reach of the Practitioner \(user 10\) is 'linked'/)
})

t.test('the totals of a caller are compared, also where fields show the reach', async (t) => {
  const { app, callers } = handWritten()
  const check = async (totals: object, userId = 1) => {
    const said = callers.map((caller) => (caller.userId === userId ? { ...caller, totals } : caller))
    const checks = conformance(() => ({ app, callers: said }))
    return checks.find(({ name }) => name.includes('payments: every caller'))?.run()
  }
  for (const totals of [{ payments: 3 }, { payments: 3n }, { payments: undefined }, { assessments: 9 }, {}]) {
    await t.resolves(check(totals))
  }
  const message = 'the total is 3, but the totals of the Individual say 4.'
  await t.rejects(check({ payments: 4 }), { message: `GET /payment/list?search= as the Individual: ${message}` })
  await t.rejects(check({ payments: 0 }, 20), { message: /the total is 31, but the totals of the Admin say 0\.$/ })
})

t.test('a caller who sees no records tests nothing, so their totals must say that there are none', async (t) => {
  const { app, callers } = handWritten({ isVisible: (entry, asked) => asked.caller?.userId !== 1 && !!entry })
  const [ada] = callers
  const check = async (totals?: object) => {
    const checks = conformance(() => ({ app, callers: [{ ...ada, totals }] as never }))
    return checks.find(({ name }) => name.includes('payments: every caller'))?.run()
  }
  const advice = 'choose another caller, or totals: { payments: 0 } if there are none.'
  const message = `the Individual sees no records, so their reach is not tested: ${advice}`
  await t.rejects(check(), { message: `GET /payment/list?search= as the Individual: ${message}` })
  await t.rejects(check({ assessments: 0 }), { message: /sees no records/ })
  await t.resolves(check({ payments: 0 }))
})

t.test(
  'a reach that no field shows fails until the totals say how many records it has, and then they count',
  async (t) => {
    const list = defineList({
      ...goods,
      fields: { id: column.id({ examples: ['1'] }) },
      columns: { owner: column.id(), added_at: column.wallTime({ whenNull: 'error' }) },
      otherRoles: 'own'
    })
    const db = await openDatabase(t, 'sqlite')
    await execute(
      db,
      'create table goods (id integer primary key, owner bigint, added_at datetime)',
      "insert into goods select value, value % 2, '2026-03-01 09:30:00' from json_each('[1, 2, 3]')"
    )
    const resolveRole = ({ headers }: FastifyRequest) => ({ userId: Number(headers.user), role: String(headers.role) })
    const app = await hostWith(t, { db, resolveRole, lists: [list] } as never)
    const ada = { name: 'Ada', headers: { user: '1', role: 'Guest' }, userId: 1, reach: { goods: 'own' as const } }
    const al = {
      ...ada,
      name: 'Al',
      headers: { user: '9', role: 'Admin' },
      userId: 9,
      reach: { goods: 'all' as const }
    }
    const check = async (changes: object = {}) => {
      const checks = conformance(() => ({ app, callers: [{ ...ada, ...changes }, al] }), { lists: [list] })
      const skip = (reason: string) => t.fail(reason)
      return checks.find(({ name }) => name.includes('every caller'))?.run({ skip })
    }
    const advice = 'give Ada the number that your own statement counts, such as totals: { goods: '
    const message = `no field shows owner, so nobody can see whether these records are in the reach: ${advice}`
    await t.rejects(check(), { message: `GET /goods/list? as Ada: ${message}2 }.` })
    const nobody = { headers: { user: '8', role: 'Guest' }, userId: 8 }
    await t.rejects(check(nobody), { message: `GET /goods/list? as Ada: ${message}12 }.` })
    await t.rejects(check({ totals: { goods: 3 } }), { message: /: the total is 2, but the totals of Ada say 3\.$/ })
    await t.resolves(check({ totals: { goods: 2 } }))
    await t.resolves(check({ ...nobody, totals: { goods: 0 } }))
  }
)

/** The checks of shifts, whose callers stand in a header. */
async function checksOfShifts(t: Test, callers: readonly (typeof desk)[], known = {}) {
  const db = await openDatabase(t, 'sqlite')
  await createShifts(db, 'sqlite')
  const resolveRole = ({ headers }: FastifyRequest) => ({ userId: 7, role: String(headers.role) })
  const app = await hostWith(t, { db, resolveRole, lists: [shifts] } as never)
  const checks = conformance(() => ({ app, callers, known: { shifts: [known] } }), { lists: [shifts] })
  return async (title: string) => checks.find(({ name }) => name.includes(title))?.run()
}

const reach = { shifts: { linked: 'clinic_id', by: 'clinic_staff' } as const as RoleReach<'clinic_id'> }
const desk = { name: 'Ann', headers: { role: 'Desk' }, userId: 7, role: 'Desk', reach, linked: { clinic_staff: [4] } }
const boss = { ...desk, name: 'Al', headers: { role: 'Admin' }, role: 'Admin', reach: { shifts: 'all' as const } }

t.test('a reach is told as the caller has it, and names no user of a list without users', async (t) => {
  const lead = { ...desk, headers: { role: 'Lead' }, role: 'Lead' }
  const told = await checksOfShifts(t, [lead, boss], { id: 1 })
  await t.rejects(told('every caller sees'), {
    message: /: record 2 has clinic_id 5, but the reach of Ann \(user 7\) is {linked:clinic_id,by:clinic_staff}\.$/
  })
  const missing = await checksOfShifts(t, [boss, { ...desk, linked: { clinic_staff: [4, 5] } }], { id: 1 })
  await t.rejects(missing('every caller sees'), {
    message: /: record 2 of the reach is missing, but is in the answer to/
  })
})

t.test('a known record is looked for by the parameters that its caller has', async (t) => {
  const check = await checksOfShifts(t, [boss], { id: 1, note: 'late', state: 'open' })
  await t.rejects(check('known records'), {
    message: /list\?page=.*: note of record 1 is undefined, expected "late"\./
  })
})

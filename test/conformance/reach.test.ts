import type { FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { column, defineList, type RoleReach } from '../../src/index.js'
import { openDatabase } from '../support/databases.js'
import { findsFaults, isPlain } from '../support/faults.js'
import { goods } from '../support/goods.js'
import { type Asked, handWritten, type Rules, rules } from '../support/hand-written.js'
import { hostWith } from '../support/server.js'
import { createShifts, shifts } from '../support/shifts.js'

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

t.test('a list whose items do not show their owner is skipped, and the reason says so', async (t) => {
  const list = defineList({
    ...goods,
    fields: { id: column.id({ examples: ['1'] }) },
    columns: { owner: column.id(), added_at: column.wallTime({ whenNull: 'error' }) }
  })
  const app = { inject: async () => t.bailout('nothing is asked') as never }
  const callers = [{ name: 'Ada', headers: {}, userId: 1, reach: { goods: 'own' } }] as const
  const checks = conformance(() => ({ app, callers }), { lists: [list] })
  const reasons: unknown[] = []
  const skip = (reason: unknown) => reasons.push(reason)
  await checks.find(({ name }) => name.includes('every caller'))?.run({ skip })
  t.strictSame(reasons, ['The items of goods need a field of the column owner for this check.'])
})

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

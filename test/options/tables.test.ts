import t from 'tap'
import { describe } from '../../src/errors/describe.js'
import { db, read, refuses, told } from '../support/hosts/options.js'

const wrongTables = [
  ...['', ' ', '.', 'members as m', 'a.b.c', '.members', 'crm.', 'crm..members', '`members`', '"members"', 'mem\nbers'],
  ...[1, null, true, ['members'], () => db.selectFrom('members'), {}, db],
  { isSelectQueryBuilder: true },
  { isSelectQueryBuilder: true, toOperationNode: 'hunter2' },
  { isSelectQueryBuilder: false, toOperationNode: () => ({}) }
]

t.test('a table is a name or a select, and nothing else', async (t) => {
  const ofUsers = (users: unknown) => told({ users }, `'users': ${describe(users)}`)
  refuses(t, 'tables', wrongTables.map(ofUsers))
})

t.test('a table of links that a role names is one of the tables, and no list', async (t) => {
  const desk = { linked: 'user_id', by: 'clinic_staff' } as const
  const roles = { payments: { Desk: [{ own: 'user_id' }, desk] } }
  t.strictSame(read({ roles, tables: { clinic_staff: 'staff' } }).tables, { clinic_staff: 'staff' })
  t.throws(() => read({ tables: { clinic_staff: 'staff' } }), /an entry 'clinic_staff'/)
  const both = "Option 'lists': 'assessments' is a list and a table of links; rename one of them."
  t.throws(() => read({ roles: { payments: { Desk: { ...desk, by: 'assessments' } } } }), { message: both })
})

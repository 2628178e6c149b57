import t from 'tap'
import { idParameterOf, type RecordRoute, tablesOf } from '../../src/lists/list.js'
import { linkTablesOf } from '../../src/lists/reach.js'
import { payments } from '../../src/lists/ready/payments.js'

t.test('a list reads the links if a role or the other roles see linked users', async (t) => {
  t.notOk(tablesOf(payments).l)
  t.equal(tablesOf({ ...payments, roles: { Admin: 'all', Coach: 'linked' } }).l, 'links')
  t.equal(tablesOf({ ...payments, otherRoles: 'linked' }).l, 'links')
  t.equal(tablesOf({ ...payments, joins: {} }).u, 'users', 'the search reads the users')
})

t.test('a list has the tables of links that its roles name, each once', async (t) => {
  const staff = { linked: 'user_id', by: 'clinic_staff' } as const
  const roles = { Desk: staff, Lead: [{ own: 'user_id' }, staff, { linked: 'user_id', by: 'clinic_leads' }] } as const
  const list = { ...payments, roles, otherRoles: 'linked' } as const
  t.strictSame(linkTablesOf(list), ['clinic_staff', 'clinic_leads', 'links'])
  t.match(tablesOf(list), { l_clinic_staff: 'clinic_staff', l_clinic_leads: 'clinic_leads', l: 'links' })
})

t.test('the id of a record is the parameter in its path', async (t) => {
  const of = (path: RecordRoute['path']) => idParameterOf({ path, key: 'x', messages: { found: 'x', notFound: 'x' } })
  t.equal(of('/:id'), 'id')
  t.equal(of('/lesson/:lesson_id'), 'lesson_id')
  t.equal(of('/lesson/:Lesson2/details'), 'Lesson2')
})

import t from 'tap'
import { joinsOf, linkAlias, linkedId, linkTablesOf, pathOf, tablesOf } from '../../src/lists/aliases.js'
import { assessments } from '../../src/lists/ready/assessments.js'
import { payments } from '../../src/lists/ready/payments.js'

t.test('a path has the alias of the table', async (t) => {
  t.strictSame(['title', 'users.email', 'memberships.org_name'].map(pathOf), ['r.title', 'u.email', 'm.org_name'])
})

t.test('a list joins the tables that its fields read, by their aliases', async (t) => {
  t.strictSame(joinsOf({}), {})
  t.strictSame(joinsOf(assessments.fields), { u: 'users', p: 'practitioners', m: 'memberships' })
  const ofUsers = Object.entries(assessments.fields).filter(([, { column }]) => column.startsWith('u.'))
  t.strictSame(joinsOf(Object.fromEntries(ofUsers)), { u: 'users' })
})

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

t.test('the tables of links are those of each part of each role, and of every other role, each once', async (t) => {
  const roles = {
    All: 'all',
    Own: 'own',
    Coach: 'linked',
    Clinic: [{ own: 'user_id' }, { linked: 'clinic_id', by: 'staff' }, { where: { state: 'open' } }],
    Ward: { linked: 'ward_id' },
    Triage: { linked: undefined, where: { state: 'new' } } as never
  } as const
  t.strictSame(linkTablesOf({ roles, otherRoles: 'none' }), ['links', 'staff'])
  t.strictSame(linkTablesOf({ roles: { Own: 'own' }, otherRoles: { linked: 'user_id', by: 'friends' } }), ['friends'])
  t.strictSame(linkTablesOf({ roles: { Own: 'own' }, otherRoles: 'none' }), [])
})

t.test('a table of links has an alias of its own, and the column of the linked id', async (t) => {
  t.strictSame([linkAlias('links'), linkedId('links')], ['l', 'l.user_id'])
  t.strictSame([linkAlias('staff'), linkedId('staff')], ['l_staff', 'l_staff.linked_id'])
})

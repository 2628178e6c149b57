import t from 'tap'
import { linkAlias, linkedId, linkTablesOf } from '../../src/lists/reach.js'

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

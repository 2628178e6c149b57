/** The reach of each role, which stands by hand in `plans` of the oracle. A change in a list needs the same change there. */
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import t from 'tap'
import { assessments } from '../../src/lists/ready/assessments.js'
import { defaultLists as lists } from '../../src/lists/ready/index.js'
import type { Reach, RoleReach } from '../../src/lists/roles.js'
import { idNamesOf, nameOf } from '../../src/visibility/grant.js'
import { columnsOfReach, columnsOfWhere, reachOf, reachOfRole } from '../../src/visibility/reach-of-role.js'
import { plans, reachesOf } from '../support/oracle/oracle.js'

t.test('each list gives each role exactly this reach (contract 62 to 65)', async (t) => {
  for (const { name, roles, otherRoles } of lists) {
    t.strictSame({ roles, otherRoles }, { roles: plans[name].roles, otherRoles: plans[name].otherRoles }, name)
  }
})

t.test('a role that a list does not name has the reach of other roles, whatever its name (contract 68)', async (t) => {
  for (const list of lists) {
    for (const role of ['', 'ADMIN', 'constructor', 'toString', '__proto__']) {
      t.equal(nameOf(reachOfRole(list, role)), list.otherRoles, role)
    }
  }
})

/** Each role with its reaches. A role that a document does not have, or that no list has, is a difference. */
const roles = [...Object.keys(plans.assessments.roles), 'any other role'].map((role): [role: string, ...Reach[]] => [
  role,
  ...Object.values(reachesOf(role))
])

/** The words of the README for a reach. */
const inWords: Record<Reach, string> = { own: 'own', linked: 'own and those of linked users', all: 'all', none: '403' }

t.test('the README has the same reaches', async (t) => {
  const [, section = ''] = /\n## Roles\n([\s\S]*?)\n## /.exec(readFileSync('README.md', 'utf8')) ?? []
  const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm)].slice(1)
  const documented = rows.flatMap(([, roles = '', ...cells]) => roles.split(', ').map((role) => [role, ...cells]))
  const expected = roles.map(([role, ...reaches]) => [role, ...reaches.map((reach) => inWords[reach])])
  t.strictSame(documented, expected)
})

/** The words of the contract for the reaches of both lists. */
const sees: Record<string, string> = {
  'own, own': 'their own assessments and their own payments',
  'linked, own': 'their own assessments, those of linked users, and their own payments',
  'all, all': 'all assessments and all payments',
  'none, own': 'a 403 on `/assessment/list`, and sees their own payments on `/payment/list`'
}

t.test('contract 62 to 65 has the same reaches', async (t) => {
  const page = readFileSync('docs/contract.md', 'utf8')
  const documented = [...page.matchAll(/^(?:62|63|64|65)\. (.+?) (?:sees?|gets) (.+)\.$/gm)].flatMap(
    ([, who = '', what]) => [...who.matchAll(/`(.+?)`|any other role/g)].map(([all, role]) => [role ?? all, what])
  )
  const expected = roles.map(([role, ...reaches]) => [role, sees[reaches.join(', ')]])
  t.strictSame(documented, expected)
})

t.test('docs/authentication.md explains each reach, and the roles are those of the README', async (t) => {
  const [, section = ''] = /\n## Roles\n([\s\S]*?)\n## /.exec(readFileSync('docs/authentication.md', 'utf8')) ?? []
  t.match(section, '[README](../README.md#roles)')
  const explained = [...section.matchAll(/^\| `'(\w+)'` \|/gm)].map(([, reach]) => reach)
  t.strictSame(explained, ['own', 'linked', 'all', 'none'])
})

t.test('the columns of a reach are those of each role and of every other role, each once', async (t) => {
  const roles = { Coach: { own: 'practitioner_id' }, Admin: 'all', Patient: 'linked' } as const
  t.strictSame(columnsOfReach({ ...assessments, roles }), ['practitioner_id', 'user_id'])
  t.strictSame(columnsOfReach({ ...assessments, roles }, 'links'), ['user_id'])
  t.strictSame(columnsOfReach({ ...assessments, roles: {}, otherRoles: { own: 'assessment_id' } }), ['assessment_id'])
  const within = { tenant_id: 'tenant' }
  t.strictSame(columnsOfReach({ ...assessments, roles, within }), ['practitioner_id', 'user_id', 'tenant_id'])
  t.strictSame(columnsOfReach({ ...assessments, roles, within }, 'links'), ['user_id'])
})

t.test('the columns of conditions and the names of ids are those of each grant', async (t) => {
  const where = { status: 'completed', licence: null } as const
  const roles = { Coach: { own: 'practitioner_id', callerId: 'coach', where }, Admin: { where } } as const
  t.strictSame(columnsOfWhere({ ...assessments, roles }), ['status', 'licence', 'status', 'licence'])
  const grants = Object.values(roles).flatMap((given) => reachOf(given, assessments))
  t.strictSame(idNamesOf({ within: { tenant_id: 'tenant', site_id: 'coach' } }, grants), ['coach', 'tenant'])
})

t.test('a reach is the grants that reach a record: everything, nothing, or those of its parts', async (t) => {
  const list = { owner: 'user_id' }
  const own = { column: 'user_id' }
  const linked = { column: 'user_id', by: 'links' }
  const clinics = { column: 'clinic_id', by: 'clinic_staff' }
  const reaches: [RoleReach, unknown][] = [
    ['all', [{}]],
    ['none', []],
    ['own', [own]],
    ['linked', [linked, own]],
    [{ own: 'user_id' }, [own]],
    [{ linked: 'user_id' }, [linked]],
    [{ linked: 'user_id', by: 'links' }, [linked]],
    [{ linked: 'clinic_id', by: 'clinic_staff' }, [clinics]],
    [
      { own: 'user_id', callerId: 'parent', where: { state: ['open', 'done'], draft: false, region: null } },
      [
        {
          ...{ column: 'user_id', callerId: 'parent' },
          where: [
            ['state', ['open', 'done']],
            ['draft', ['false']],
            ['region', [null]]
          ]
        }
      ]
    ],
    [{ where: { user_id: [7, 8n, '9'] } }, [{ where: [['user_id', ['7', '8', '9']]] }]],
    [
      [{ linked: 'clinic_id', by: 'clinic_staff' }, { own: 'user_id' }],
      [clinics, own]
    ]
  ]
  for (const [given, reach] of reaches) t.strictSame(reachOf(given, list), reach, inspect(given))
  const names = reaches.map(([given]) => nameOf(reachOf(given, list))).join()
  t.strictSame(names, 'all,none,own,linked,own,linked,linked,linked,own,all,linked')
})

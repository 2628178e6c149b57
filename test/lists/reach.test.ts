/** The reach of each role, written by hand. A change of a reach in a list needs the same change here. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { lists } from '../../src/lists/index.js'
import { type Reach, reachesOf } from '../../src/lists/reach.js'

interface RoleTable {
  roles: Readonly<Record<string, Reach>>
  otherRoles: Reach
}

const expected: Record<string, RoleTable> = {
  assessments: {
    roles: {
      Individual: 'own',
      Practitioner: 'linked',
      'Master Practitioner': 'linked',
      Institutional: 'linked',
      Admin: 'all',
      'Super Admin': 'all'
    },
    otherRoles: 'none'
  },
  payments: {
    roles: {
      Individual: 'own',
      Practitioner: 'own',
      'Master Practitioner': 'own',
      Institutional: 'own',
      Admin: 'all',
      'Super Admin': 'all'
    },
    otherRoles: 'own'
  }
}

t.test('each list gives each role exactly this reach (contract 62 to 65)', async (t) => {
  const declared = Object.fromEntries(lists.map(({ name, roles, otherRoles }) => [name, { roles, otherRoles }]))
  t.strictSame(declared, expected)
})

/** The words of the README for a reach. */
const inWords: Record<Reach, string> = { own: 'own', linked: 'own and those of linked users', all: 'all', none: '403' }

t.test('the README has the same reaches', async (t) => {
  const [, section = ''] = /\n## Roles\n([\s\S]*?)\n## /.exec(readFileSync('README.md', 'utf8')) ?? []
  const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm)].slice(1)
  const documented = rows.flatMap(([, roles = '', ...cells]) => roles.split(', ').map((role) => [role, ...cells]))
  const row = (role: string, reachOf: (table: RoleTable) => Reach | undefined) => [
    role,
    ...Object.values(expected).map((table) => inWords[reachOf(table) ?? table.otherRoles])
  ]
  const roles = new Set(Object.values(expected).flatMap(({ roles }) => Object.keys(roles)))
  t.strictSame(documented, [
    ...[...roles].map((role) => row(role, ({ roles }) => roles[role])),
    row('any other role', ({ otherRoles }) => otherRoles)
  ])
})

t.test('an undefined reach in the option visibility keeps the reach of the role', (t) => {
  const reachOf = reachesOf({ roles: { Admin: 'all' }, otherRoles: 'none' }, { Admin: undefined, Auditor: undefined })
  t.equal(reachOf('Admin'), 'all')
  t.equal(reachOf('Auditor'), 'none')
  t.end()
})

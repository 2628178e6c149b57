import t from 'tap'
import { areRefused, run } from '../../support/definition-code.js'
import { complaint } from '../../support/options.js'

const aReach =
  'must be own, linked, all, none, { own: an id column }, { linked: an id column, by: a table of links }, { where: values of columns } or an array of such objects, and is'
const ids = 'which is no id column'
const noTable = 'which cannot be the name of a table of links'
const idColumns = 'certificate_id, holder_id, coach_id'

t.test('what is no reach of the list is a mistake', async (t) => {
  areRefused(t, {
    "roles: { Admin: 'alle' }": `the reach of 'Admin' ${aReach} 'alle' (did you mean 'all'?)`,
    "owner: ; fields.email: ; search: ; roles: { Coach: 'own' }": `the reach of 'Coach' ${aReach} 'own', which needs the property 'owner'`,
    "roles: { Coach: { own: 'title' } }": `the reach of 'Coach' ${aReach} { own: 'title' }, ${ids}; there are ${idColumns}`,
    "roles: { Coach: { linked: 'coach' } }": `the reach of 'Coach' ${aReach} { linked: 'coach' }, ${ids}; there are ${idColumns}`,
    "roles: { Coach: [{ own: 'coach_id' }, { linked: 'holder_ids' }] }": `the reach of 'Coach' ${aReach} an array with { linked: 'holder_ids' }, ${ids} (did you mean 'holder_id'?); there are ${idColumns}`,
    "roles: { Coach: [{ own: 'coach_id' }, 'all'] }": `the reach of 'Coach' ${aReach} an array with 'all'`,
    'roles: { Coach: [] }': `the reach of 'Coach' ${aReach} an array with no part`,
    "roles: { Coach: { linked: 'coach_id', bye: 'x' } }": `the reach of 'Coach' ${aReach} an object with linked, bye`,
    "roles: { Coach: { own: 'coach_id', by: 'staff' } }": `the reach of 'Coach' ${aReach} an object with own, by`,
    "roles: { Coach: { linked: 'coach_id', by: 'users' } }": `the reach of 'Coach' ${aReach} { linked: 'coach_id' } by 'users', ${noTable}`,
    "roles: { Coach: { linked: 'coach_id', by: 'crm.staff' } }": `the reach of 'Coach' ${aReach} { linked: 'coach_id' } by 'crm.staff', ${noTable}`,
    "roles: { Coach: { linked: 'coach_id', by: 'certificates' } }": `the reach of 'Coach' ${aReach} { linked: 'coach_id' } by 'certificates', ${noTable}`,
    "roles: { Coach: { linked: 'coach_id', by: null } }": `the reach of 'Coach' ${aReach} { linked: 'coach_id' } by null, ${noTable}`,
    [`roles: { Coach: { linked: 'coach_id', by: '${'x'.repeat(61)}' } }`]: `the reach of 'Coach' ${aReach} { linked: 'coach_id' } by a table of more than 60 characters`,
    [`roles: { Coach: [{ own: 'coach_id' }, { linked: 'coach_id', by: '${'x'.repeat(61)}' }] }`]: `the reach of 'Coach' ${aReach} an array with { linked: 'coach_id' } by a table of more than 60 characters`,
    "roles: { otherRoles: 'owns' }": `the reach of 'otherRoles' ${aReach} 'owns' (did you mean 'own'?)`,
    "otherRoles: 'owns'": `the reach of 'otherRoles' ${aReach} 'owns' (did you mean 'own'?)`
  })
})

t.test('the properties of a part of a reach come in any order', async (t) => {
  const { roles } = run(
    "roles: { Coach: [{ by: 'staff', linked: 'coach_id' }, { linked: 'coach_id', by: undefined }] }"
  )
  t.strictSame(roles.Coach, [{ by: 'staff', linked: 'coach_id' }, { linked: 'coach_id' }])
})

t.test('the table of links may have 60 characters, and the option roles has the same rule', async (t) => {
  const by = 'x'.repeat(60)
  const reach = (by: string) => ({ payments: { Coach: { linked: 'user_id', by } } })
  t.strictSame(run(`roles: { Coach: { linked: 'coach_id', by: '${by}' } }`).roles.Coach, { linked: 'coach_id', by })
  t.equal(complaint({ roles: reach(by) }), undefined)
  const problem = /; got 'payments': 'Coach': \{ linked: 'user_id' \} by a table of more than 60 characters\.$/
  t.match(complaint({ roles: reach(`${by}x`) }), problem)
})

import t from 'tap'
import { areRefused, run } from '../../support/fixtures/definition-code.js'
import { complaint } from '../../support/hosts/options.js'

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

t.test('a condition compares columns of the list with values that they can hold', async (t) => {
  const refused = (where: string, wrong: string) => [
    `roles: { Coach: { own: 'coach_id', where: ${where} } }`,
    `the reach of 'Coach' ${aReach} a part with 'where' ${wrong}`
  ]
  const kinds = 'which is no column of the kind text, enum, id, boolean'
  const columns = 'there are certificate_id, title, holder_id, coach_id, level'
  areRefused(
    t,
    Object.fromEntries([
      // Each of these would reach every record.
      refused('{}', 'an object with no properties, which names no column'),
      refused("'open'", 'a string, which names no column'),
      refused("['title']", 'an array, which names no column'),
      refused('{ title: undefined }', "of 'title' with undefined, and not a value of the kind text or null"),
      refused('{ title: [] }', "of 'title' with an array, and not a value of the kind text or null"),
      refused("{ title: '' }", "of 'title' with an empty string, and not a value of the kind text or null"),
      refused("{ title: ['a', undefined] }", "of 'title' with undefined, and not a value of the kind text or null"),
      refused('{ title: { not: 1 } }', "of 'title' with an object with not, and not a value of the kind text or null"),
      refused('{ holder_id: 1.5 }', "of 'holder_id' with 1.5, and not a value of the kind id or null"),
      refused("{ holder_id: 'a\\u0000' }", "of 'holder_id' with 'a\u0000', and not a value of the kind id or null"),
      refused(
        "{ level: 'experts' }",
        "of 'level' with 'experts' (did you mean 'expert'?), and not basic, expert or null"
      ),
      refused("{ titel: 'a' }", `of 'titel', ${kinds} (did you mean 'title'?); ${columns}`),
      refused('{ score: 1 }', `of 'score', ${kinds}; ${columns}`),
      refused("{ constructor: 'a' }", `of 'constructor', ${kinds}; ${columns}`)
    ])
  )
  const { roles } = run(
    "roles: { Coach: [{ where: { level: ['basic', null], title: null } }, { own: 'coach_id', callerId: 'coach', where: { holder_id: [7, '8', 9n] } }] }"
  )
  t.match(roles.Coach, [{ where: { level: ['basic', null], title: null } }, { callerId: 'coach' }])
})

t.test('a boolean is compared with true, with false, or with both', async (t) => {
  const flagged = (value: string) => `columns.done: column.boolean(); roles: { Coach: { where: { done: ${value} } } }`
  for (const value of ['true', 'false', '[true, false]', 'null']) t.ok(run(flagged(value)), value)
  areRefused(t, {
    [flagged('1')]:
      `the reach of 'Coach' ${aReach} a part with 'where' of 'done' with 1, and not a value of the kind boolean or null`
  })
})

t.test('another id of the caller is a name, for a part that compares an id', async (t) => {
  const id = "which cannot be the name of an id in 'ids' of resolveRole"
  areRefused(t, {
    "roles: { Coach: { own: 'coach_id', callerId: '' } }": `the reach of 'Coach' ${aReach} a part with 'callerId' an empty string, ${id}`,
    "roles: { Coach: { own: 'coach_id', callerId: 7 } }": `the reach of 'Coach' ${aReach} a part with 'callerId' 7, ${id}`,
    "roles: { Coach: { callerId: 'coach', where: { title: 'a' } } }": `the reach of 'Coach' ${aReach} an object with callerId, where`,
    "roles: { Coach: { by: 'staff', where: { title: 'a' } } }": `the reach of 'Coach' ${aReach} an object with by, where`
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

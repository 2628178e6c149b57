/** The checks know which records a caller should see where items show what decides it. */
import t, { type Test } from 'tap'
import { column, defineList, type List } from '../../src/index.js'
import { callerOf, cases, everyone, openCases, problemsWith } from '../support/oracle/cases.js'
import { areAll } from '../support/oracle/check.js'
import { type DatabaseName, onDatabases } from '../support/servers/databases.js'

const { definition } = cases
type Caller = (typeof everyone)[number]
const servedWith = (changes: object) => ({ served: defineList({ ...definition, ...changes } as never) as List })

/** The cases of two schools, whose callers may have several roles and other ids. */
async function reachOfCases(t: Test, name: DatabaseName = 'sqlite') {
  const db = await openCases(t, name)
  return async (facts?: Parameters<typeof problemsWith>[2], wrong?: Parameters<typeof problemsWith>[3]) =>
    (await problemsWith(t, db, facts, wrong)).filter((problem) => problem.startsWith('every caller sees'))
}

onDatabases(t, 'each fault in a grant of several is found, and a forgotten tenant,', async (t, name) => {
  const problems = await reachOfCases(t, name)
  t.strictSame(await problems(), [])
  const [al, , cy, di] = everyone as Caller[]
  const parts = definition.roles
  for (const [who, roles, told] of [
    [
      cy,
      { Parent: { ...parts.Parent, where: undefined } },
      /record \d+ has .*pupil_id [23] and state draft and school s1, but the reach of Cy \(user 7\) is \[\{own:/
    ],
    [cy, { Parent: { ...parts.Parent, callerId: undefined } }, /record \d+ of the reach is missing/],
    [cy, { Parent: { where: parts.Parent.where } }, /record \d+ has .*pupil_id 4 and state/],
    [cy, { Counsellor: { linked: 'pupil_id', by: 'caseload' } }, /record \d+ of the reach is missing/],
    [di, { Head: { where: { severe: [true, false] } } }, /record \d+ has .*severe false and school s1, but the reach/],
    [di, { Head: { where: { severe: true, state: 'open' } } }, /record \d+ of the reach is missing/]
  ] as const) {
    const wrong = servedWith({ roles: JSON.parse(JSON.stringify({ ...parts, ...roles })) })
    areAll(t, await problems({ callers: [al as Caller, who as Caller] }, wrong), [told], JSON.stringify(roles))
  }
  const forgotten = / as Al: record 24 has school s2, but the reach of Al \(user 7\) is 'all'\.$/
  areAll(t, await problems({}, servedWith({ within: {} })), [forgotten])
})

t.test('a part whose id the caller lacks reaches nothing, also where the column is empty', async (t) => {
  const problems = await reachOfCases(t)
  const Parent = { own: 'counsellor_id', callerId: 'parent' } as const
  const caller = { ...callerOf('Di', ['Parent'], { school: 's1', parent: null }), reach: { cases: [Parent] } }
  const list = servedWith({ roles: { ...definition.roles, Parent } }).served
  t.match(await problems({ list, callers: [caller] }), [/Di sees no records, so their reach is not tested/])
  const none = { ...caller, totals: { cases: 0 }, linked: {} }
  t.strictSame(await problems({ list, callers: [none] }), [])
  const empty = servedWith({ roles: { ...definition.roles, Parent: { where: { counsellor_id: null } } } })
  t.match(await problems({ list, callers: [none] }, empty), [
    /record \d+ has school s1, but the reach of Di \(user 7\) is \[\{own:/
  ])
  const counted = { ...none, reach: { cases: { where: { pupil_id: 1n, severe: true } } } }
  t.match(
    await problems({ list, callers: [counted] }, empty),
    [/is \{where:\{pupil_id:1,severe:true\}\}\.$/],
    'a bigint'
  )
  const lacking = { ...caller, reach: { cases: { where: { counsellor_id: null } } } }
  t.strictSame(await problems({ list: empty.served, callers: [lacking] }, empty), [], 'a condition of none')
  const linked = { ...none, reach: { cases: [{ ...Parent, linked: 'pupil_id', own: undefined, by: 'guardians' }] } }
  t.strictSame(await problems({ list, callers: [JSON.parse(JSON.stringify(linked))] }), [], 'nor needs linked ids')
})

t.test('where no field shows the tenant, those who see all of it say how many records it has', async (t) => {
  const problems = await reachOfCases(t)
  const { school: _school, ...fields } = definition.fields
  const list = servedWith({ fields }).served
  const [al, bo, ...others] = everyone as [Caller, Caller, ...Caller[]]
  const told = (name: string) =>
    new RegExp(`${name}: no field shows school_id, so nobody can see .*totals: \\{ cases: 12 \\}`)
  t.match(await problems({ list }), [told('Al')])
  t.match(await problems({ list, callers: others.slice(0, 1) }), [/Cy: no field shows school_id, so nobody can see/])
  const counted = { ...al, totals: { cases: 12 } }
  const callers = [counted, { ...bo, totals: { cases: 12 } }, ...others]
  t.strictSame(await problems({ list, callers }), [])
  t.match(await problems({ list, callers: [counted, bo] }), [told('Bo')])
  const all = / as Al: the total is 24, but the totals of Al say 12\.$/
  t.match(await problems({ list, callers }, servedWith({ fields, within: {} })), [all])
  const ofOthers = { answer: (items: object[]) => (items.length < 9 ? items.slice(1) : items) }
  t.match(await problems({ list, callers: [counted, ...others.slice(0, 1)] }, ofOthers), [
    / as .*: record \d+ of the reach is missing/
  ])
})

t.test('where an item does not show a column of a grant, the item of a caller who sees all does', async (t) => {
  const db = await openCases(t, 'sqlite')
  const severe = column.boolean({ roles: ['Admin'], examples: [true] })
  const list = servedWith({ fields: { ...definition.fields, severe } }).served
  const notes = column.text({ examples: ['x'] })
  const { served } = servedWith({ fields: { ...definition.fields, severe, notes } })
  const [al, di] = [callerOf('Al', ['Admin']), callerOf('Di', ['Parent', 'Head'])]
  t.strictSame(await problemsWith(t, db, { list, callers: [di, al] }), [])
  const found = await problemsWith(t, db, { list, callers: [di, al] }, { served })
  t.match(found.join(), / as Di: record \d+ shows notes, but no role/)
  const undecided = await problemsWith(t, db, { list, callers: [di] }, { served })
  t.notMatch(undecided.join(), 'shows notes')
  t.match(undecided.join(), / as Di: no field shows severe, so nobody can see/)
})

t.test('linked ids that the host does not say decide nothing', async (t) => {
  const callers = [{ ...callerOf('Ed', ['Admin', 'Counsellor']), linked: undefined }]
  t.strictSame(await problemsWith(t, await openCases(t, 'sqlite'), { callers }), [])
})

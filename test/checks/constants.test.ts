import t from 'tap'
import { checkDatabase, defineList } from '../../src/index.js'
import { cases, openCases } from '../support/oracle/cases.js'
import { execute, textsOf } from '../support/oracle/check.js'
import { onDatabases } from '../support/servers/databases.js'

const withRoles = (roles: object) =>
  defineList({ ...cases.definition, roles: { ...cases.definition.roles, ...roles } } as never)

onDatabases(t, 'a value of a condition that the column cannot hold is told once, with the column', async (t, name) => {
  const db = await openCases(t, name)
  const found = async (list: typeof cases) =>
    textsOf(await checkDatabase({ db, lists: [list] })).filter((text) => text.includes('cannot hold'))
  const slow = name === 'postgres' ? ', and each request takes longer' : ''
  const told = (column: string, value: string) =>
    `warning tables: cases.${column} cannot hold '${value}', a value of 'where', so no record has it${slow}: correct the value, or map the column to texts.`
  const wrong = withRoles({
    Nurse: { where: { pupil_id: [1, 'abc', -5], severe: true, notes: 'abc', school_id: 's9', counsellor_id: null } },
    Cook: [{ where: { pupil_id: 'abc' } }, { own: 'counsellor_id', where: { pupil_id: '12abc' } }]
  })
  // A column of SQLite holds any value.
  t.strictSame(
    await found(wrong as never),
    name === 'sqlite' ? [] : ['abc', '12abc'].map((value) => told('pupil_id', value))
  )
  t.strictSame(await found(cases), [])
  if (name === 'sqlite') return
  const change = name === 'mysql' ? 'modify pupil_id varchar(36)' : 'alter pupil_id type varchar(36)'
  await execute(db, `alter table cases ${change}`)
  t.strictSame(await found(wrong as never), [], 'texts')
})

t.test('a UUID and a value of an enum are told by PostgreSQL', async (t) => {
  const db = await openCases(t, 'postgres')
  await execute(
    db,
    'alter table cases alter school_id type uuid using null, alter notes type bigint using null',
    "create type progress as enum ('open', 'closed')",
    "alter table cases alter state type progress using 'open'"
  )
  const uuid = '0b8e3c1c-7d2a-4f6e-9a51-2f4f8a3d1c5e'
  const list = withRoles({ Nurse: { where: { school_id: [uuid, 's1'], state: ['draft', 'open'], notes: ['5', 'x'] } } })
  const found = textsOf(await checkDatabase({ db, lists: [list as never] })).join()
  for (const told of ["school_id cannot hold 's1'", "state cannot hold 'draft'", "notes cannot hold 'x'"]) {
    t.match(found, `cases.${told}, a value of 'where'`)
  }
  t.notMatch(found, /cannot hold '(open|5|0b8)/)
})

t.test('an error that is no refusal of the value is told as an error of the statements', async (t) => {
  const before = ({ sql }: { sql: string }) => {
    if (/^select \(select 1 from "cases"/.test(sql)) throw new Error('disk I/O error')
  }
  const db = await openCases(t, 'sqlite', { before })
  const found = textsOf(await checkDatabase({ db, lists: [cases] }))
  const told = 'error tables: The statements of the cases fail; the database says: disk I/O error'
  t.strictSame(
    found.filter((text) => text.startsWith('error')),
    [told]
  )
})

onDatabases(
  t,
  'a value of a condition that no record has is told, but none of an enum, of a boolean or of an empty table',
  async (t, name) => {
    const db = await openCases(t, name)
    const list = withRoles({
      Nurse: { where: { notes: ['note 1', 'nota 1', null], pupil_id: 1, state: 'open', severe: true } },
      Cook: [{ where: { school_id: 'S1' } }, { own: 'counsellor_id', where: { school_id: 's2' } }]
    })
    const found = async () =>
      textsOf(await checkDatabase({ db, lists: [list as never] })).filter((text) => text.includes("a value of 'where'"))
    const told = (path: string) =>
      `warning data: No record has the cases.${path}, a value of 'where': if the value is misspelt, correct it.`
    t.strictSame(await found(), [told("notes 'nota 1'"), told("school_id 'S1'")])
    await execute(db, "update cases set state = 'closed', severe = null")
    t.strictSame(
      await found(),
      [told("notes 'nota 1'"), told("school_id 'S1'")],
      'no record has the state, or is severe'
    )
    await execute(db, 'delete from cases')
    t.strictSame(await found(), [])
  }
)

/** The cases of two schools, whose notes only some roles read. A person can be a counsellor of one pupil and a parent of another. */
import type { Test } from 'tap'
import { type ConformanceHost, conformance } from '../../../src/conformance/index.js'
import { column, defineList, type List, type RoleReach } from '../../../src/index.js'
import { problemsIn } from '../hosts/faults.js'
import { hostWith } from '../hosts/server.js'
import { type DatabaseName, type Db, dateTime, type Opening, openDatabase } from '../servers/databases.js'
import { execute } from './check.js'

export const cases = defineList({
  name: 'cases',
  path: '/case/list',
  key: 'cases',
  openapi: { name: 'Case', operationId: 'listCases', summary: 'List cases', description: 'The cases.' },
  fields: {
    id: column.id({ examples: ['1'] }),
    school: { column: 'school_id', examples: ['s1'] },
    pupil_id: column.id({ examples: ['4'] }),
    counsellor_id: column.id({ whenNull: 'null', examples: ['7'] }),
    state: column.enum(['draft', 'open', 'closed'], { examples: ['open'] }),
    severe: column.boolean({ examples: [true] }),
    notes: column.text({ roles: ['Counsellor', 'Head'], examples: ['Confidential.'] }),
    minutes: column.integer({ roles: ['Counsellor'], examples: [30] }),
    called_at: column.wallTime({ roles: ['Counsellor'], examples: ['2026-03-01 10:00:00'] }),
    reported_at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
  },
  columns: { school_id: column.id() },
  id: 'id',
  order: '-reported_at',
  within: { school_id: 'school' },
  search: { columns: ['notes'], examples: ['late'] },
  filters: {
    state: { examples: ['open'] },
    notes: { examples: ['Confidential.'] },
    has_notes: { column: 'notes', present: true },
    minutes: { range: true },
    called_at: { range: true }
  },
  sort: ['minutes', 'called_at'],
  roles: {
    Parent: { linked: 'pupil_id', by: 'guardians', callerId: 'parent', where: { state: ['open', 'closed'] } },
    Counsellor: [{ own: 'counsellor_id' }, { linked: 'pupil_id', by: 'caseload' }],
    Head: { where: { severe: true } },
    Admin: 'all'
  },
  messages: { found: 'Found.', forbidden: 'No.' }
})

/** The reaches of the roles, as the checks expect them. */
export const reaches = {
  Parent: [{ linked: 'pupil_id', by: 'guardians', callerId: 'parent', where: { state: ['open', 'closed'] } }],
  Counsellor: [{ own: 'counsellor_id' }, { linked: 'pupil_id', by: 'caseload' }],
  Head: [{ where: { severe: true } }],
  Admin: 'all'
} as const satisfies Record<string, RoleReach>

/** Schools `s1` and `s2` have twelve cases each. User 7 counsels pupil 1 and some others, and is the parent `P9` of pupil 2. */
export async function openCases(t: Test, name: DatabaseName, opening?: Opening): Promise<Db> {
  const db = await openDatabase(t, name, opening)
  const rows = Array.from({ length: 24 }, (_, index) => {
    const [day, pupil, state] = [
      String(index + 1).padStart(2, '0'),
      (Math.floor(index / 2) % 4) + 1,
      ['draft', 'open', 'closed'][index % 3]
    ]
    const note = index % 5 === 0 ? '' : `note ${index % 3}`
    const called = index % 5 === 0 ? 'null' : `'2026-04-${day} 10:00:00'`
    const cells = [
      `'s${index % 2 === 0 ? 1 : 2}'`,
      pupil,
      index % 7 === 0 ? 7 : 'null',
      `'${state}'`,
      Number(index % 5 === 4)
    ]
    return `(${[index + 1, ...cells, `'${note}'`, index, called, `'2026-03-${day} 09:30:00'`].join()})`
  })
  await execute(
    db,
    `create table cases (id bigint primary key, school_id varchar(9), pupil_id bigint, counsellor_id bigint,
      state varchar(9), severe smallint, notes varchar(50), minutes bigint, called_at ${dateTime(name)}, reported_at ${dateTime(name)})`,
    'create table guardians (owner_id varchar(9), linked_id bigint)',
    'create table caseload (owner_id bigint, linked_id bigint)',
    `insert into cases values ${rows.join()}`,
    "insert into guardians values ('P9', 2), ('P9', 3), ('P8', 1)",
    'insert into caseload values (7, 1), (8, 2)'
  )
  return db
}

/** A caller, whose header says what `resolveRole` returns. */
export function callerOf(
  name: string,
  roles: readonly (keyof typeof reaches)[],
  ids: object = { school: 's1', parent: 'P9' }
) {
  const [role] = roles
  const said = { userId: 7, role: roles.length === 1 ? String(role) : roles, ids }
  const reach = roles.includes('Admin') ? 'all' : roles.flatMap((each) => reaches[each] as never)
  return {
    name,
    ...said,
    headers: { caller: JSON.stringify(said) },
    reach: { cases: reach as RoleReach },
    linked: { guardians: [2, 3], caseload: [1] } as Record<string, number[]>
  }
}

/** One of each kind of caller: of one role, of several, of the other school, without the school, and without being a parent. */
export const everyone = [
  callerOf('Al', ['Admin']),
  callerOf('Bo', ['Admin'], { school: 's2' }),
  callerOf('Cy', ['Counsellor', 'Parent']),
  callerOf('Di', ['Parent', 'Head']),
  callerOf('Ed', ['Admin', 'Counsellor'], { school: 's2', parent: null }),
  callerOf('Fa', ['Parent', 'Counsellor', 'Head'], { school: 's2', parent: 'P9' }),
  callerOf('Gu', ['Head', 'Parent'], { school: 's1' }),
  callerOf('Ho', ['Counsellor'], { parent: 'P9' })
]

/** What a test changes of a right server: its list, its requests, and its answers. */
interface Wrong {
  served?: List
  ask?: (url: string) => string
  answer?: (items: Record<string, unknown>[]) => object[]
  page?: (page: Record<string, unknown>, url: string) => object
}

/** The checks of a server of the cases. `facts` are more of what a host knows. */
export async function checksOf(
  t: Test,
  db: Db,
  { list = cases, callers = everyone, ...facts }: { list?: List; callers?: readonly object[]; known?: object } = {},
  { served = list, ask = String, answer = (items) => items, page = (page) => page }: Wrong = {}
) {
  const resolveRole = ({ headers: { caller } }: { headers: Record<string, unknown> }) =>
    caller && JSON.parse(String(caller))
  const server = await hostWith(t, { db, resolveRole, lists: [served] } as never)
  const inject: ConformanceHost['app']['inject'] = async (request) => {
    const { statusCode, headers, body } = await server.inject({ ...request, url: ask(request.url) })
    const read = JSON.parse(body)
    const changed = statusCode === 200 ? page({ ...read, cases: answer(read.cases) }, request.url) : read
    return { statusCode, headers, body: JSON.stringify(changed) }
  }
  return conformance(() => ({ app: { inject }, callers, ...facts }) as never, { lists: [list] })
}

/** What the checks say, without the name of the list. */
export const problemsWith = async (...of: Parameters<typeof checksOf>): Promise<string[]> =>
  (await problemsIn(await checksOf(...of))).map((problem) => problem.replace(/^cases: /, ''))

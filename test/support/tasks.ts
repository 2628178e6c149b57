/** A list of tasks with counts, one record and pages after a record, and what an oracle in JavaScript gives in its place. */
import { sql } from 'kysely'
import type { Test } from 'tap'
import { column, defineList } from '../../src/index.js'
import { execute } from './check.js'
import type { DatabaseName, Opening } from './databases.js'
import type { Caller } from './server.js'
import { openWorld } from './tables.js'

export const states = ['open', 'paid', 'void', 'lost'] as const

export const definition = {
  name: 'tasks',
  path: '/task/list',
  key: 'tasks',
  openapi: { name: 'Task', operationId: 'listTasks', summary: 'List tasks', description: 'Newest first.' },
  fields: {
    task_id: column.id({ examples: ['5'] }),
    owner_id: column.id({ whenNull: 'null', examples: ['1'] }),
    title: column.text({ whenNull: 'error', examples: ['Call'] }),
    state: column.enum(states, { examples: ['open'] }),
    held: column.boolean({ whenNull: 'null', roles: ['Admin', 'Both'], examples: [true] }),
    weight: column.decimal({ roles: ['Admin', 'Both', 'Owner'], examples: [1.5] }),
    size: column.integer({ examples: [3] }),
    note: column.text({ examples: ['x'] }),
    day: column.date({ whenNull: 'error', examples: ['2026-01-01'] }),
    made_at: column.utcTime({ whenNull: 'error', examples: ['2026-01-01T00:00:00Z'] })
  },
  columns: { helper_id: column.id({ whenNull: 'null' }) },
  id: 'task_id',
  owner: 'owner_id',
  order: '-made_at',
  sort: ['made_at', 'weight', 'size', 'title', 'day', 'task_id'],
  search: { columns: ['title', 'note'], examples: ['a'] },
  filters: {
    state: { several: true, counted: true, examples: ['open'] },
    only: { column: 'state', counted: true, examples: ['open'] },
    held: { counted: true, examples: [true] },
    noted: { column: 'note', present: true, counted: true },
    size: { range: true },
    title: { several: true, examples: ['a'] }
  },
  record: { path: '/task/:task_id', key: 'task', messages: { found: 'Task found.', notFound: 'No such task.' } },
  roles: {
    Owner: 'own',
    Linked: 'linked',
    Helper: { own: 'helper_id' },
    Both: [{ own: 'helper_id' }, { own: 'owner_id' }, { linked: 'owner_id' }],
    Admin: 'all'
  },
  messages: { found: 'Tasks found.', forbidden: 'No.' }
} as const

export const byNumber = defineList(definition)
export const byAfter = defineList({ ...definition, paging: 'after' })

export interface Row {
  task_id: number
  owner_id: number | null
  helper_id: number | null
  title: string
  state: string
  held: number | null
  weight: number
  size: number
  note: string | null
  day: string
  made_at: string
}

let seed = 7
export const random = (below: number) => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return Math.floor((seed / 2147483648) * below)
}
export const pick = <Of>(values: readonly Of[]): Of => values[random(values.length)] as Of

export const rowOf = (task_id: number): Row => ({
  task_id,
  owner_id: pick([1, 2, 3, 4, null]),
  helper_id: pick([1, 2, 10, 11, null]),
  title: pick(['a', 'A', 'b', 'ab', 'é', "o'x", '漢']),
  state: pick(['open', 'paid', 'void']),
  held: pick([0, 1, null]),
  weight: pick([0.1, 0.1 + 0.2, 0.3, 1 / 3, -2.5, 1e21, 12, 1e-9]),
  size: random(5) - 2,
  note: pick(['', null, 'n', 'ab']),
  day: `2026-01-0${1 + random(5)}`,
  made_at: `2026-01-0${1 + random(3)} 0${random(3)}:00:00${pick(['', '.5', '.25'])}`
})

const types = {
  sqlite: { text: 'text', boolean: 'integer', double: 'real', time: 'text', day: 'text' },
  mysql: {
    ...{
      text: 'varchar(1000) collate utf8mb4_bin',
      boolean: 'bit(1)',
      double: 'double',
      time: 'datetime(6)',
      day: 'date'
    }
  },
  postgres: {
    ...{ text: 'text collate "C"', boolean: 'boolean', double: 'double precision', time: 'timestamp', day: 'date' }
  }
} as const

export async function openTasks(t: Test, name: DatabaseName, opening: Opening = {}) {
  const db = await openWorld(t, name, opening)
  const of = types[name]
  await execute(
    db,
    `create table tasks (task_id integer primary key, owner_id integer, helper_id integer, title ${of.text},
      state varchar(10), held ${of.boolean}, weight ${of.double}, size integer, note ${of.text}, day ${of.day},
      made_at ${of.time})`
  )
  const links = await sql<{ owner_id: number; user_id: number }>`select owner_id, user_id from links`.execute(db)
  const cell = (held: number | null) => (name === 'postgres' && held !== null ? held === 1 : held)
  const insert = (rows: readonly Row[]) =>
    db
      .insertInto('tasks')
      .values(rows.map((row) => ({ ...row, held: cell(row.held) })) as never)
      .execute()
  return {
    db,
    insert,
    links: links.rows.map((link) => ({ owner_id: Number(link.owner_id), user_id: Number(link.user_id) }))
  }
}

export const callers: Caller[] = [
  { userId: 1, role: 'Owner' },
  { userId: 2, role: 'Owner' },
  { userId: 10, role: 'Linked' },
  { userId: 11, role: 'Linked' },
  { userId: 10, role: 'Helper' },
  { userId: 10, role: 'Both' },
  { userId: 1, role: 'Both' },
  { userId: 9, role: 'Admin' }
]

export const isSeen = ({ userId, role }: Caller, row: Row, links: readonly { owner_id: number; user_id: number }[]) => {
  const isLinked = links.some((link) => link.owner_id === userId && link.user_id === row.owner_id)
  const [isOwn, isHelper] = [row.owner_id === userId, row.helper_id === userId]
  return {
    Owner: isOwn,
    Linked: isOwn || isLinked,
    Helper: isHelper,
    Both: isOwn || isHelper || isLinked,
    Admin: true
  }[role]
}

export type Query = Record<string, string | string[]>

const keeps: Record<string, (row: Row, value: string | string[]) => boolean> = {
  state: (row, value) => [value].flat().includes(row.state),
  only: (row, value) => row.state === value,
  held: (row, value) => row.held !== null && String(row.held === 1) === value,
  noted: (row, value) => String(Boolean(row.note)) === value,
  size_from: (row, value) => row.size >= Number(value),
  title: (row, value) => [value].flat().includes(row.title),
  search: ({ title, note }, value) =>
    [title, note ?? ''].some((text) => text.toLowerCase().includes(String(value).toLowerCase()))
}

export const matches = (row: Row, query: Query, without?: string) =>
  Object.entries(query).every(([name, value]) => name === without || !keeps[name] || keeps[name](row, value))

const values: Record<string, readonly string[]> = {
  state: states,
  only: states,
  held: ['true', 'false'],
  noted: ['true', 'false']
}

export const seesHeld = ({ role }: Caller) => ['Admin', 'Both'].includes(role)

export function randomQuery(caller: Caller): Query {
  const query: Query = {}
  if (random(3) === 0) query.state = pick([['open'], ['paid', 'void'], ['lost'], ['open', 'lost']])
  if (random(5) === 0) query.only = pick(states)
  if (random(4) === 0 && seesHeld(caller)) query.held = pick(['true', 'false'])
  if (random(4) === 0) query.noted = pick(['true', 'false'])
  if (random(4) === 0) query.size_from = String(random(4) - 2)
  if (random(5) === 0) query.title = pick([['a'], ['b', 'é'], ['漢']])
  if (random(4) === 0) query.search = pick(['a', 'B', 'n', "'", 'zz'])
  return query
}

export const countsOf = (rows: readonly Row[], query: Query, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const kept = rows.filter((row) => matches(row, query, name))
      const numberOf = (value: string) => kept.filter((row) => keeps[name]?.(row, value)).length
      return [name, Object.fromEntries((values[name] ?? []).map((value) => [value, numberOf(value)]))]
    })
  )

export const urlOf = (path: string, query: Query) => {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each]))
  return `${path}?${new URLSearchParams(pairs as [string, string][])}`
}

/** The lessons of a driving school: a list of a host with everything that a definition can say, and its plan. */
import { sql } from 'kysely'
import type { Test } from 'tap'
import { column, defineList, type TablesOf } from '../../src/index.js'
import { execute } from './check.js'
import { type DatabaseName, type Db, dateTime } from './databases.js'
import { type Caller, type Column, type Data, expected, fieldsOf, type ListPlan, terms } from './oracle.js'
import { openWorld } from './tables.js'
import * as world from './world.js'

export const lessons = defineList({
  name: 'lessons',
  path: '/lesson/list',
  key: 'data',
  openapi: { name: 'Lesson', operationId: 'listLessons', summary: 'List lessons', description: 'Upcoming first.' },
  fields: {
    lesson_id: column.id({ examples: ['5'] }),
    student_id: column.id({ examples: ['1'] }),
    student: { column: 'users.full_name', examples: ['Ada Example'] },
    instructor_id: column.id({ whenNull: 'null', examples: ['10', null] }),
    unit_name: column.text({ whenNull: 'error', examples: ['Motorway'] }),
    note: column.text({ examples: ['Bring glasses'] }),
    state: column.enum(['booked', 'moved', 'done'], { examples: ['booked'] }),
    held: column.boolean({ whenNull: 'null', examples: [true, null] }),
    minutes: column.integer({ examples: [45] }),
    price: column.decimal({ whenNull: 'null', examples: [55.5, null] }),
    day: column.date({ whenNull: 'error', examples: ['2026-06-01'] }),
    paid_on: column.date({ whenNull: 'null', examples: ['2026-06-02', null] }),
    starts_at: column.wallTime({ whenNull: 'error', examples: ['2026-06-01 09:30:00'] })
  },
  joined: { users: { full_name: column.text() } },
  id: 'lesson_id',
  owner: 'student_id',
  order: 'starts_at',
  sort: ['starts_at', 'minutes', 'day', 'unit_name', 'lesson_id'],
  search: {
    columns: ['unit_name', 'users.full_name'],
    examples: ['motor'],
    term: terms['ss for ß']
  },
  filters: {
    state: { several: true, examples: ['booked', 'moved'] },
    unit_name: { several: true, examples: ['Motorway'] },
    student_id: { examples: ['1'] },
    held: { examples: [true] },
    has_instructor: { column: 'instructor_id', present: true, description: 'With or without an instructor.' },
    has_note: { column: 'note', present: true },
    paid: { column: 'paid_on', present: true },
    day: { column: 'day', range: true, description: { from: 'From this day.', to: 'To this day.' } },
    minutes: { column: 'minutes', range: true },
    price: { column: 'price', range: true },
    starts: { column: 'starts_at', range: true }
  },
  roles: { Student: 'own', Instructor: { own: 'instructor_id' }, Practitioner: 'linked', Admin: 'all' },
  messages: { found: 'Lessons found.', forbidden: 'You may not see lessons.' }
})

const units = ['Motorway', 'Night drive', 'Park', 'Café', 'Strasse_1']
const pad = (number: number) => String(number).padStart(2, '0')

export const rows = Array.from({ length: 48 }, (_, place) => ({
  lesson_id: place + 1,
  student_id: 1 + (place % 4),
  instructor_id: place % 3 === 0 ? null : 10 + (place % 2),
  unit_name: units[place % units.length] as string,
  note: place % 5 === 0 ? null : place % 5 === 1 ? '' : `note ${place % 7}`,
  state: (['booked', 'moved', 'done'] as const)[(place * 7) % 3] as string,
  held: place % 4 === 0 ? null : place % 2 === 1,
  minutes: 30 + 15 * (place % 4),
  price: place % 6 === 0 ? null : 10.5 + (place % 9),
  day: `2026-06-${pad(1 + (place % 5))}`,
  paid_on: place % 3 === 1 ? null : `2026-06-${pad(6 + (place % 4))}`,
  starts_at: `2026-06-${pad(1 + (place % 5))} ${pad(8 + (place % 3))}:30:00`
}))

/** Opens the tables of the lists with the lessons. On MySQL, `held` is a BIT. */
export async function openLessons(t: Test, name: DatabaseName): Promise<Db> {
  const db = await openWorld(t, name)
  const is = { mysql: 'bit(1)', postgres: 'boolean', sqlite: 'integer' } as const
  await execute(
    db,
    `create table lessons (lesson_id integer primary key, student_id bigint, instructor_id bigint,
      unit_name varchar(50), note varchar(50), state varchar(10), held ${is[name]}, minutes integer,
      price decimal(10, 2), day date, paid_on date, starts_at ${dateTime(name)})`
  )
  const cell = (held: boolean | null) => (name === 'postgres' || held === null ? held : Number(held))
  await world.insert(db, { lessons: rows.map((row) => ({ ...row, held: cell(row.held) })) })
  return db
}

/** The first and the last name of a user are searched together. */
export const lessonTables = (db: Db, name: DatabaseName): TablesOf<[typeof lessons]> => {
  const full =
    name === 'mysql' ? sql<string>`concat(first_name, ' ', last_name)` : sql<string>`first_name || ' ' || last_name`
  return {
    users: db
      .selectFrom('users')
      .select(['user_id', 'first_name', 'last_name', 'email', 'avatar_url'])
      .select(full.as('full_name')) as never
  }
}

const id: Column = { kind: 'id', whenNull: 'error', isNumeric: true }
const date: Column = { kind: 'date', whenNull: 'error' }
const { definition } = lessons

/** The plan of the lessons for the oracle. */
const plan: ListPlan = {
  ...definition,
  columns: {
    ...{ lesson_id: id, student_id: id, instructor_id: { ...id, whenNull: 'null' } },
    ...{ unit_name: { kind: 'text', whenNull: 'error' }, note: { kind: 'text', whenNull: 'empty' } },
    state: { kind: 'enum', whenNull: 'error', values: ['booked', 'moved', 'done'] },
    held: { kind: 'boolean', whenNull: 'null' },
    ...{ minutes: { kind: 'integer', whenNull: 'error' }, price: { kind: 'decimal', whenNull: 'null' } },
    ...{ day: date, paid_on: { ...date, whenNull: 'null' }, starts_at: { kind: 'wallTime', whenNull: 'error' } }
  },
  joined: { users: { full_name: { kind: 'text', whenNull: 'empty' } }, practitioners: {} },
  practitioner: undefined,
  ...{ order: 'oldest', by: 'starts_at' },
  fields: { ...fieldsOf(...Object.keys(definition.fields)), student: 'users.full_name' },
  search: { columns: ['unit_name', 'users.full_name'], required: false, term: 'ss for ß' },
  filters: {
    ...{ state: { sort: 'several', column: 'state' }, unit_name: { sort: 'several', column: 'unit_name' } },
    ...{ student_id: { sort: 'one', column: 'student_id' }, held: { sort: 'one', column: 'held' } },
    has_instructor: { sort: 'present', column: 'instructor_id' },
    ...{ has_note: { sort: 'present', column: 'note' }, paid: { sort: 'present', column: 'paid_on' } },
    ...{ day: { sort: 'range', column: 'day' }, minutes: { sort: 'range', column: 'minutes' } },
    ...{ price: { sort: 'range', column: 'price' }, starts: { sort: 'range', column: 'starts_at' } }
  },
  otherRoles: 'none',
  optionRoles: {}
}

const users = world.users.map((user) => ({ ...user, full_name: `${user.first_name} ${user.last_name}` }))
const data: Data = { ...world, users, lessons: rows }

/** What the oracle expects of `/lesson/list` for a query string. */
export const expectedLessons = (query: string, caller: Caller) => expected(`${plan.path}?${query}`, caller, data, plan)

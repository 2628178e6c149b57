/** The records and the people of a random list, and their tables. */
import { sql } from 'kysely'
import { insert } from '../fixtures/world.js'
import type { Db } from '../servers/databases.js'
import { randomOf } from './random.js'
import { type ColumnPlan, cellOf, enumStatement, type Value } from './random-columns.js'
import { type RandomList, textsOfUsers } from './random-lists.js'

export type Row = Record<string, Value>

export interface Data {
  users: Row[]
  practitioners: Row[]
  memberships: { user_id: string; org_name: Value }[]
  links: { owner_id: string; user_id: string }[]
  linkTables: Record<string, { owner_id: Value; linked_id: Value }[]>
  records: Row[]
}

const names = ['ana', 'bo', 'cy', 'dora', 'zo', 'a b', 'o_1', '100%', "o'b", '']
const emails = ['ana@box.org', 'bo@box.org', 'c_d@mail.org', '', 'x%@box.org']
const organizations = ['Acme', 'acme', 'Zulu', 'Ärzte', '日本', '']

/** @param isLarge whether `each` needs several batches */
export function dataOf(plan: RandomList, isLarge = false): Data {
  const { columns, joined, id, owner, hasPractitioners } = plan
  const random = randomOf(plan.seed + 0x5bd1e995)
  const ids = (columns[owner] as ColumnPlan).pool
  const orNull = (value: Value) => (random.chance(0.15) ? null : value)
  const cellValue = ({ whenNull, pool }: ColumnPlan): Value =>
    whenNull !== 'error' && random.chance(0.2) ? null : random.pick(pool)
  const added = (columns: Record<string, ColumnPlan>) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, cellValue(column)]))
  const person = () => ({ first_name: orNull(random.pick(names)), last_name: orNull(random.pick(names)) })

  const users = random.some(ids, 0.8).map((user_id) => ({
    user_id,
    ...person(),
    email: orNull(random.pick(emails)),
    avatar_url: orNull(random.pick(['/a.png', '/b.png'])),
    ...added(joined.users),
    // Without a table of their own, the practitioners are users.
    ...(!hasPractitioners && added(joined.practitioners))
  }))
  const practitioners: Row[] = hasPractitioners
    ? random.some(ids, 0.7).map((practitioner_id) => ({ practitioner_id, ...person(), ...added(joined.practitioners) }))
    : users.map((user) => ({ ...user, practitioner_id: user.user_id }))

  const count = isLarge
    ? random.between(1001, 2600)
    : random.chance(0.06)
      ? 0
      : random.below(random.pick([4, 61, 61, 61]))
  const records = idsOf(columns[id] as ColumnPlan, count, plan.seed).map((value) => ({
    ...added(Object.fromEntries(Object.entries(columns).filter(([name]) => name !== id))),
    [id]: value
  }))
  // Some links are doubled, and some lead nowhere. Few of many links have the same owner.
  const links = isLarge ? random.between(1001, 2600) : random.below(9)
  const linkTables = Object.fromEntries(
    Object.entries(plan.linkTables).map(([by, column]) => {
      const linked = [...records.map((row) => row[column] as Value), ...(columns[column] as ColumnPlan).pool, null]
      return [by, random.times(links, () => ({ owner_id: orNull(random.pick(ids)), linked_id: random.pick(linked) }))]
    })
  )
  return {
    users,
    practitioners,
    memberships: random.times(random.below(8), () => ({
      user_id: random.pick(ids),
      org_name: orNull(random.pick(organizations))
    })),
    links: random.times(random.below(9), () => ({ owner_id: random.pick(ids), user_id: random.pick(ids) })),
    linkTables,
    records
  }
}

/** Different ids, in no order. */
function idsOf({ isNumeric }: ColumnPlan, count: number, seed: number): string[] {
  const random = randomOf(seed + 0x27d4eb2f)
  const start = random.pick([1, 1, 8, 95, 9_007_199_254_740_990n])
  const numbers = random.shuffled(random.times(count, (at) => String(BigInt(start) + BigInt(at))))
  if (isNumeric) return numbers
  const prefixes = random.pick([['r'], ['', 'k', 'x']])
  return numbers.map((number) => random.pick(prefixes) + number)
}

/** How the tables and their columns are named in the database. */
export function namesOf({ name, tables }: RandomList) {
  const isSelect = tables === 'select' || tables === 'function'
  return {
    isSelect,
    table: tables === 'default' ? name : `stored_${name}`,
    column: (name: string) => (isSelect ? `c_${name}` : name),
    users: isSelect ? 'accounts' : 'users',
    userColumn: (name: string) => (isSelect ? `${name}_of` : name)
  }
}

const columnsOfUsers = ({ joined, hasPractitioners }: RandomList) => [
  'user_id',
  ...textsOfUsers,
  ...Object.keys({ ...joined.users, ...(!hasPractitioners && joined.practitioners) })
]

/** The option `tables`. */
export function tablesOf(plan: RandomList, db: Db): object {
  const { isSelect, table, column, users, userColumn } = namesOf(plan)
  const selected = (name: string) =>
    plan.computed.includes(name)
      ? sql`coalesce(${sql.ref(column(name))}, null)`.as(name)
      : (`${column(name)} as ${name}` as const)
  const make = (db: Db) => ({
    ...(plan.tables === 'name' && { [plan.name]: table }),
    ...(isSelect && {
      [plan.name]: db.selectFrom(table).select(Object.keys(plan.columns).map(selected)),
      users: db.selectFrom(users).select(columnsOfUsers(plan).map((name) => `${userColumn(name)} as ${name}`))
    }),
    ...(plan.hasPractitioners && { practitioners: 'practitioners' }),
    ...(isSelect &&
      Object.fromEntries(
        Object.keys(plan.linkTables).map((by) => [by, db.selectFrom(by).select(['o as owner_id', 'l as linked_id'])])
      ))
  })
  return plan.tables === 'function' ? make : make(db)
}

export async function createTables(db: Db, plan: RandomList, data: Data): Promise<void> {
  const { columns, joined, id, owner, by, database, hasPractitioners } = plan
  const { isSelect, table, column, users, userColumn } = namesOf(plan)
  const all = [columns, joined.users, joined.practitioners].flatMap((columns) => Object.values(columns))
  if (database === 'postgres') {
    const statements = new Set(all.filter(({ form }) => form === 'enum').map(enumStatement))
    for (const statement of statements) await sql.raw(statement).execute(db)
  }
  const idType = (columns[owner] as ColumnPlan).type
  const text = { type: database === 'mysql' ? 'varchar(60)' : 'text' }
  const person = { first_name: text, last_name: text }
  const ofPractitioners = { ...person, ...joined.practitioners }
  const create = async (table: string, columns: Record<string, { type: string; isNeverNull?: boolean }>) => {
    let made = db.schema.createTable(table)
    for (const [name, { type, isNeverNull }] of Object.entries(columns)) {
      made = made.addColumn(name, sql.raw(type), (column) => (isNeverNull ? column.notNull() : column))
    }
    await made.execute()
  }
  const stored = Object.entries(columns).map(([name, { type, whenNull }]) => [
    column(name),
    { type, isNeverNull: whenNull === 'error' && !type.includes('null') }
  ])
  await create(table, Object.fromEntries(stored))
  await create(users, {
    ...named({ user_id: { type: idType }, ...person, email: text, avatar_url: text, ...joined.users }, userColumn),
    ...(!hasPractitioners && named(joined.practitioners, userColumn))
  })
  if (hasPractitioners) await create('practitioners', { practitioner_id: { type: idType }, ...ofPractitioners })
  await create('memberships', { user_id: { type: idType }, org_name: text })
  await create('links', { owner_id: { type: idType }, user_id: { type: idType } })
  const [ownerId, linkedId] = isSelect ? ['o', 'l'] : ['owner_id', 'linked_id']
  for (const [by, column] of Object.entries(plan.linkTables)) {
    await create(by, { [ownerId]: { type: idType }, [linkedId]: { type: (columns[column] as ColumnPlan).type } })
  }
  if (plan.isIndexed) await db.schema.createIndex('by_time').on(table).columns([by, id].map(column)).execute()

  const cells = (columns: Record<string, ColumnPlan>, row: Row, at: number) => {
    const cell = (name: string, value: Value) => (columns[name] ? cellOf(columns[name], value, at) : value)
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(name, value)]))
  }
  const ofUsers = { ...joined.users, ...(!hasPractitioners && joined.practitioners) }
  const rows = {
    [table]: data.records.map((row, at) => named(cells(columns, row, at), column)),
    [users]: data.users.map((row, at) => named(cells(ofUsers, row, at), userColumn)),
    ...(hasPractitioners && {
      practitioners: data.practitioners.map((row, at) => cells(joined.practitioners, row, at))
    }),
    ...{ memberships: data.memberships, links: data.links },
    ...mapped(data.linkTables, (rows, by) =>
      rows.map(({ owner_id, linked_id }, at) => {
        const column = columns[plan.linkTables[by] as string] as ColumnPlan
        return { [ownerId]: owner_id, [linkedId]: linked_id === null ? null : cellOf(column, linked_id, at) }
      })
    )
  }
  await db.connection().execute(async (db) => {
    // MySQL stores a zero date only in this mode, and a TIMESTAMP by the time zone of the session.
    if (database === 'mysql') await sql`set session sql_mode = '', time_zone = '+00:00'`.execute(db)
    await insert(db, rows)
    if (database === 'mysql') await sql`set session sql_mode = default, time_zone = default`.execute(db)
  })
}

const named = <Of>(record: Record<string, Of>, nameOf: (name: string) => string): Record<string, Of> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [nameOf(name), value]))

const mapped = <From, To>(record: Record<string, From>, make: (value: From, name: string) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]))

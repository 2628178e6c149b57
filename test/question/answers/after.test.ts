import { sql } from 'kysely'
import t from 'tap'
import { createListings, defineList, defineOptions, payments } from '../../../src/index.js'
import { courses } from '../../support/fixtures/courses.js'
import {
  byAfter,
  callers,
  isSeen,
  openTasks,
  pick,
  type Row,
  random,
  rowOf,
  urlOf
} from '../../support/fixtures/tasks.js'
import * as world from '../../support/fixtures/world.js'
import { admin } from '../../support/fixtures/world.js'
import { type Caller, resolveRole, serve } from '../../support/hosts/server.js'
import { execute } from '../../support/oracle/check.js'
import { onDatabases, onServers, openDatabase } from '../../support/servers/databases.js'
import { openTables } from '../../support/servers/tables.js'

interface AfterBody {
  limit: number
  next: string | null
  total?: number
  counts?: object
  tasks: { task_id: string }[]
}

const sorts = byAfter.definition.sort.flatMap((name) => [name, `-${name}`])
const sortsOf = ({ role }: Caller) =>
  sorts.filter((sort) => !sort.endsWith('weight') || ['Admin', 'Both', 'Owner'].includes(role))

onDatabases(t, 'a position is refused where this list has not given it', async (t, name) => {
  const { db, insert } = await openTasks(t, name)
  const rows = Array.from({ length: 30 }, (_, place) => rowOf(place + 1))
  await insert(rows)
  const { get } = await serve(t, { db, lists: [byAfter] as never, resolveRole })
  const admin = callers[7] as Caller
  const first = JSON.parse((await get('/task/list?limit=2', admin)).text)
  t.strictSame(Object.keys(first), ['status', 'message', 'limit', 'next', 'tasks'])
  const all = JSON.parse((await get('/task/list?limit=2&total=true&counts=state', admin)).text)
  t.strictSame(Object.keys(all), ['status', 'message', 'limit', 'next', 'total', 'counts', 'tasks'])
  const error = "The query parameter 'after' must be a `next` that this list gave for the same `sort`."
  const of = (...parts: unknown[]) => Buffer.from(JSON.stringify(['tasks', ...parts])).toString('base64url')
  const wrong = [
    ...['x', 'bnVsbA', `${first.next}=`, `${first.next}A`, first.next.slice(1)],
    ...[of(), of('-made_at'), of('-made_at', 'x', '1'), of('-made_at', '2026-01-01 00:00:00', '')],
    ...[
      of('-made_at', '2026-01-01 00:00:00', 1),
      of('-made_at', '2026-01-01 00:00:00', '1', ''),
      of('made_at', '2026-01-01 00:00:00', '1')
    ],
    ...[of('-made_at', null, '1'), of('-made_at', '2026-01-01 00:00:00', '\u0000'), of('-made_at', '2026-02-30', '1')]
  ]
  for (const after of wrong) {
    const { status, body } = await get(`/task/list?after=${encodeURIComponent(after)}`, admin)
    t.strictSame([status, body.error], [400, error], after)
  }
  // Only the database knows that its id is no text. The others compare with it.
  for (const id of ['abc', '9'.repeat(30)]) {
    const { status } = await get(`/task/list?after=${of('-made_at', '2026-01-01 00:00:00', id)}`, admin)
    t.equal(status, name === 'postgres' ? 400 : 200, id)
  }
  const other = await get(`/task/list?after=${first.next}&sort=size`, admin)
  t.strictSame([other.status, other.body.error], [400, error])
  t.equal((await get(`/task/list?after=${first.next}&sort=-made_at`, admin)).status, 200)
  t.equal((await get(`/task/list?after=${'a'.repeat(1025)}`, admin)).status, 400)
  t.equal((await get('/task/list?page=1', admin)).status, 400)
  t.equal((await get('/task/list?total=yes', admin)).status, 400)
  t.equal((await get('/task/list?sort=weight', { userId: 10, role: 'Linked' })).status, 400)
  // A record that has no place in the order is no silent loss.
  const last = of('-made_at', '2020-01-01 00:00:00', '1')
  const end = '{"status":"success","message":"Tasks found.","limit":12,"next":null,"tasks":[]}'
  t.equal((await get(`/task/list?after=${last}`, admin)).text, end)
  await db.updateTable('tasks').set({ made_at: null }).where('task_id', '=', 7).execute()
  t.equal((await get(`/task/list?after=${last}`, admin)).status, 500)
  await db
    .updateTable('tasks')
    .set({ title: 'a'.repeat(900) })
    .execute()
  t.equal((await get('/task/list?sort=title&limit=1', admin)).status, 500)
})

onServers(t, 'a walk while another connection writes has each record that keeps its place once', async (t, name) => {
  const { db, insert, links } = await openTasks(t, name)
  const rows = Array.from({ length: 90 }, (_, place) => rowOf(place + 1))
  await insert(rows)
  const kept = rows.slice(0, 60)
  const { get } = await serve(t, { db, lists: [byAfter] as never, resolveRole })
  let [isOver, writes, steps] = [false, 0, 0]
  const recent = (id: number) => Math.max(1000, id - random(300))
  const write = async () => {
    for (let id = 1000; !isOver; id++, writes++) {
      // Records come, change and go. The pool has a connection for this beside that of the walk.
      await insert([rowOf(id)])
      const { task_id: _id, held: _held, ...moved } = rowOf(id)
      await db
        .updateTable('tasks')
        .set(moved)
        .where('task_id', '=', 61 + random(30))
        .execute()
      if (random(3) > 0) await db.deleteFrom('tasks').where('task_id', '=', recent(id)).execute()
      // Otherwise a slow walk has ever more to read.
      await db
        .deleteFrom('tasks')
        .where('task_id', '=', id - 300)
        .where('task_id', '>=', 1000)
        .execute()
    }
  }
  const writing = write()
  for (let walk = 0; walk < 40; walk++) {
    const caller = pick(callers)
    const sort = pick(['', ...sortsOf(caller)])
    const walked: number[] = []
    for (let next: string | null = ''; next !== null; steps++) {
      const url = urlOf('/task/list', {
        limit: String(3 + random(9)),
        ...(sort && { sort }),
        ...(next && { after: next })
      })
      const body = JSON.parse((await get(url, caller)).text) as AfterBody
      walked.push(...body.tasks.map(({ task_id }) => Number(task_id)))
      next = walked.length > 5000 ? null : body.next
    }
    const stayed = walked.filter((id) => id <= 60)
    const expected = kept.filter((row) => isSeen(caller, row, links)).map(({ task_id }) => task_id)
    t.strictSame(
      stayed.toSorted((a, b) => a - b),
      expected,
      `${caller.role} ${sort}`
    )
  }
  isOver = true
  await writing
  t.ok(writes > 20)
  t.comment(`${steps} steps, ${writes} writes`)
})

onDatabases(t, 'a page begins strictly after the exact place of a record', async (t, name) => {
  const { db, insert } = await openTasks(t, name)
  const at = (task_id: number, fraction: string, state = 'open'): Row => ({
    ...rowOf(task_id),
    ...{ state, owner_id: 1, made_at: `2026-02-01 10:00:00.${fraction}` }
  })
  await insert([at(1, '9'), at(2, '5', 'paid'), { ...at(3, '5'), made_at: '2026-02-01 09:00:00' }])
  const { find } = createListings({ db, lists: [byAfter], resolveRole } as never) as never as {
    find(name: string, call: object): Promise<{ next: string; items: { task_id: string }[] }>
  }
  const [boss, owner] = [
    { userId: 9, role: 'Admin' },
    { userId: 2, role: 'Owner' }
  ]
  const page = async (query: object, caller = boss) => {
    const { next, items } = await find('tasks', { caller, query })
    return { next, ids: items.map(({ task_id }) => Number(task_id)) }
  }
  const first = await page({ state: ['open'], limit: 1, after: null })
  t.strictSame(first.ids, [1])
  t.match(Buffer.from(first.next, 'base64url').toString(), /10:00:00\.9/)
  t.strictSame((await page({ after: first.next })).ids, [2, 3], 'without the filter')
  const both = await page({ limit: 2 })
  await insert([at(8, '95'), at(9, '3')])
  t.strictSame((await page({ after: first.next })).ids, [2, 9, 3], 'what arrives before it and after it')
  t.strictSame((await page({ after: both.next, state: ['open'] })).ids, [9, 3])
  const newest = await page({ limit: 1, sort: 'made_at' })
  t.strictSame(
    (await page({ after: (await page({ after: newest.next, limit: 1, sort: 'made_at' })).next, sort: 'made_at' })).ids,
    [2, 1, 8]
  )
  await db.deleteFrom('tasks').where('task_id', '=', 2).execute()
  t.strictSame((await page({ after: both.next })).ids, [9, 3], 'the record is deleted')
  t.strictSame((await page({ after: first.next }, owner)).ids, [], 'somebody else')
  await insert([
    { ...at(7, '97'), owner_id: 2 },
    { ...at(6, '2'), owner_id: 2 }
  ])
  t.strictSame((await page({ after: first.next }, owner)).ids, [6], 'it is a place, and no right')
})

onDatabases(t, 'the last page has no next, though its records have several rows', async (t, name) => {
  const db = await openDatabase(t, name)
  await execute(
    db,
    'create table courses (id varchar(60) primary key, owner_id bigint, helper_id bigint, seats int, title varchar(20), shown int, day date)',
    'create table users (user_id bigint primary key, first_name text, last_name text, email text, avatar_url text)',
    'create table memberships (user_id bigint, org_name varchar(20))',
    "insert into memberships values (7, 'A'), (7, 'B'), (7, 'C')",
    `insert into courses values ${[1, 2, 3, 4].map((seats) => `('c${seats}', 7, 7, ${seats}, ${seats > 2 ? 'null' : "'Yoga'"}, 1, '2026-03-01')`).join()}`
  )
  const orgs = { column: 'memberships.org_name', examples: [['A']] } as const
  const { fields, filters: _filters, ...rest } = courses.definition
  const { shown: _shown, ...others } = fields
  const list = defineList({ ...rest, fields: { ...others, orgs }, owner: 'owner_id' })
  const { find } = createListings({ db: db as never, resolveRole: () => null, lists: [list] })
  const caller = { userId: 7, role: 'Admin' }
  for (const sort of ['seats', '-title'] as const) {
    for (const limit of [1, 2, 3, 4, 5]) {
      const [walked, pages]: [string[], number[]] = [[], []]
      for (let after: string | null | undefined = null; after !== undefined; ) {
        const page: { items: { id: string; orgs: string[] }[]; next: string | null } = await find('courses', {
          caller,
          query: { sort, limit, after }
        })
        for (const { orgs } of page.items) t.strictSame(orgs, ['A', 'B', 'C'])
        walked.push(...page.items.map(({ id }) => id))
        pages.push(page.items.length)
        after = page.next ?? undefined
      }
      t.strictSame(walked, sort === 'seats' ? ['c1', 'c2', 'c3', 'c4'] : ['c2', 'c1', 'c4', 'c3'], `${sort} ${limit}`)
      t.equal(pages.length, Math.ceil(4 / limit), 'no page is empty or short before the end')
    }
  }
})

onDatabases(t, 'a text with NUL is no place, and the record is named', async (t, name) => {
  // PostgreSQL holds no such text.
  if (name === 'postgres') return
  const db = await openDatabase(t, name)
  await execute(
    db,
    'create table courses (id varchar(60) primary key, owner_id bigint, helper_id bigint, seats int, title varchar(20), shown int, day date)',
    'create table users (user_id bigint primary key, first_name text, last_name text, email text, avatar_url text)'
  )
  const title = name === 'sqlite' ? "'a' || char(0) || 'b'" : "concat('a', char(0), 'b')"
  const rows = ['a', 'b', 'c'].map((id) => `('${id}', 7, 8, 20, ${title}, 1, '2026-03-01')`)
  await execute(db, `insert into courses values ${rows.join()}`)
  const { find } = createListings({ db: db as never, resolveRole: () => null, lists: [courses] })
  const caller = { userId: 7, role: 'Admin' }
  // The driver of SQLite ends the text at NUL, so the next page begins where this one did.
  const { next = null } = name === 'sqlite' ? await find('courses', { caller, query: { sort: 'title', limit: 2 } }) : {}
  await t.rejects(find('courses', { caller, query: { sort: 'title', limit: 2, after: next } }), {
    statusCode: 500,
    message: 'Internal server error.',
    reason: /^Nothing can be read after the id b, because its title or its id is too long, is empty or has a NUL/
  })
  const { items } = await find('courses', { caller, query: { sort: 'title', limit: 3 } })
  t.equal(items.length, 3, 'the last page needs no place')
})

// Only MySQL and MariaDB need a plan for a search.
t.test('a search of all records has its pages and its total for none, few and many matches', async (t) => {
  const plans: string[] = []
  const onQuery = ({ sql }: { sql: string }) => {
    if (/ as k\b/.test(sql)) plans.push(/order by coalesce/.test(sql) ? 'sorted' : 'scan')
  }
  const db = await openTables(t, 'mysql', { onQuery })
  // More than the ids that a statement takes. A few of the payments are found by their user.
  const ids = Array.from({ length: 5100 }, (_, place) => place + 1)
  const userOf = (id: number) => (id % 1000 === 7 ? 1 : 2)
  const emails = ['Ticket 50@example.org', 'ben@example.org']
  const [[user], [payment]] = [world.users, world.payments]
  await world.insert(db, {
    users: emails.map((email, place) => ({ ...user, user_id: place + 1, email })),
    payments: ids.map((id) => ({
      ...{ ...payment, payment_id: id, user_id: userOf(id), payment_intent: `Ticket ${id}` },
      created_at: `2024-01-0${1 + (id % 3)} 00:00:00`
    }))
  })
  const matching = (search: string) =>
    ids
      .filter((id) => [`Ticket ${id}`, String(emails[userOf(id) - 1])].some((text) => text.includes(search)))
      .sort((a, b) => (b % 3) - (a % 3) || b - a)
  const lists = [payments.extend({ paging: 'after' })] as const
  const findOn = (tables: object) => createListings(defineOptions({ db, resolveRole, lists, tables })).find
  /** Reads some pages, and returns the plans of each. */
  const walk = async (find: ReturnType<typeof findOn>, search: string, pages: number) => {
    const expected = matching(search).map(String)
    const limit = 100
    const plansOf: string[] = []
    let after: string | undefined
    for (let page = 0; page < pages; page++) {
      plans.length = 0
      const query = { search, limit, total: page % 2 === 0, ...(after && { after }) }
      const { items, total, next } = await find('payments', { caller: admin, query })
      plansOf.push(plans.join())
      const shown = expected.slice(page * limit, (page + 1) * limit)
      t.strictSame(
        [items.map(({ payment_id }) => payment_id), total, next !== null],
        [shown, query.total ? expected.length : undefined, expected.length > (page + 1) * limit],
        `page ${page + 1} of ${search}`
      )
      after = next ?? undefined
    }
    return { plansOf, after }
  }
  const find = findOn({})
  t.strictSame((await walk(find, 'nobody', 1)).plansOf, ['sorted'])
  // The end of the last page looks for records that no position reaches.
  t.match((await walk(find, 'Ticket 50', 2)).plansOf, ['sorted', /^sorted/])
  const { plansOf, after } = await walk(find, 'Ticket', 3)
  t.match(plansOf, [/^scan/, /^scan/, /^scan/])
  const none = await find('payments', { caller: admin, query: { search: 'nobody', total: true, after: String(after) } })
  t.strictSame(none, { limit: 12, next: null, total: 0, items: [] }, 'none after a record')

  // The newest record takes longer than a scan may take.
  const [newest] = matching('')
  const slow = sql<boolean>`(payment_id <> ${sql.lit(newest)} or sleep(0.3) = 0)`
  const late = await walk(findOn({ payments: db.selectFrom('payments').selectAll().where(slow) }), 'Ticket', 1)
  t.strictSame(late.plansOf, ['scan,sorted'], 'the matches are sorted once the time of the scan is over')
})

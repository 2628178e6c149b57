/** Counts, one record and pages after a record give what an oracle in JavaScript gives. */
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { column, createListings, defineList, defineOptions } from '../../../src/index.js'
import { execute } from '../../support/check.js'
import { type DatabaseName, databases } from '../../support/databases.js'
import { type Caller, resolveRole, serve } from '../../support/server.js'
import { openWorld } from '../../support/tables.js'

const states = ['open', 'paid', 'void', 'lost'] as const

const definition = {
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

const byNumber = defineList(definition)
const byAfter = defineList({ ...definition, paging: 'after' })

interface Row {
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
const random = (below: number) => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return Math.floor((seed / 2147483648) * below)
}
const pick = <Of>(values: readonly Of[]): Of => values[random(values.length)] as Of

const rowOf = (task_id: number): Row => ({
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

async function openTasks(t: Test, name: DatabaseName) {
  const db = await openWorld(t, name)
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

const callers: Caller[] = [
  { userId: 1, role: 'Owner' },
  { userId: 2, role: 'Owner' },
  { userId: 10, role: 'Linked' },
  { userId: 11, role: 'Linked' },
  { userId: 10, role: 'Helper' },
  { userId: 10, role: 'Both' },
  { userId: 1, role: 'Both' },
  { userId: 9, role: 'Admin' }
]

const isSeen = ({ userId, role }: Caller, row: Row, links: readonly { owner_id: number; user_id: number }[]) => {
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

type Query = Record<string, string | string[]>

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

const matches = (row: Row, query: Query, without?: string) =>
  Object.entries(query).every(([name, value]) => name === without || !keeps[name] || keeps[name](row, value))

const values: Record<string, readonly string[]> = {
  state: states,
  only: states,
  held: ['true', 'false'],
  noted: ['true', 'false']
}

const seesHeld = ({ role }: Caller) => ['Admin', 'Both'].includes(role)

function randomQuery(caller: Caller): Query {
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

const countsOf = (rows: readonly Row[], query: Query, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const kept = rows.filter((row) => matches(row, query, name))
      const numberOf = (value: string) => kept.filter((row) => keeps[name]?.(row, value)).length
      return [name, Object.fromEntries((values[name] ?? []).map((value) => [value, numberOf(value)]))]
    })
  )

const urlOf = (path: string, query: Query) => {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each]))
  return `${path}?${new URLSearchParams(pairs as [string, string][])}`
}

for (const name of databases)
  t.test(`${name}: counts are those of an oracle, and the totals of their own requests`, async (t) => {
    const { db, insert, links } = await openTasks(t, name)
    const rows = Array.from({ length: 120 }, (_, place) => rowOf(place + 1))
    await insert(rows)
    const { get } = await serve(t, { db, lists: [byNumber] as never, resolveRole })
    let wrong = 0
    for (let step = 0; step < (name === 'sqlite' ? 1500 : 400); step++) {
      const caller = pick(callers)
      const query = randomQuery(caller)
      const names = ['state', 'only', 'noted', ...(seesHeld(caller) ? ['held'] : [])].filter(() => random(2) === 0)
      const { status, text } = await get(urlOf('/task/list', { ...query, counts: names, limit: '3' }), caller)
      const seen = rows.filter((row) => isSeen(caller, row, links))
      const body = JSON.parse(text)
      const expected = names.length > 0 ? countsOf(seen, query, names) : undefined
      const total = seen.filter((row) => matches(row, query)).length
      if (status !== 200 || JSON.stringify(body.counts) !== JSON.stringify(expected) || body.total !== total) {
        if (wrong++ === 0) t.strictSame([body, caller, query], [expected, total])
      }
    }
    t.equal(wrong, 0)
    const hidden = await get('/task/list?counts=held', { userId: 1, role: 'Owner' })
    t.strictSame(
      [hidden.status, hidden.body.error],
      [400, "The query parameter 'counts' must be one of: state, only, noted."]
    )
    t.equal((await get('/task/list?counts=title', callers[7])).status, 400)
    t.equal((await get('/task/list?counts=', callers[7])).body.total, 120)
  })

for (const name of databases)
  t.test(`${name}: a record is the item of the list, or one 404`, async (t) => {
    const { db, insert, links } = await openTasks(t, name)
    const rows = Array.from({ length: 60 }, (_, place) => rowOf(place + 1))
    await insert(rows)
    const { get } = await serve(t, { db, lists: [byNumber] as never, resolveRole })
    const listings = createListings(defineOptions({ db: db as never, resolveRole, lists: [byNumber] as const }))
    let wrong = 0
    const missing = (await get('/task/4711', callers[7])).text
    for (const caller of callers) {
      const items = new Map<string, unknown>()
      for (const page of [1, 2]) {
        const { body } = await get(`/task/list?limit=50&page=${page}`, caller)
        for (const item of (body as { tasks?: { task_id: string }[] }).tasks ?? []) items.set(item.task_id, item)
      }
      for (const row of rows) {
        const { status, text } = await get(`/task/${row.task_id}`, caller)
        const item = items.get(String(row.task_id))
        const expected = item ? JSON.stringify({ status: 'success', message: 'Task found.', task: item }) : missing
        const called = await listings.get('tasks', row.task_id, { caller })
        const isRight = status === (item ? 200 : 404) && text === expected
        if (!isRight || Boolean(item) !== isSeen(caller, row, links)) wrong++
        if (JSON.stringify(called) !== JSON.stringify(item)) wrong++
      }
    }
    t.equal(wrong, 0)
    t.equal(missing, '{"status":404,"error":"No such task."}')
    for (const id of ['', '0x1', '1.0', '01', '%201', '1%00', '%0A', '1%2F2', 'a'.repeat(100), '9'.repeat(40)]) {
      const { status, text } = await get(`/task/${id}`, callers[7])
      t.strictSame([status, text], [404, missing], id)
    }
    t.equal(
      (await get('/task/1?page=1', callers[7])).body.error,
      "The query parameter 'page' is not known; allowed are: none."
    )
    t.equal((await get('/task/1', { userId: 1, role: 'Nobody' })).status, 403)
    t.equal((await get('/task/1', { headers: {} })).status, 401)
    t.equal((await get('/task/1', callers[7])).headers['cache-control'], 'private, no-store')
    await t.rejects(listings.get('tasks', 1, { caller: { userId: 1, role: 'Nobody' } }), { statusCode: 403 } as never)
    await t.rejects(listings.get('tasks', {} as never, { caller: callers[7] as never }), TypeError)
  })

type Compare = (a: Row, b: Row) => number
const compareTexts = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const orders: Record<string, (row: Row) => string | number> = {
  made_at: (row) => row.made_at,
  weight: (row) => row.weight,
  size: (row) => row.size,
  title: (row) => row.title,
  day: (row) => row.day,
  task_id: (row) => row.task_id
}

const orderOf = (sort: string): Compare => {
  const of = orders[sort.replace('-', '')] as (row: Row) => string | number
  const sign = sort.startsWith('-') ? -1 : 1
  return (a, b) => {
    const [one, other] = [of(a), of(b)]
    const compared = typeof one === 'string' ? compareTexts(one, String(other)) : one - Number(other)
    return sign * (compared || a.task_id - b.task_id)
  }
}

interface AfterBody {
  limit: number
  next: string | null
  total?: number
  counts?: object
  tasks: { task_id: string }[]
}

const sorts = Object.keys(orders).flatMap((name) => [name, `-${name}`])
const sortsOf = ({ role }: Caller) =>
  sorts.filter((sort) => !sort.endsWith('weight') || ['Admin', 'Both', 'Owner'].includes(role))

for (const name of databases)
  t.test(
    `${name}: a walk after each record is the oracle, and has no record twice while others come and go`,
    async (t) => {
      const { db, insert, links } = await openTasks(t, name)
      // Computed columns have no affinity in SQLite.
      const computed = db
        .selectFrom('tasks')
        .select(['task_id', 'owner_id', 'helper_id', 'title', 'state', 'held', 'note', 'day', 'made_at'])
        .select([sql`size + 0`.as('size'), sql`weight * 1`.as('weight')])
      const given = { db, lists: [byAfter] as never, resolveRole }
      const servers = [
        await serve(t, given),
        await serve(t, { ...given, tables: { tasks: computed } as never })
      ] as const
      const listings = createListings(defineOptions({ db: db as never, resolveRole, lists: [byAfter] as const }))
      let [wrong, requests] = [0, 0]
      for (let walk = 0; walk < (name === 'sqlite' ? 900 : 200); walk++) {
        const isQuiet = walk % 2 === 0
        const { get } = pick(servers)
        let last = 60 + random(60)
        let rows = Array.from({ length: last }, (_, place) => rowOf(place + 1))
        await db.deleteFrom('tasks').execute()
        await insert(rows)
        const caller = pick(callers)
        const query = randomQuery(caller)
        const sort = pick(['', ...sortsOf(caller)])
        const isKept = (row: Row) => isSeen(caller, row, links) && matches(row, query)
        const inOrder = (of: readonly Row[]) => [...of].sort(orderOf(sort || '-made_at'))
        const kept = new Set(rows.filter(isKept).map((row) => row.task_id))
        const walked: number[] = []
        let next: string | null = ''
        while (next !== null) {
          const limit = 1 + random(9)
          const asked: Query = { ...query, limit: String(limit), ...(sort && { sort }), ...(next && { after: next }) }
          const withTotal = random(3) === 0
          const named = random(3) === 0 ? ['state', 'noted'] : []
          const url = urlOf('/task/list', { ...asked, ...(withTotal && { total: 'true' }), counts: named })
          const { status, text } = await get(url, caller)
          requests++
          const body = JSON.parse(text) as AfterBody
          const before = walked.at(-1)
          const seen = rows.filter((row) => isSeen(caller, row, links))
          const expected = inOrder(rows.filter(isKept))
          if (isQuiet) {
            const from = before === undefined ? 0 : expected.findIndex((row) => row.task_id === before) + 1
            const page = expected.slice(from, from + limit).map((row) => String(row.task_id))
            const isRight =
              status === 200 &&
              JSON.stringify(body.tasks.map((task) => task.task_id)) === JSON.stringify(page) &&
              (body.next !== null) === from + limit < expected.length &&
              body.total === (withTotal ? expected.length : undefined) &&
              JSON.stringify(body.counts) ===
                JSON.stringify(named.length > 0 ? countsOf(seen, query, named) : undefined)
            if (!isRight && wrong++ === 0) t.strictSame([body, url, caller], [page, expected.length])
          }
          if (random(20) === 0) {
            const of = { after: next || undefined, limit, total: withTotal, sort: sort || undefined, counts: named }
            const { items, ...numbers } = await listings.find('tasks', {
              caller: caller as never,
              query: { ...query, ...of, ...(named.length === 0 && { counts: undefined }) } as never
            })
            const { tasks, status: _status, message: _message, ...others } = body as AfterBody & Record<string, unknown>
            if (JSON.stringify([items, numbers]) !== JSON.stringify([tasks, others])) wrong++
          }
          walked.push(...(body.tasks ?? []).map((task) => Number(task.task_id)))
          next = body.next ?? null
          if (walked.length > 2000) next = null
          if (isQuiet) continue
          // Another writer: new records, and records that go, the last one of the page among them.
          const gone = [pick(rows).task_id, ...(random(2) === 0 ? [walked.at(-1) ?? 0] : [])]
          await db.deleteFrom('tasks').where('task_id', 'in', gone).execute()
          rows = rows.filter((row) => !gone.includes(row.task_id))
          for (const id of gone) kept.delete(id)
          const more = Array.from({ length: random(3) }, () => rowOf(++last))
          if (more.length > 0) await insert(more)
          rows.push(...more)
        }
        const twice = walked.length - new Set(walked).size
        const lost = [...kept].filter((id) => !walked.includes(id)).length
        if (twice + lost > 0) {
          wrong++
          t.comment(`${JSON.stringify([caller, query, sort])}: ${twice} twice, ${lost} lost`)
        }
      }
      t.comment(`${requests} requests`)
      t.equal(wrong, 0)
    }
  )

for (const name of databases)
  t.test(`${name}: a position is refused where this list has not given it`, async (t) => {
    const { db, insert } = await openTasks(t, name)
    const rows = Array.from({ length: 30 }, (_, place) => rowOf(place + 1))
    await insert(rows)
    const { get } = await serve(t, { db, lists: [byAfter] as never, resolveRole })
    const admin = callers[7] as Caller
    const first = JSON.parse((await get('/task/list?limit=2', admin)).text)
    t.strictSame(Object.keys(first), ['status', 'message', 'limit', 'next', 'tasks'])
    const all = JSON.parse((await get('/task/list?limit=2&total=true&counts=state', admin)).text)
    t.strictSame(Object.keys(all), ['status', 'message', 'limit', 'next', 'total', 'counts', 'tasks'])
    const error = "The query parameter 'after' must be the `next` of a page of this list with the same `sort`."
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

t.test('the mistakes of a definition name their place', (t) => {
  const wrong: [more: object, message: string][] = [
    [{ paging: 'key' }, "'paging' must be number or after, and is a string"],
    [{ paging: 'after', key: 'next' }, "'key' cannot be 'next', which is another property of an answer of this list"],
    [{ key: 'counts' }, "'key' cannot be 'counts', which is another property of an answer of this list"],
    [
      { paging: 'after', order: '-hidden', columns: { hidden: column.utcTime({ whenNull: 'error' }) } },
      "'paging' after needs a field that shows 'hidden', because 'next' has the value of the order"
    ],
    [
      { paging: 'after', sort: ['state'] },
      "'sort' cannot name 'state' of the kind enum together with 'paging' after, because an ENUM of MySQL is sorted by its place, and compared by its text"
    ],
    [
      { filters: { title: { counted: true, examples: ['a'] } } },
      "'counted' of filter 'title' needs a column of the kind enum or boolean, or 'present', because their values are few, and 'title' is of the kind text"
    ],
    [
      { filters: { size: { counted: true, range: true } } },
      "'counted' of filter 'size' needs a column of the kind enum or boolean, or 'present', because their values are few, and 'size' is of the kind integer"
    ],
    [
      { filters: { ...definition.filters, counts: { column: 'held', examples: [true] } } },
      "the parameter 'counts' is taken"
    ],
    [{ paging: 'after', filters: { total: { column: 'held', examples: [true] } } }, "the parameter 'total' is taken"],
    [
      { record: { ...definition.record, path: '/task' } },
      "'record.path' must be a text such as '/lesson/:lesson_id', with one parameter as a whole part of the path, and is a string"
    ],
    [
      { record: { ...definition.record, key: 'status' } },
      "'record.key' must be a text, and none of status, message, and is a string"
    ],
    [{ record: { ...definition.record, more: 1 } }, "'record' has no property 'more'"]
  ]
  for (const [more, message] of wrong) {
    try {
      defineList({ ...definition, ...more } as never)
      t.fail(message)
    } catch (error) {
      t.match((error as Error).message, message)
    }
  }
  t.end()
})

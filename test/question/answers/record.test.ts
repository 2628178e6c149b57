import t from 'tap'
import { column, createListings, defineList, defineOptions } from '../../../src/index.js'
import { goods as listOfGoods } from '../../support/fixtures/goods.js'
import { createIncidents, incidents } from '../../support/fixtures/incidents.js'
import { byNumber, callers, isSeen, openTasks, rowOf } from '../../support/fixtures/tasks.js'
import { resolveRole, serve } from '../../support/hosts/server.js'
import { execute } from '../../support/oracle/check.js'
import { dateTime, onDatabases, openDatabase } from '../../support/servers/databases.js'

onDatabases(t, 'a record is the item of the list, or one 404', async (t, name) => {
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
  t.equal((await get('/task/1?page=1', callers[7])).body.error, "The query parameter 'page' is unknown. Allowed: none.")
  t.equal((await get('/task/1', { userId: 1, role: 'Nobody' })).status, 403)
  t.equal((await get('/task/1', { headers: {} })).status, 401)
  t.equal((await get('/task/1', callers[7])).headers['cache-control'], 'private, no-store')
  await t.rejects(listings.get('tasks', 1, { caller: { userId: 1, role: 'Nobody' } }), { statusCode: 403 } as never)
  await t.rejects(listings.get('tasks', {} as never, { caller: callers[7] as never }), TypeError)
})

onDatabases(t, 'a record is found by its index, whatever the id and the links of the caller', async (t, name) => {
  const statements: string[] = []
  const onQuery = ({ sql }: { sql: string }) => statements.push(sql.replaceAll(/["`]/g, ''))
  const { db, insert } = await openTasks(t, name, { onQuery })
  await insert([rowOf(1)])
  const { get } = await serve(t, { db, lists: [byNumber] as never, resolveRole })
  const missing = (await get('/task/4711', callers[7])).text
  for (const id of ['4711', '-1', 'abc', '1e1', '漢']) {
    for (const caller of callers) {
      statements.length = 0
      t.equal((await get(`/task/${encodeURIComponent(id)}`, caller)).text, missing, `${id}, ${caller.role}`)
      const pages = statements.filter((statement) => statement.includes('record gone'))
      t.ok(
        pages.length > 0 &&
          pages.every((statement) => /r\.task_id (= (\$|\?|_utf8mb4)|in \(\?)|\b1 = 0/.test(statement)),
        id
      )
      // These would read every link.
      t.notOk(pages.some((statement) => / union |any\(/.test(statement)))
      if (name !== 'mysql') t.notOk(pages.some((statement) => / in \(select/.test(statement)))
    }
  }
})

onDatabases(t, 'a record of another tenant with the same id tells nothing of its owner', async (t, name) => {
  const db = await openDatabase(t, name)
  const pupil = name === 'mysql' ? 'varchar(9) collate utf8mb4_general_ci' : 'varchar(9)'
  await createIncidents(db, name, { key: 'bigint', pupil })
  // MariaDB equates these pupils.
  const pupils = ['u1', 'U1', 'ú1', 'u1 ']
  await execute(
    db,
    'delete from incidents where id > 4',
    ...pupils.map(
      (pupil, place) => `update incidents set pupil_id = '${pupil}', school = 's${place}' where id = ${place + 1}`
    ),
    'update incidents set id = 7',
    `create table links (owner_id varchar(9), user_id ${pupil})`,
    "insert into links values ('c', 'u1'), ('c', 'other')"
  )
  const messages = { found: 'Found.', notFound: 'No such incident.' }
  const options = defineOptions({
    db: db as never,
    resolveRole,
    lists: [incidents.extend({ record: { path: '/incident/:id', key: 'incident', messages } })] as const,
    roles: { incidents: { Head: { linked: 'pupil_id' }, Inspector: [{ linked: 'pupil_id' }, { own: 'pupil_id' }] } }
  })
  for (const role of ['Head', 'Inspector']) {
    for (const place of pupils.keys()) {
      const { get, find } = createListings(options)
      const caller = { userId: 'c', role, ids: { school: `s${place}` } }
      t.equal((await find('incidents', { caller, query: {} })).total, place === 0 ? 1 : 0, `${role} s${place}`)
      t.equal((await get('incidents', 7, { caller })) !== undefined, place === 0, `${role} s${place}`)
    }
  }
})

onDatabases(
  t,
  'every id that the list shows is found, also a long one and one with control characters',
  async (t, name) => {
    const goods = defineList({
      ...listOfGoods,
      fields: { id: column.id({ examples: ['1'] }) },
      columns: { owner: column.id(), added_at: column.wallTime({ whenNull: 'error' }) },
      record: { path: '/goods/:id', key: 'one', messages: { found: 'Found.', notFound: 'No such thing.' } }
    })
    const db = await openDatabase(t, name)
    const type = name === 'mysql' ? 'varchar(600) collate utf8mb4_bin' : 'varchar(600)'
    await execute(db, `create table goods (id ${type} primary key, owner bigint, added_at ${dateTime(name)})`)
    const ids = ['x'.repeat(257), 'ß漢😀'.repeat(200), 'a\tb', '\n', '\u0085', '\u007f', ' a ', '/', '?', '%', '']
    const added_at = '2026-03-01 09:30:00'
    await db
      .insertInto('goods')
      .values(ids.map((id) => ({ id, owner: 1, added_at })))
      .execute()
    const options = { db, resolveRole, lists: [goods] } as const
    const admin = { userId: 1, role: 'Admin' }
    const listings = createListings(defineOptions(options as never))
    const { items } = (await listings.find('goods' as never, { caller: admin, query: { limit: 50 } as never })) as never
    t.strictSame((items as { id: string }[]).map(({ id }) => id).toSorted(), ids.toSorted())
    const { get } = await serve(t, options as never, { server: { routerOptions: { maxParamLength: 1000 } } })
    for (const id of ids) {
      t.strictSame(await listings.get('goods' as never, id, { caller: admin }), { id })
      const { text } = await get(`/goods/${encodeURIComponent(id)}`, admin)
      t.equal(text, JSON.stringify({ status: 'success', message: 'Found.', one: { id } }))
    }
    for (const id of ['a\0', '\0', '\ud800', 'x\udfff', 'x'.repeat(100_000), 'A\tb', 'a b'])
      t.equal(await listings.get('goods' as never, id, { caller: admin }), undefined)
  }
)

t.test('Fastify itself answers a path that its router refuses', async (t) => {
  const { db } = await openTasks(t, 'sqlite')
  const { get } = await serve(t, { db, lists: [byNumber] as never, resolveRole })
  const [broken, long] = [await get('/task/%zz', callers[7]), await get(`/task/${'1'.repeat(101)}`, callers[7])]
  t.match([broken.status, broken.text], [400, '"code":"FST_ERR_BAD_URL"'])
  t.match([long.status, long.text], [414, '"code":"FST_ERR_MAX_PARAM_LENGTH"'])
})

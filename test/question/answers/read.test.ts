/** Orders in which some records have no place by their value, because it is empty or does not stand (contract 124 and 140). */
import t from 'tap'
import { createListings, defineList } from '../../../src/index.js'
import { askCharts, charts, createCharts } from '../../support/fixtures/charts.js'
import { execute } from '../../support/oracle/check.js'
import { type Db, onDatabases, openDatabase } from '../../support/servers/databases.js'

// A text that is an ENUM on MySQL cannot sort such a list.
const after = defineList({
  ...charts.definition,
  sort: ['cost', 'note', 'code', 'ward', 'day', 'id'],
  paging: 'after'
}) as never as typeof charts

/** Each order of a caller, with all of the caller's charts. */
const orders = [
  ['Head', 'ward', '6 1 4 8 2 3 5 7'],
  ['Head', '-ward', '2 8 4 1 6 7 5 3'],
  ['Head', 'day', '6 3 1 4 7 2 5 8'],
  ['Head', '-day', '7 4 1 3 6 8 5 2'],
  ['Clerk', 'cost', '4 1 5 3'],
  ['Clerk', '-cost', '5 1 4 3'],
  [['Head', 'Clerk'], 'cost', '4 1 5 2 3 6 7 8'],
  [['Head', 'Clerk'], '-cost', '5 1 4 8 7 6 3 2'],
  [['Physician', 'Clerk'], 'note', '2 1 3 4 5'],
  [['Physician', 'Clerk'], '-note', '1 2 5 4 3'],
  [['Physician', 'Auditor', 'Clerk'], 'cost', '4 8 1 5 2 3'],
  [['Cook', 'Physician'], '-day', '1 3 2'],
  // An empty text is a value of a column that is never null.
  [['Head', 'Physician'], 'code', '2 3 1 4 5 6 7 8'],
  [['Head', 'Physician'], '-code', '1 3 2 8 7 6 5 4'],
  // One of the roles shows it in every record.
  [['Head', 'Physician', 'Chief'], 'code', '2 3 4 5 8 1 7 6']
] as const

onDatabases(t, 'records without a value come last in both directions, by their ids', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  const asked = askCharts(db)
  const following = askCharts(db, after)
  // An ENUM of MySQL is sorted by its place, and other databases sort the text.
  const levels = name === 'mysql' ? '1 7 4 8 2 6 3 5' : '2 6 1 7 4 8 3 5'
  for (const [role, sort, expected] of [...orders, ['Head', 'level', levels] as const]) {
    const title = `${role} by ${sort}`
    const roles = [role].flat()
    t.equal(await asked.page(roles, { sort }), expected, title)
    const limits = [1, 2, 3, 5, 100]
    for (const limit of limits)
      t.equal(await asked.pages(roles, { sort }, limit), expected, `${title}, pages of ${limit}`)
    t.equal(await asked.page(roles, { sort, page: 9, limit: 3 }), '', 'past the end')
    if (sort === 'level') continue
    for (const limit of limits)
      t.equal(await following.walk(roles, { sort }, limit), expected, `${title}, after ${limit}`)
    t.equal(await asked.each(roles, { sort }), expected, `each of ${title}`)
  }
  t.equal(await asked.page(['Head', 'Physician', 'Clerk'], { sort: '-cost', has_note: true }), '1 2', 'with a filter')
  const north = { search: 'north', sort: '-cost' }
  t.equal(await asked.page(['Head', 'Clerk'], north), '1 4 8', 'with a search')
  t.equal(await asked.pages(['Head', 'Clerk'], north, 1), '1 4 8')
  t.equal(await following.walk(['Head', 'Clerk'], north, 1), '1 4 8')
  await t.rejects(asked.each('Head', { sort: 'level' }), {
    statusCode: 400,
    message: "The query parameter 'sort' must be one of: ward, -ward, day, -day, id, -id."
  })
})

onDatabases(t, 'an order tells nothing of a hidden value', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  const asked = askCharts(db)
  const pages = () =>
    Promise.all(['cost', '-cost'].map((sort) => asked.pages(['Head', 'Clerk'], { sort, search: '' }, 2)))
  const before = await pages()
  await db.updateTable('charts').set({ cost: 100 }).where('clerk_id', '=', 8).execute()
  t.strictSame(await pages(), before)
})

onDatabases(t, 'a place among the records without a value is one of its own list and order', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  const { callerOf } = askCharts(db)
  const { find } = createListings({ db: db as never, resolveRole: () => null, lists: [after] })
  const ask = (role: string | string[], query: object) =>
    find('charts', { caller: callerOf(role), query: query as never }) as unknown as Promise<{
      items: { id: string }[]
      next: string
    }>
  const { next } = await ask(['Head', 'Clerk'], { sort: 'cost', limit: 4 })
  t.strictSame(JSON.parse(Buffer.from(next, 'base64url').toString()), ['charts', 'cost', null, '2'])
  const { items } = await ask(['Head', 'Clerk'], { sort: 'cost', after: next })
  t.strictSame(
    items.map(({ id }) => id),
    ['3', '6', '7', '8']
  )
  await t.rejects(ask(['Head', 'Clerk'], { sort: '-cost', after: next }), { statusCode: 400, message: /next/ })
  // A role that shows every code leaves no record after such a place.
  const place = (sort: string) => Buffer.from(JSON.stringify(['charts', sort, null, '2'])).toString('base64url')
  const ofAll = await ask(['Head', 'Physician', 'Chief'], { sort: 'code', after: place('code') })
  t.strictSame(ofAll.items, [])
  await t.rejects(ask('Head', { sort: 'id', after: place('id') }), { statusCode: 400, message: /next/ }, 'never empty')
})

onDatabases(t, 'a record that a writer moves between the two parts of a page comes once', async (t, name) => {
  let write = async () => undefined as unknown
  const db = await openDatabase(t, name, {
    async before({ sql }) {
      // The statement of the records without a value. SQLite has one connection, see below.
      if (name !== 'sqlite' && /sort key/.test(sql) && /is null\b[^;]*order by/.test(sql)) await write()
    }
  })
  await createCharts(db, name)
  const { page, total } = askCharts(db)
  const day = (value: string | null) => db.updateTable('charts').set({ day: value }).where('id', '=', 1).execute()
  const [kept, emptied] = ['6 3 1 4 7 2 5 8', '6 3 4 7 1 2 5 8']
  t.equal(await page('Head', { sort: 'day' }), kept)
  for (let lead = 0; lead < (name === 'sqlite' ? 30 : 2); lead++) {
    await day('2026-01-05')
    write = () => day(null)
    const asked = Promise.all([page('Head', { sort: 'day' }), total('Head', { sort: 'day' })])
    if (name === 'sqlite') {
      for (let turn = 0; turn < lead; turn++) await undefined
      await day(null)
    }
    const [ids, number] = await asked
    write = async () => undefined
    t.ok([kept, emptied].includes(ids), ids)
    t.equal(number, 8)
  }
})

onDatabases(t, 'rows that a join of the host repeats end no part', async (t, name) => {
  const db = await openDatabase(t, name)
  await createCharts(db, name)
  await execute(db, 'create table tags (chart bigint)', 'insert into tags values (6), (6), (6), (6), (3), (3)')
  const repeated = db.selectFrom('charts').leftJoin('tags', 'tags.chart', 'charts.id').selectAll('charts') as never
  const { find } = askRepeated(db, repeated)
  for (const limit of [2, 3, 4]) {
    const walked: string[] = []
    for (let next: string | null = null, page = 0; page === 0 || next !== null; page++) {
      const query = { sort: 'day', limit, after: next }
      const answer = (await find('charts', {
        caller: { userId: 7, role: 'Head', ids: {} },
        query
      } as never)) as unknown as {
        items: { id: string }[]
        next: string | null
      }
      walked.push(...answer.items.map(({ id }) => id))
      next = answer.next
    }
    t.strictSame([...new Set(walked)], '6 3 1 4 7 2 5 8'.split(' '), `pages of ${limit}`)
  }
})

const askRepeated = (db: Db, table: object) =>
  createListings({ db, resolveRole: () => null, lists: [after], tables: { charts: table } } as never) as never as {
    find(name: string, call: object): Promise<{ items: { id: string }[]; next: string | null }>
  }

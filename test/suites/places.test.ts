/** Walks after each record, and batches, where a key is hard to compare: great and small doubles, and computed columns. */
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { dialectOf } from '../../src/database/dialects/index.js'
import { parameterOf } from '../../src/database/parameter.js'
import { column, createListings, defineList, defineOptions } from '../../src/index.js'
import { admin } from '../support/fixtures/world.js'
import { resolveRole } from '../support/hosts/server.js'
import { execute } from '../support/oracle/check.js'
import { type DatabaseName, type Db, onDatabases, openDatabase } from '../support/servers/databases.js'

const definition = {
  name: 'notes',
  path: '/note/list',
  key: 'notes',
  openapi: { name: 'Note', operationId: 'listNotes', summary: 'List notes', description: 'Newest first.' },
  fields: {
    id: column.id({ examples: ['1'] }),
    title: column.text({ whenNull: 'error', examples: ['a'] }),
    memo: column.text({ examples: ['a'] }),
    score: column.decimal({ whenNull: 'error', examples: [1.5] }),
    at: column.wallTime({ whenNull: 'error', examples: ['2026-03-01 09:30:00'] })
  },
  id: 'id',
  order: '-at',
  sort: ['score', 'title', 'id'],
  search: { columns: ['title', 'memo'], examples: ['a'] },
  roles: { Admin: 'all' },
  messages: { found: 'Notes found.', forbidden: 'No.' }
} as const
const byAfter = defineList({ ...definition, paging: 'after' })
const columns = ['id', 'title', 'memo', 'score', 'at']

async function openNotes(t: Test, name: DatabaseName, scores: readonly number[]) {
  const db = await openDatabase(t, name)
  const double = { mysql: 'double', postgres: 'double precision', sqlite: 'real' }[name]
  const [title, memo] = name === 'mysql' ? [' collate utf8mb4_general_ci', ' character set latin1'] : ['', '']
  await execute(
    db,
    `create table notes (id integer primary key, title varchar(40)${title}, memo varchar(40)${memo}, score ${double}, at timestamp)`
  )
  const at = '2026-01-01 00:00:00'
  const row = (score: number, place: number) =>
    ({ id: place + 1, title: `no. ${place % 3}, (漢)`, memo: 'a', score, at }) as const
  await db.insertInto('notes').values(scores.map(row)).execute()
  return db
}

/** The ids of all pages. A walk without an end stops after 40. */
async function walk(db: Db, notes: unknown, query: Record<string, unknown>) {
  const { find } = createListings(
    defineOptions({ db: db as never, resolveRole, lists: [byAfter] as const, tables: { notes } as never })
  )
  const ids: number[] = []
  let after: string | undefined
  for (let page = 0; page < 40 && (page === 0 || after); page++) {
    const asked = { ...query, ...(after && { after }) } as never
    const { items, next } = await find('notes', { caller: admin, query: asked })
    ids.push(...items.map(({ id }) => Number(id)))
    after = next ?? undefined
  }
  return ids
}

onDatabases(t, 'a walk sorted by a double of any size has each record once', async (t, name) => {
  const small = [5.551115123125783e-17, 1.2345678901234567e-20, 1.2345678901234566e-20, 3e-31, -2e-31, 1e-14 / 3]
  const scores = [1e40, 5e39, 1e36, ...small, 5, 0.1, 0.1 + 0.2, 1e22, 1.7976931348623157e308, -1e300, ...small]
  const db = await openNotes(t, name, scores)
  const ids = scores.map((_score, place) => place + 1)
  const ascending = ids.toSorted((a, b) => Number(scores[a - 1]) - Number(scores[b - 1]) || a - b)
  for (const limit of [1, 4]) {
    t.strictSame(await walk(db, 'notes', { limit, sort: 'score' }), ascending, `${limit} a page`)
    t.strictSame(
      await walk(db, 'notes', { limit, sort: '-score' }),
      ascending.toReversed(),
      `${limit} a page, descending`
    )
  }
})

t.test('the key of a number uses the index of the column on MySQL', async (t) => {
  const db = await openDatabase(t, 'mysql')
  const rows = Array.from({ length: 3000 }, (_, n) => `(${n}, ${n} * 1e-20, ${n} / 7, ${n} * 1000000000000)`)
  await execute(
    db,
    'create table n (id int primary key, d double, m decimal(65, 30), b bigint, key (d, id), key (m, id), key (b, id))',
    `insert into n values ${rows.join()}`,
    'analyze table n'
  )
  for (const [column, time] of Object.entries({ d: '2.9e-17', m: '420.5', b: '2990000000000000' })) {
    const key = { value: parameterOf(time), id: parameterOf('5') }
    const place = dialectOf(db).fromKey(sql.ref(column), sql.ref('id'), '>', key, true, { value: false, id: false })
    const explained = sql`explain format=traditional select id from n where ${place} order by ${sql.ref(column)}, id limit 3`
    t.match((await explained.execute(db)).rows, [{ type: 'range', key: column }], column)
  }
})

onDatabases(t, 'a walk sorted by a computed text has each record once', async (t, name) => {
  const db = await openNotes(t, name, Array(9).fill(1))
  const title = sql`case id % 3 when 0 then 'open, due' when 1 then 'paid (late)' else 'zählt, für' end`
  const computed = db.selectFrom('notes').select(['id', 'memo', 'score', 'at', title.as('title')])
  await sql`create view computed as select id, memo, score, at, ${title} as title from notes`.execute(db)
  for (const notes of [computed, 'computed']) {
    t.strictSame(await walk(db, notes, { limit: 2, sort: 'title' }), [3, 6, 9, 1, 4, 7, 2, 5, 8])
    t.strictSame(await walk(db, notes, { limit: 2, sort: '-title' }), [8, 5, 2, 7, 4, 1, 9, 6, 3])
  }
  // A latin1 column refuses the term, and the title has another collation than the connection.
  t.strictSame(await walk(db, 'notes', { limit: 2, sort: 'title', search: '漢' }), [1, 4, 7, 2, 5, 8, 3, 6, 9])
})

t.test('a column without a type has each record once on SQLite', async (t) => {
  const db = await openNotes(
    t,
    'sqlite',
    Array.from({ length: 11 }, (_, place) => place % 10)
  )
  const others = ['title', 'memo', 'score', 'at'] as const
  const id = sql`id + 0`
  const raw = sql`select id + 0 as id, title, memo, score * 1 as score, at from notes`
  await execute(
    db,
    'create table untyped (id, title, memo, score, at)',
    'insert into untyped select * from notes',
    'create view added as select id + 0 as id, title, memo, score * 1 as score, at from notes',
    'create view greatest as select max(id) as id, title, memo, score, at from notes group by notes.id',
    'create view united as select * from notes where id < 5 union all select * from added where id >= 5'
  )
  const inner = db.selectFrom('notes').select([id.as('id'), ...others])
  const tables = {
    'no type': 'untyped',
    'a view': 'added',
    'a view of groups': 'greatest',
    'a view of a union': 'united',
    'a select of a view of a union': db.selectFrom('united').select(columns),
    'a select of a view': db.selectFrom('added').select(columns),
    'a nested select': db.selectFrom(inner.as('q')).select(columns),
    'a nested select of every column': db.selectFrom(inner.as('q')).selectAll(),
    'a nested raw select': db.selectFrom(sql`(${raw})`.as('q') as never).selectAll(),
    'a common table expression': db
      .with('q', () => inner)
      .selectFrom('q')
      .select(['id', ...others]),
    'a union of a column and a computed one': db
      .selectFrom('notes')
      .select(['id', ...others])
      .where('id', '<', 5)
      .unionAll(inner.where('id', '>=', 5))
  }
  const ascending = Array.from({ length: 11 }, (_, place) => place + 1)
  const byScore = [1, 11, ...ascending.slice(1, 10)]
  for (const [what, notes] of Object.entries(tables)) {
    t.strictSame(await walk(db, notes, { limit: 3 }), ascending.toReversed(), what)
    t.strictSame(await walk(db, notes, { limit: 3, sort: 'id' }), ascending, `${what}, by id`)
    t.strictSame(await walk(db, notes, { limit: 3, sort: 'score' }), byScore, `${what}, by score`)
  }
})

import { type CompiledQuery, sql } from 'kysely'
import t from 'tap'
import { clientText } from '../../src/database/dialect.js'
import { sqlite } from '../../src/database/dialects/sqlite.js'
import { searchIndex } from '../../src/index.js'
import { candidates, finds } from '../../src/search-index/sqlite.js'
import { execute } from '../support/check.js'
import { type Db, databases, openDatabase } from '../support/databases.js'
import { users } from '../support/search-index.js'
import { openWorld } from '../support/tables.js'
import { changed, pick, random, text } from '../support/texts.js'

const entriesOf = async (db: Db) =>
  (await sql`select rowid, first_name, last_name, email from users_search order by rowid`.execute(db)).rows

const usersOf = async (db: Db) =>
  (await sql`select user_id as rowid, first_name, last_name, email from users order by user_id`.execute(db)).rows

t.test('the search index of SQLite', { skip: !databases.includes('sqlite') }, async (t) => {
  t.test('the candidates contain every text that `like` finds', async (t) => {
    const db = await openDatabase(t, 'sqlite')
    await sql`create table texts (id integer primary key, text text)`.execute(db)
    const migration = searchIndex({ table: 'texts', id: 'id', columns: ['text'] })
    // A text in SQLite ends at a NUL for some functions. The lists refuse a NUL in a term.
    const texts = Array.from({ length: 400 }, (_, id) => [id, text(random(5) ? 12 : 50).replaceAll('\0', '')] as const)
    const insert = async (rows: typeof texts) => {
      for (const [id, value] of rows) await sql`insert into texts values (${id}, ${value})`.execute(db)
    }
    await insert(texts.slice(0, 200))
    await migration.up(db)
    await insert(texts.slice(200))
    for (const [id] of texts.filter(() => random(4) === 0)) {
      await sql`update texts set text = ${text(20).replaceAll('\0', '')} where id = ${id}`.execute(db)
    }
    await execute(db, 'update texts set id = id + 1000 where id % 11 = 5', 'delete from texts where id % 7 = 3')

    const missed: string[] = []
    let [compared, found] = [0, 0]
    for (let number = 0; number < 400; number++) {
      const source = [...pick(texts)[1]]
      const start = random(source.length)
      const value = changed(source.slice(start, start + 3 + random(5)))
        .join('')
        .replaceAll('\0', '')
      if (!finds(value)) continue
      const term = clientText(value)
      const ids = candidates(sql.id('texts_search'), 'texts_search', ['text'], term)
      const { rows } = await sql<{ found: number; missed: number }>`
        select count(*) as found, coalesce(sum(x.id not in (${ids})), 0) as missed
        from texts as x where ${sqlite.contains(sql.ref('x.text'), term)}`.execute(db)
      found += Number(rows[0]?.found)
      compared += texts.length
      if (Number(rows[0]?.missed) > 0) missed.push(JSON.stringify(value))
    }
    t.strictSame(missed, [])
    t.ok(found > 100 && compared > 100_000, `${found} matches of ${compared} comparisons`)
  })

  t.test('the triggers keep the index equal to the table', async (t) => {
    const db = await openWorld(t, 'sqlite')
    const left: number[] = []
    const migration = searchIndex({ ...users, onProgress: (progress) => left.push(progress.left) })
    await migration.up(db)
    t.strictSame(left, [0])
    t.strictSame(await entriesOf(db), await usersOf(db))
    await execute(
      db,
      "insert into users values (99, 'New', 'User', 'new@example.org', null)",
      "replace into users values (99, 'Newer', 'User', 'newer@example.org', null)",
      "update users set email = 'changed@example.org', user_id = 98 where user_id = 99",
      'update users set rowid = 97 where user_id = 2',
      "insert or ignore into users values (98, 'Ignored', 'User', 'x@example.org', null)",
      'delete from users where user_id = 1'
    )
    t.strictSame(await entriesOf(db), await usersOf(db))
    await migration.down(db)
    const { rows } = await sql`select name from sqlite_master where name like 'users_search%'`.execute(db)
    t.strictSame(rows, [])
  })

  t.test('`up` creates all of the index or nothing', async (t) => {
    const before = ({ sql }: CompiledQuery) => {
      if (sql.startsWith('insert into "users_search"')) throw new Error('interrupted')
    }
    const db = await openWorld(t, 'sqlite', { before })
    await t.rejects(searchIndex(users).up(db), { message: 'interrupted' })
    const { rows } = await sql`select name from sqlite_master where name like 'users_search%'`.execute(db)
    t.strictSame(rows, [])
  })

  t.test('a trigger of the host named users_search_update stays', async (t) => {
    const db = await openWorld(t, 'sqlite')
    await execute(db, 'create trigger users_search_update after update on users begin select 1; end')
    const message =
      'searchIndex: the trigger users_search_update exists and is not of a search index. Rename the trigger.'
    await t.rejects(searchIndex(users).up(db), { message })
    await t.rejects(searchIndex(users).down(db), { message })
    const { rows } = await sql`select name from sqlite_master where type = 'trigger'`.execute(db)
    t.strictSame(rows, [{ name: 'users_search_update' }])
  })

  t.test('what the index cannot hold is refused', async (t) => {
    const db = await openDatabase(t, 'sqlite')
    await execute(
      db,
      'create table notes (id integer primary key, other int, text text)',
      'create table uuids (id text primary key, text text)',
      'create table pairs (a integer, b integer, text text, primary key (a, b))'
    )
    for (const [table, id, column, message] of [
      ['notes', 'id', 'txt', 'searchIndex: notes lacks the column txt.'],
      ['notes', 'other', 'text', 'searchIndex: notes.other must be an `integer primary key`.'],
      ['uuids', 'id', 'text', 'searchIndex: uuids.id must be an `integer primary key`.'],
      ['pairs', 'a', 'text', 'searchIndex: pairs.a must be an `integer primary key`.'],
      ['none', 'id', 'text', 'searchIndex: none lacks the column id.']
    ] as const) {
      await t.rejects(searchIndex({ table, id, columns: [column] }).up(db), { message })
    }
    const { rows } = await sql`select name from sqlite_master where name like '%search%'`.execute(db)
    t.strictSame(rows, [])
  })
})

import { sql } from 'kysely'
import t from 'tap'
import { searchIndex } from '../../src/index.js'
import { execute } from '../support/check.js'
import { databases, openDatabase } from '../support/databases.js'
import { isMariadb, rowsOf, users } from '../support/search-index.js'
import { openWorld } from '../support/tables.js'
import { users as people } from '../support/world.js'

t.test('the triggers of a search index', { skip: !databases.includes('mysql') }, async (t) => {
  t.test('an update writes only the rows that differ', async (t) => {
    const db = await openWorld(t, 'mysql', { pool: { connectionLimit: 1 } })
    await searchIndex(users).up(db)
    const deleted = async () => {
      const { rows } = await sql<{ Value: string }>`show session status like 'Handler_delete'`.execute(db)
      return Number(rows[0]?.Value)
    }
    const before = await deleted()
    await execute(db, "update users set email = 'jule.doe@example.com', avatar_url = 'x' where user_id = 4")
    t.equal((await deleted()) - before, 3)
    await execute(db, "update users set avatar_url = 'y' where user_id = 4")
    t.equal((await deleted()) - before, 3)
  })

  t.test('an update that is ignored keeps the keys of the row', async (t) => {
    const db = await openWorld(t, 'mysql')
    await execute(db, 'alter table users add unique (email)')
    await searchIndex(users).up(db)
    const before = await rowsOf(db)
    await execute(
      db,
      `update ignore users set email = '${people.find(({ user_id }) => String(user_id) === '3')?.email}' where user_id = 1`,
      'update ignore users set user_id = 3 where user_id = 1',
      "update ignore users set last_name = 'Other', user_id = 3 where user_id = 1"
    )
    for (const row of before) t.ok((await rowsOf(db)).includes(row), row)
  })

  t.test('characters whose keys are equal but for the order of their bytes', async (t) => {
    const db = await openDatabase(t, 'mysql')
    const [collation, a, b] = (await isMariadb(db)) ? ['general_ci', '"', 'ූ'] : ['0900_ai_ci', '!', 'ᐌ']
    await execute(db, `create table notes (id int primary key, text varchar(90) collate utf8mb4_${collation})`)
    const migration = searchIndex({ table: 'notes', id: 'id', columns: ['text'] })
    await migration.up(db)
    await execute(db, `insert into notes values (1, '${a.repeat(17)}')`, `update notes set text = '${b.repeat(17)}'`)
    const written = await rowsOf(db, 'notes_search')
    await migration.down(db)
    await migration.up(db)
    for (const row of await rowsOf(db, 'notes_search')) t.ok(written.includes(row), row)
  })

  t.test('null, an empty text and a long text', async (t) => {
    const db = await openDatabase(t, 'mysql')
    await execute(db, 'create table notes (id varchar(40) collate utf8mb4_bin primary key, text varchar(1000))')
    const migration = searchIndex({ table: 'notes', id: 'id', columns: ['text'] })
    await migration.up(db)
    const long = 'long text '.repeat(100)
    await execute(db, `insert into notes values ('a', null), ('b', ''), ('c ', '${long}'), ('C', 'c')`)
    const written = await rowsOf(db, 'notes_search')
    t.ok(written.length > 10)
    await migration.down(db)
    await migration.up(db)
    t.strictSame(written, await rowsOf(db, 'notes_search'))
    await execute(db, "update notes set text = 'x' where id = 'c '", "update notes set text = null where id = 'C'")
    t.equal((await rowsOf(db, 'notes_search')).length, 1)
  })
})

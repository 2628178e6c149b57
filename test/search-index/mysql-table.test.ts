import { sql } from 'kysely'
import t from 'tap'
import { searchIndex } from '../../src/index.js'
import { execute } from '../support/check.js'
import { databases } from '../support/databases.js'
import { isMariadb, rowsOf, users } from '../support/search-index.js'
import { openWorld } from '../support/tables.js'

t.test('the table of a search index', { skip: !databases.includes('mysql') }, async (t) => {
  t.test('a session with modes of its own can create an index', async (t) => {
    const db = await openWorld(t, 'mysql', { pool: { connectionLimit: 1 } })
    const modes = (await isMariadb(db)) ? 'ORACLE,EMPTY_STRING_IS_NULL' : 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'
    await execute(db, `set session sql_mode = '${modes}', session sql_safe_updates = 1`)
    const setting = async () => (await sql`select @@sql_mode as mode, @@sql_safe_updates as safe`.execute(db)).rows
    const before = await setting()
    await searchIndex(users).up(db)
    t.strictSame(await setting(), before)
    t.equal((await rowsOf(db)).length, 256)
  })

  t.test('a table that another transaction uses is an error, and not a wait of all', async (t) => {
    const db = await openWorld(t, 'mysql', { pool: { connectionLimit: 2 } })
    let used = () => {}
    const isUsed = new Promise<void>((resolve) => {
      used = resolve
    })
    let release = () => {}
    const isOver = new Promise<void>((resolve) => {
      release = resolve
    })
    const other = db.transaction().execute(async (session) => {
      await sql`select * from users`.execute(session)
      used()
      await isOver
    })
    await isUsed
    await t.rejects(searchIndex(users).up(db), {
      message: 'searchIndex: a transaction uses the table. Run the migration again after the transaction.'
    })
    release()
    await other
    await searchIndex(users).up(db)
    t.equal((await rowsOf(db)).length, 256)
  })

  t.test('a trigger of the host named users_search_update stays', async (t) => {
    const db = await openWorld(t, 'mysql')
    await execute(
      db,
      'create table users_search_log (id int)',
      'create trigger users_search_update before update on users for each row insert into users_search_log values (1)'
    )
    const message =
      'searchIndex: the trigger users_search_update exists and is not of a search index. Rename the trigger.'
    await t.rejects(searchIndex(users).up(db), { message })
    await t.rejects(searchIndex(users).down(db), { message })
    const { rows } = await sql`show triggers`.execute(db)
    t.equal(rows.length, 1)
  })
})

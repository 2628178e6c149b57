import { setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, sql } from 'kysely'
import t, { type Test } from 'tap'
import { searchIndex } from '../../src/index.js'
import { execute } from '../support/check.js'
import { type Db, databases, type Opening, openDatabase } from '../support/databases.js'
import { rowsOf, users } from '../support/search-index.js'
import { createTables } from '../support/world.js'

const many = 1_500

/** A database with many users. */
async function openMany(t: Test, opening?: Opening): Promise<Db> {
  const db = await openDatabase(t, 'mysql', opening)
  await createTables(db)
  const rows = Array.from(
    { length: many },
    (_, index) => `('First${index % 7}', 'Last${index % 11}', 'e${index}@x.org')`
  )
  await execute(db, `insert into users (first_name, last_name, email) values ${rows.join()}`)
  return db
}

async function rebuild(db: Db) {
  await searchIndex(users).down(db)
  await searchIndex(users).up(db)
}

t.test('the fill of a search index', { skip: !databases.includes('mysql') }, async (t) => {
  t.test('a fill that was interrupted continues, while the application writes', async (t) => {
    const db = await openMany(t)
    let interrupted = false
    const interrupt = () => {
      interrupted = true
      throw new Error('interrupted')
    }
    await t.rejects(searchIndex({ ...users, onProgress: interrupt }).up(db), { message: 'interrupted' })
    t.ok(interrupted)
    await execute(
      db,
      "update users set email = concat('changed.', email) where user_id % 100 = 0",
      'update users set user_id = user_id + 100000 where user_id % 100 = 1',
      'delete from users where user_id % 100 = 2',
      "insert into users (first_name, last_name, email) values ('New', 'User', 'new@example.org')"
    )
    const progress: { left: number }[] = []
    await searchIndex({ ...users, onProgress: (now) => progress.push(now) }).up(db)
    t.strictSame(
      progress,
      [496, 0].map((left) => ({ left }))
    )
    const rows = await rowsOf(db)
    await rebuild(db)
    t.strictSame(rows, await rowsOf(db))
    await searchIndex({ ...users, onProgress: () => t.fail('the fill is complete') }).up(db)
  })

  t.test('the index has every text that was written during the fill', async (t) => {
    const db = await openMany(t)
    let done = false
    const write = async (seed: number) => {
      for (let number = seed; !done; number += 7) {
        const id = (number % many) + 1
        await execute(
          db,
          `update users set email = 'a${number}.b${number % 5}@example.org', last_name = 'L${number % 3}' where user_id = ${id}`,
          `insert into users (first_name, last_name, email) values ('New', 'User', 'n${number}@example.org')`
        )
        if (number % 3 === 0) await execute(db, `delete from users where user_id = ${((number * 31) % many) + 1}`)
      }
    }
    const writers = [write(1), write(1003)]
    await searchIndex(users).up(db)
    done = true
    await Promise.all(writers)
    const rows = await rowsOf(db)
    await rebuild(db)
    t.strictSame(rows, await rowsOf(db))
  })

  t.test('the fill tries a piece again after it has waited for a lock', async (t) => {
    let tries = 0
    const before = ({ sql }: CompiledQuery) => (tries += Number(sql.startsWith('insert into `users_search_piece`')))
    const db = await openMany(t, { before, pool: { connectionLimit: 1 } })
    await searchIndex(users).up(db)
    await execute(db, 'delete from users_search where place = 0', 'set session innodb_lock_wait_timeout = 1')
    const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
    const other = await openDatabase(t, 'mysql')
    let lock = () => {}
    const locked = new Promise<void>((resolve) => {
      lock = resolve
    })
    const writer = other.transaction().execute(async (session) => {
      await execute(session, `delete from ${rows[0]?.name}.users_search where place = 3 and id = 900`)
      lock()
      await sleep(1_500)
    })
    await locked
    tries = 0
    await searchIndex(users).up(db)
    await writer
    t.ok(tries > 3, `${tries} tries of three pieces`)
  })
})

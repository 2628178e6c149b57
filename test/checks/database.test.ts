import { setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import t from 'tap'
import { checkedDatabase } from '../../src/checks/database.js'
import { findingsOf } from '../../src/checks/index.js'
import type { Row } from '../../src/database/cells.js'
import { checkDatabase } from '../../src/index.js'
import { defaultLists } from '../../src/lists/ready/index.js'
import { areAll, finds } from '../support/oracle/check.js'
import { until } from '../support/running/until.js'
import { type Db, mysqlPool, onDatabases } from '../support/servers/databases.js'
import { openBehindNetwork } from '../support/servers/pools.js'
import { sourceOf } from '../support/servers/session.js'
import { openTables, openWorld } from '../support/servers/tables.js'

t.test('what takes too long is stopped, is not wrong, and is told', async (t) => {
  const every = 'information_schema.collations'
  for (const [name, slow] of [
    // MySQL wakes up from sleep() without an error
    ['mysql', `(select count(*) from ${every} as a, ${every} as b, ${every} as c, ${every} as d)`],
    ['postgres', 'pg_sleep(5)::text']
  ] as const) {
    const db = await openTables(t, name)
    const { ask, attempt, missed } = checkedDatabase(sourceOf(db, {}), defaultLists)
    const start = performance.now()
    t.equal(await ask('the slow', sql`select ${sql.raw(slow)} as slow`, 300), undefined, name)
    t.ok(performance.now() - start < 3_000)
    t.equal(await ask('the other', sql`select ${sql.raw(slow)} as slow`, 300), undefined, name)
    await t.rejects(ask('nothing', sql`select nothing`), /nothing/)
    t.equal(await attempt('the refused', sql`select nothing`), undefined)
    const [level, remedy] = ['info', 'unchecked']
    t.strictSame(missed(), [
      { level, remedy, text: 'Not checked, because it took longer than 0.3 s: the slow, the other.' },
      { level, remedy, text: 'Not checked, because the database refuses the statement: the refused.' }
    ])
  }
})

t.test('a check whose time is over cannot say whether the database fits', async (t) => {
  const { ask, attempt } = checkedDatabase(sourceOf(await openTables(t, 'sqlite'), {}), defaultLists, { wait: 0 })
  const unavailable = { message: 'The check took too long.' }
  await t.rejects(ask('one', sql`select 1 as one`), unavailable)
  await t.rejects(attempt('one', sql`select 1 as one`), unavailable)
})

t.test('a connection that a network has swallowed is given back to the pool', async (t) => {
  const { db, network } = await openBehindNetwork(t, { connectionLimit: 1, enableKeepAlive: false })
  const { ask } = checkedDatabase(sourceOf(db, {}), defaultLists)
  const one = sql<Row>`select 1 as one`
  t.match(await ask('one', one), [{ one: 1 }])
  await network.set('silent')
  t.equal(await ask('one', one, 100), undefined)
  await network.set('none')
  t.match(await ask('one', one), [{ one: 1 }])
})

/** A statement without names and without the length of its lists. Tables, lists and transactions repeat most kinds. */
const kindOf = (statement: string) => statement.replace(/(["`])\w+\1/g, '').replace(/(\W*,)+/g, ',')

onDatabases(t, 'whichever statement is slow, the check says what it could not see, and no more', async (t, name) => {
  let sent: string[] = []
  let failure: { at: number; error: object } | undefined
  let commits: object | undefined
  const before = ({ sql }: CompiledQuery) => {
    // The end of a transaction has no place in the order, because nothing waits for it.
    if (sql === 'commit') {
      if (commits) throw commits
    } else if (sent.push(sql) - 1 === failure?.at) throw failure.error
  }
  const db = await openWorld(t, name, { before })
  const check = (at: number, error: object) => {
    sent = []
    failure = { at, error }
    return checkDatabase({ db })
  }
  /** What is found. On a busy machine other statements can be slow too, so the check runs until at most one is. */
  const foundIn = async (most: number, run: () => Promise<readonly { text: string }[]>) => {
    let texts: string[] = []
    await until(async () => {
      texts = (await run()).map(({ text }) => text)
      return texts.length <= most
    }, 60_000)
    return texts
  }
  await finds(t, db, [])
  t.strictSame(await foundIn(0, () => check(-1, {})), [])
  const kinds = new Map(sent.map((statement, at) => [kindOf(statement), at]))
  t.ok(kinds.size > 15, `${kinds.size} kinds of statements`)
  const missed = /^Not checked, because it took longer than (0\.3|5) s: /
  const unanswered: string[] = []
  for (const [kind, at] of kinds) {
    const run = () =>
      check(at, { errno: 3024 }).catch(({ message }) => {
        unanswered.push(message)
        return [{ text: 'Not checked, because it took longer than 5 s: ' }]
      })
    areAll(t, await foundIn(1, run), [missed], kind)
    // There too, another statement can be the one with this number.
    const told = async () => check(at, { code: 'ECONNRESET' }).then(String, ({ message }) => message)
    const isTold = async () => (await told()) === 'A server that this request needs cannot be reached.'
    t.ok(await until(isTold), `${kind} whose connection breaks`)
  }
  // The first statement that has rows in any case.
  areAll(t, unanswered, [/^The database does not answer: check that it runs/])
  commits = { code: 'ECONNRESET' }
  t.strictSame(await foundIn(0, () => check(-1, {})), [], 'a transaction that fails after its rows hides nothing')
})

t.test('a pool without a free place is told by the check', async (t) => {
  const pool = createPool(await mysqlPool(t, { connectionLimit: 1 }))
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool }) })
  t.teardown(() => db.destroy())
  const connection = await pool.promise().getConnection()
  await t.rejects(
    findingsOf(sourceOf(db), defaultLists, { wait: 500 }),
    /^The database does not answer: .* its pool has a free connection, /
  )
  const late = checkedDatabase(sourceOf(db), defaultLists).ask('one', sql`select 1 as one`, 50)
  await sleep(200)
  connection.release()
  t.equal(await late, undefined, 'a statement whose connection comes too late is not sent')
})

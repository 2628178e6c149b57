import { type CompiledQuery, sql } from 'kysely'
import t from 'tap'
import type { Row } from '../../src/database/cells.js'
import { type Deadline, startDeadline } from '../../src/database/deadline.js'
import type { Session } from '../../src/database/session.js'
import { failureOf } from '../../src/errors/classify.js'
import { admin, fill, insert, payments } from '../support/fixtures/world.js'
import { serve } from '../support/hosts/server.js'
import { until } from '../support/running/until.js'
import { mysqlPool, onDatabases, openDatabase, postgresPool } from '../support/servers/databases.js'
import { openMysql, openPostgres } from '../support/servers/pools.js'
import { sessionOf } from '../support/servers/session.js'

const one = sql<Row>`select 1 as one`
const firstWord = ({ sql }: Pick<CompiledQuery, 'sql'>) =>
  sql
    .replace(/^\/\*.*?\*\//, '')
    .trim()
    .replace(/\W.*/s, '')

onDatabases(t, 'a session runs statements in the time that is left', async (t, name) => {
  const statements: string[] = []
  const waits: string[] = []
  const db = await openDatabase(t, name, { onQuery: ({ sql }) => statements.push(sql) })
  let timeLeft = 2_500
  const session = sessionOf(db, { timeLeft: () => timeLeft, onWait: (what) => waits.push(what) })
  const limit = () => {
    const text = statements.splice(0).join()
    return /MAX_EXECUTION_TIME\((\d+)\)/.exec(text)?.[1] ?? (text.includes('statement_timeout') ? 'set' : 'none')
  }
  const limits = { mysql: ['2500', '900', '2500'], postgres: ['set', 'set', 'set'], sqlite: ['none', 'none', 'none'] }
  const found: string[] = []
  for (const maxMilliseconds of [undefined, 900, 9_000]) {
    t.match(await session.run(session.compile(one), maxMilliseconds), [{ one: 1 }])
    found.push(limit())
  }
  t.strictSame(found, limits[name])
  t.strictSame(waits.splice(0), Array(3).fill(['connection', 'statement']).flat())

  for (const left of [0, -5]) {
    timeLeft = left
    await t.rejects(session.run(session.compile(one)), { kind: 'timeout', message: 'The deadline passed.' } as never)
    t.notMatch(statements.splice(0).join(), /select 1|statement_timeout/)
  }
  t.strictSame(waits, Array(2).fill(['connection', 'statement']).flat())
})

onDatabases(t, 'a statement without rows is late after its limit, with an error and without,', async (t, name) => {
  const session = sessionOf(await openDatabase(t, name))
  const slow = {
    mysql: sql<Row>`select 1 as one from (select 1 as n) as x where sleep(n / 5) = 5`,
    postgres: sql<Row>`select 1 as one where pg_sleep(0.2) is null`,
    sqlite: sql<Row>`with recursive number(n) as (select 1 union all select n + 1 from number where n < 1e6)
      select n from number where n = 0`
  }
  const ended = await session.run(session.compile(slow[name]), 20).catch(failureOf)
  t.match(ended, { kind: 'timeout' })
})

t.test('a statement on PostgreSQL has the time limit, the time zone and the digits for itself alone', async (t) => {
  const options = '-c statement_timeout=0 -c TimeZone=Asia/Tokyo -c extra_float_digits=0'
  const db = openPostgres(t, await postgresPool(t, { max: 1, options }))
  const session = sessionOf(db, { timeLeft: () => 2_500.2 })
  const settings = ['statement_timeout', 'timezone', 'extra_float_digits'].map((name) => sql`current_setting(${name})`)
  const asked = sql<Row>`select concat_ws(' ', ${sql.join(settings)}) as settings`
  const query = session.compile(asked)
  t.match(await session.run(query), [{ settings: '2501ms UTC 1' }])
  t.match(await session.run(query, 900), [{ settings: '900ms UTC 1' }])
  await session.snapshot(async (snapshot) => {
    t.match(await snapshot.run(query), [{ settings: '2501ms UTC 1' }])
    t.match(await snapshot.run(query, 900), [{ settings: '900ms UTC 1' }])
  })
  t.match((await asked.execute(db)).rows, [{ settings: '0 Asia/Tokyo 0' }], 'the host’s next statement')
})

t.test('a direct statement has the settings and the limit of its session, and no transaction', async (t) => {
  const statements: string[] = []
  const db = openPostgres(
    t,
    await postgresPool(t, { max: 1, options: '-c statement_timeout=7s -c TimeZone=Asia/Tokyo' }),
    ({ query }) => void statements.push(query.sql)
  )
  const direct = sessionOf(db).direct()
  const settings = direct.compile(
    sql<Row>`select current_setting('timezone') || current_setting('statement_timeout') as settings`
  )
  t.match(await direct.run(settings), [{ settings: 'Asia/Tokyo7s' }])
  t.strictSame(statements.splice(0), [settings.sql])
  await t.rejects(direct.run(direct.compile(sql`select nothing`)), /nothing/)
  t.strictSame(statements, ['select nothing', 'select 1'], 'the connection is known to live')
})

t.test('a snapshot is one transaction on one connection, and a snapshot in a snapshot is the same', async (t) => {
  const statements: string[] = []
  for (const [name, once, twice] of [
    ['mysql', ['select'], ['set', 'start', 'select', 'select', 'commit']],
    ['postgres', ['begin', 'select', 'select', 'commit'], ['start', 'select', 'select', 'select', 'select', 'commit']]
  ] as const) {
    const onQuery = (query: CompiledQuery) => void statements.push(firstWord(query))
    const db = await openDatabase(t, name, { onQuery, pool: { connectionLimit: 1 } })
    const waits: string[] = []
    const session = sessionOf(db, { onWait: (what) => waits.push(what) })
    const run = (session: Session) => session.run(session.compile(one))
    /** The statements, once the transaction has ended after its result. */
    const sent = async () => {
      await until(() => statements.length >= once.length && !['select', 'start'].includes(String(statements.at(-1))))
      return statements.splice(0)
    }
    await run(session)
    t.strictSame(name === 'mysql' ? statements.splice(0) : await sent(), once)
    waits.length = 0
    const rows = await session.snapshot(async (outer) => [
      ...(await run(outer)),
      ...(await outer.snapshot(async (inner) => run(inner)))
    ])
    t.match(rows, [{ one: 1 }, { one: 1 }])
    t.strictSame(await sent(), twice)
    t.strictSame(waits, ['connection', 'connection', 'statement', 'connection', 'statement'])
    await t.rejects(
      session.snapshot(async (snapshot) => {
        await run(snapshot)
        throw new Error('no more')
      }),
      { message: 'no more' }
    )
    t.equal(statements.splice(0).at(-1), 'rollback')
  }
})

t.test('a snapshot on PostgreSQL sends its settings once, and again for a statement with another limit', async (t) => {
  const statements: string[] = []
  const onQuery = ({ sql }: CompiledQuery) => void statements.push(sql.includes('set_config') ? 'set' : sql)
  const db = await openDatabase(t, 'postgres', { onQuery })
  const deadline = startDeadline(60_000)
  t.teardown(() => deadline.close())
  const limits = async (deadline: Deadline, ...each: (number | undefined)[]) => {
    await sessionOf(db, deadline).snapshot(async ({ run, compile }) => {
      for (const limit of each) await run(compile(one), limit)
    })
    await until(() => statements.at(-1) === 'commit')
    return statements.splice(0).filter((statement) => statement === 'set').length
  }
  t.equal(await limits(deadline, undefined, undefined, undefined), 1)
  t.equal(await limits(deadline, 900, 900), 1)
  t.equal(await limits(deadline, undefined, 900, undefined), 3)
  t.equal(await limits({ timeLeft: () => 60_000 }, undefined, undefined), 2, 'without a way to stop a statement')
})

t.test('a deadline stops the second statement of a snapshot, whose first statement had more time', async (t) => {
  const options = await postgresPool(t, { max: 1 })
  const [db, other] = [openPostgres(t, options), openPostgres(t, options)]
  let left = 60_000
  const over = new AbortController()
  const session = sessionOf(db, { over: over.signal, timeLeft: () => (over.signal.aborted ? 0 : left) })
  const running = async () => {
    const active = sql`select 1 from pg_stat_activity where query like '%pg_sleep(50%' and state = 'active' and pid <> pg_backend_pid()`
    return (await active.execute(other)).rows.length
  }
  const ended = session.snapshot(async ({ run, compile }) => {
    t.match(await run(compile(sql`select current_setting('statement_timeout') as time`)), [{ time: '1min' }])
    left = 500
    await run(compile(sql`select pg_sleep(50)::text as slow`))
  })
  const rejected = t.rejects(ended)
  t.ok(await until(running))
  over.abort()
  await rejected
  t.ok(await until(async () => (await running()) === 0), 'long before the limit of a minute')
  t.match((await one.execute(db)).rows, [{ one: 1 }], 'the connection is free')
})

for (const name of ['mysql', 'postgres'] as const) {
  t.test(
    `what a snapshot on ${name} has read does not wait for its end, whose failure is told once`,
    { timeout: 20_000 },
    async (t) => {
      const statements: string[] = []
      let end: () => unknown = () => undefined
      const db = await openDatabase(t, name, {
        pool: { connectionLimit: 1 },
        onQuery: (query) => void statements.push(firstWord(query)),
        before: (query) => (firstWord(query) === 'commit' ? end() : undefined)
      })
      const told: unknown[] = []
      const session = sessionOf(db, { onLateError: (error) => void told.push(error) })
      const read = () => session.snapshot(({ run, compile }) => run(compile(one)))

      let commit: (() => void) | undefined
      end = () => new Promise<void>((resolve) => (commit = resolve))
      t.match(await read(), [{ one: 1 }])
      t.ok(await until(() => commit))
      t.equal(statements.splice(0).at(-1), 'select', 'the end is still to come')
      const next = read()
      end = () => {
        throw new Error('The commit failed.')
      }
      commit?.()
      t.match(await next, [{ one: 1 }], 'on the only connection of the pool')
      t.ok(await until(() => statements.at(-1) === 'rollback'))
      end = () => undefined
      t.match(await read(), [{ one: 1 }], 'the connection is free')
      await t.rejects(
        session.snapshot(async ({ run, compile }) => run(compile(sql`select nothing`))),
        /nothing/
      )
      t.match(told, [{ message: 'The commit failed.' }])
      t.equal(told.length, 1)
      await read()
      await db.destroy()
      t.equal(statements.at(-1), 'commit', 'a database that is closed right after a result waits for its end')
    }
  )
}

t.test('a statement on PostgreSQL does not wait for its commit', { timeout: 20_000 }, async (t) => {
  let commit: (() => void) | undefined
  const before = ({ sql }: CompiledQuery) =>
    sql === 'commit' ? new Promise<void>((resolve) => (commit = resolve)) : undefined
  const db = await openDatabase(t, 'postgres', { pool: { connectionLimit: 1 }, before })
  const session = sessionOf(db)
  for (const _ of [1, 2]) {
    t.match(await session.run(session.compile(one)), [{ one: 1 }])
    t.ok(await until(() => commit))
    commit?.()
  }
})

for (const type of ['CHAIN', 'RELEASE']) {
  t.test(`a snapshot leaves the connection as it was, with completion_type = ${type}`, async (t) => {
    const options = await mysqlPool(t, { connectionLimit: 1 })
    const db = openMysql(t, options, { start: `set session completion_type = '${type}'` })
    const other = openMysql(t, options)
    await fill(db)
    const { get } = await serve(t, { db })
    const leaving = () => {
      const over = new AbortController()
      const session = sessionOf(db, { over: over.signal, timeLeft: () => (over.signal.aborted ? 0 : 10_000) })
      return session.snapshot(async ({ run, compile }) => {
        await run(compile(one))
        over.abort()
        await run(compile(one))
      })
    }
    const every = 'information_schema.collations'
    const slow = sql<Row>`select count(*) from ${sql.raw(`${every} as a, ${every} as b, ${every} as c, ${every} as d`)}`
    const run = (statement: typeof one, timeLeft = 10_000) =>
      sessionOf(db, { timeLeft: () => timeLeft }).snapshot(({ run, compile }) => run(compile(statement)))
    const endings: Record<string, () => Promise<unknown>> = {
      'a later page': async () => t.equal((await get('/payment/list?page=2&limit=2', admin)).body.data?.length, 2),
      'an error of a statement': () => t.rejects(run(sql`select nothing`), { message: /nothing/ }),
      'a deadline': () => t.rejects(run(slow, 100)),
      'a deadline between two statements': () => t.rejects(run(one, 0), { message: 'The deadline passed.' }),
      'a client that leaves': () => t.rejects(leaving(), { message: 'The deadline passed.' })
    }
    const connection = async () => (await sql<{ id: number }>`select connection_id() as id`.execute(db)).rows[0]?.id
    let id = 1000
    for (const [what, end] of Object.entries(endings)) {
      const before = await connection()
      await end()
      id++
      await insert(db, { payments: [{ ...payments[0], payment_id: id, payment_intent: `pi_${id}` }] })
      const { rows } = await sql`select payment_id from payments where payment_id = ${id}`.execute(other)
      t.match(rows, [{ payment_id: id }], `the host’s next write, after ${what}`)
      t.equal(await connection(), before, `the connection stays open after ${what}`)
    }
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, SqliteDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import t, { type Test } from 'tap'
import { decimal, text } from '../src/fields.js'
import { finder } from '../src/find.js'
import { payments } from '../src/payments.js'
import { columnsOf } from '../src/relations.js'
import { sourceOf } from '../src/source.js'
import { type Db, databases, mysqlPool, openDatabase } from './support/databases.js'
import { serve } from './support/server.js'
import { expectedPayments, fill } from './support/world.js'

const admin = { userId: 20, role: 'Admin' }
const internal = { status: 500, error: 'Internal server error.' }
const unavailable = { status: 503, error: 'Service temporarily unavailable.' }
const tooLong = { status: 504, error: 'The request took too long.' }

/** A server that keeps its log lines of level error and warn. */
async function logged(t: Test, options: Parameters<typeof serve>[1]) {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) }
  const unchecked = { checkOnReady: 'off', ...options } as const
  return { ...(await serve(t, unchecked, { server: { logger: { level: 'warn', stream } } })), lines }
}

/** A select of one row that yields the cells, each as an SQL expression. */
const oneRow = (db: Db, cells: Record<string, string>) =>
  db.selectNoFrom(Object.entries(cells).map(([name, cell]) => sql.raw(cell).as(name))) as never

const assessmentCells = {
  assessment_id: '7',
  licence: "'L'",
  assessment_type: "'T'",
  user_id: '1',
  practitioner_id: '10',
  status: "'pending'",
  date_assignment: 'null',
  date_conclusion: 'null',
  created_at: "'2024-03-01 00:00:00'"
}
const paymentCells = {
  payment_id: '8',
  user_id: '1',
  amount: '12.50',
  quantity: '1',
  payment_intent: "'pi'",
  paid_at: 'null',
  payment_method: "'card'",
  payment_status: "'paid'",
  processor_status: "'succeeded'",
  created_at: "'2024-03-01 00:00:00'"
}

for (const name of databases) {
  t.test(`cells on ${name}`, async (t) => {
    const db = await openDatabase(t, name)
    await fill(db)

    t.test('what must not be guessed is an error, and the log names column and record', async (t) => {
      const cases: [relation: 'assessments' | 'payments', column: string, cell: string, message: string][] = [
        ['assessments', 'assessment_id', 'null', 'Column assessments.assessment_id of assessment_id null is null.'],
        ['assessments', 'created_at', 'null', 'Column assessments.created_at of assessment_id 7 is null.'],
        [
          'assessments',
          'created_at',
          "'0000-00-00 00:00:00'",
          'Column assessments.created_at of assessment_id 7 is null.'
        ],
        [
          'assessments',
          'created_at',
          "'soon'",
          'Column assessments.created_at of assessment_id 7 is not a date and time.'
        ],
        [
          'assessments',
          'status',
          "'done'",
          'Column assessments.status of assessment_id 7 is none of completed, pending, reserved.'
        ],
        [
          'assessments',
          'status',
          'null',
          'Column assessments.status of assessment_id 7 is none of completed, pending, reserved.'
        ],
        [
          'assessments',
          'date_assignment',
          "'12'",
          'Column assessments.date_assignment of assessment_id 7 is not a date and time.'
        ],
        ['payments', 'payment_id', 'null', 'Column payments.payment_id of payment_id null is null.'],
        ['payments', 'amount', 'null', 'Column payments.amount of payment_id 8 is null.'],
        ['payments', 'amount', "'12,50'", 'Column payments.amount of payment_id 8 is not a number of this kind.'],
        ['payments', 'quantity', 'null', 'Column payments.quantity of payment_id 8 is null.'],
        ['payments', 'quantity', "'1.5'", 'Column payments.quantity of payment_id 8 is not a number of this kind.'],
        ['payments', 'created_at', 'null', 'Column payments.created_at of payment_id 8 is null.']
      ]
      for (const [relation, column, cell, message] of cases) {
        const cells = { ...(relation === 'payments' ? paymentCells : assessmentCells), [column]: cell }
        const { get, lines } = await logged(t, { db, relations: { [relation]: oneRow(db, cells) } })
        const answer = await get(relation === 'payments' ? '/payment/list' : '/assessment/list?search=', admin)
        t.strictSame(answer.body, internal, message)
        t.match(lines, [{ level: 50, list: relation, kind: 'internal', msg: message }])
      }
    })

    t.test('gaps become empty text, and numbers and times take the forms of the contract', async (t) => {
      const noId = name === 'postgres' ? 'null::bigint' : 'null'
      const gaps = { licence: 'null', assessment_type: 'null', user_id: noId, practitioner_id: noId }
      const { get } = await serve(t, {
        db,
        relations: {
          assessments: oneRow(db, { ...assessmentCells, ...gaps, date_conclusion: "'2024-03-01T10:20:30.75+02:00'" }),
          payments: oneRow(db, {
            ...paymentCells,
            payment_id: "'9007199254740993'",
            amount: "'0.10'",
            quantity: "'3.00'",
            paid_at: "'1969-12-31'"
          })
        }
      })
      t.match((await get('/assessment/list?search=', admin)).body.assessments, [
        {
          licence: '',
          assessment_type: '',
          user_id: '',
          first_name: '',
          email: '',
          practitioner_id: '',
          date_assignment: '',
          date_conclusion: '2024-03-01T08:20:30Z'
        }
      ])
      t.match((await get('/payment/list', admin)).body.data, [
        { payment_id: '9007199254740993', amount: 0.1, quantity: 3, paid_at: '1969-12-31 00:00:00' }
      ])
    })

    t.test('a table that is not there is a 500 without the driver’s text', async (t) => {
      const { get, lines } = await logged(t, { db, relations: { users: 'nobody' }, checkOnReady: 'off' })
      t.strictSame((await get('/assessment/list?search=secret', admin)).body, internal)
      t.match(lines, [
        { kind: 'internal', missing: 'table or column', msg: 'The database does not have what the relations promise.' }
      ])
      t.notMatch(JSON.stringify(lines), /secret|select|nobody/)
    })

    t.test('a closed database is a 503', async (t) => {
      const closing = await openDatabase(t, name)
      await fill(closing)
      const { get } = await serve(t, { db: closing })
      await closing.destroy()
      const answer = await get('/payment/list', admin)
      t.strictSame(answer.body, unavailable)
      t.equal(answer.headers['retry-after'], '1')
    })

    t.test('concurrent identical counts share the next one, where the host says that they may', async (t) => {
      let counts = 0
      const onQuery = ({ sql }: { sql: string }) => {
        if (sql.includes('count(*)')) counts++
      }
      const watched = await openDatabase(t, name, { onQuery })
      await fill(watched)
      for (const shareTotals of [false, true]) {
        const { get } = await serve(t, { db: watched, shareTotals })
        counts = 0
        const answers = await Promise.all(Array.from({ length: 8 }, () => get('/payment/list?limit=2', admin)))
        t.ok(answers.every(({ body }) => body.total === 31))
        if (shareTotals) t.ok(counts < 8, `${counts} counts for 8 requests`)
        else t.equal(counts, 8)
      }
    })
  })
}

t.test('who shares a count has the time that is left of the own deadline', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await fill(db)
  const find = finder(payments, { shareTotals: true })
  const source = sourceOf(db as never, {})
  /** @param statements after so many its time is over */
  const ask = (statements = Number.POSITIVE_INFINITY) => {
    let sent = 0
    const timeLeft = () => (++sent > statements ? 0 : 10_000)
    return find(
      {
        caller: { userId: '20', role: '' },
        reach: 'all',
        parameters: { page: 1, limit: 1 },
        timeLeft,
        timed: (_step, run) => run()
      },
      source
    )
  }
  await ask()
  // the first one counts; the second one begins the next count as its time is over, and the others have joined that
  const found = await Promise.allSettled([ask(), ask(1), ask(), ask()])
  const answered = { value: { total: 31 } }
  t.match(found, [answered, { reason: { kind: 'timeout' } }, answered, answered])
})

t.test('a database that cannot be reached is a 503', async (t) => {
  const dialect = new MysqlDialect({ pool: createPool('mysql://root@127.0.0.1:1/none') })
  const db: Db = new Kysely({ dialect })
  const { get } = await serve(t, { db, checkOnReady: 'off' })
  t.strictSame((await get('/payment/list', admin)).body, unavailable)
})

t.test('a driver whose rows have no column names is an error, never a wrong answer', async (t) => {
  for (const pool of [{ rowsAsArray: true }, { nestTables: true }]) {
    const db = await openDatabase(t, 'mysql', { pool })
    await fill(db)
    const { get } = await serve(t, { db, checkOnReady: 'off' })
    t.strictSame((await get('/payment/list', admin)).body, internal)
    t.strictSame((await get('/payment/list?page=99', admin)).body, internal)
  }
})

t.test('a pool that is full is a 503, and one that makes wait a 504', async (t) => {
  for (const [pool, body] of [
    [{ connectionLimit: 1, waitForConnections: false }, unavailable],
    [{ connectionLimit: 1 }, tooLong]
  ] as const) {
    const db = await openDatabase(t, 'mysql', { pool })
    await fill(db)
    const { get } = await serve(t, { db, timeout: 500, checkOnReady: 'off' })
    await db.connection().execute(async () => {
      t.strictSame((await get('/payment/list', admin)).body, body)
    })
    t.equal((await get('/payment/list', admin)).status, 200, 'works again')
  }
})

t.test('after the deadline nothing more is asked or logged', async (t) => {
  const statements: string[] = []
  const db = await openDatabase(t, 'mysql', { onQuery: ({ sql }) => statements.push(sql) })
  await fill(db)
  // the page would end after the deadline, of which the resolver has used the most
  const slow = sql<string>`concat(payment_intent, sleep(1.2))`
  const columns = columnsOf.payments.filter((column) => column !== 'payment_intent')
  const payments = db
    .selectFrom('payments')
    .select([...columns, slow.as('payment_intent')])
    .where('payment_id', '=', 99)
  const { get, lines } = await logged(t, {
    db,
    relations: { payments: payments as never },
    timeout: 2000,
    checkOnReady: 'off',
    resolveRole: () => sleep(1200, admin)
  })
  // with one record on a page it would need a count, with two it would not
  for (const limit of [1, 2]) {
    statements.length = 0
    lines.length = 0
    t.strictSame((await get(`/payment/list?limit=${limit}`, admin)).body, tooLong)
    await sleep(1000)
    t.equal(statements.filter((statement) => statement.includes('as `record creation`')).length, 1)
    t.notMatch(statements.join(), /count\(\*\)/)
    t.equal(lines.length, 1)
    t.match(lines, [{ level: 40, kind: 'timeout' }])
  }
})

t.test('rows that arrive after the deadline are dropped in silence', async (t) => {
  const before = ({ sql }: { sql: string }) => sql.includes('record creation') && sleep(200)
  const db = await openDatabase(t, 'sqlite', { before })
  await fill(db)
  const { get, lines } = await logged(t, { db, timeout: 100 })
  t.strictSame((await get('/payment/list?limit=100', admin)).body, tooLong)
  await sleep(200)
  t.match(lines, [{ kind: 'timeout' }])
  t.equal(lines.length, 1)
})

t.test('what matches is too much, too, where some of it is nobody', async (t) => {
  const db = await openDatabase(t, 'mysql')
  await fill(db)
  const users = db
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email', 'avatar_url', sql<number>`nullif(user_id, 1)`.as('user_id')])
  const thresholds = { named: 2, probes: 0, dense: 0, walk: 0 }
  const find = finder(payments, { shareTotals: false }, thresholds)
  const { total, items } = await find(
    {
      caller: { userId: '20', role: 'Admin' },
      reach: 'all',
      parameters: { page: 1, limit: 100, search: '@' },
      timeLeft: () => 10_000,
      timed: (_step, run) => run()
    },
    sourceOf(db as never, { users: users as never })
  )
  t.equal(total, expectedPayments('all', 20, '@').length - 3)
  t.equal(items.length, total)
})

t.test('a request that waited for a connection past its deadline sends nothing', async (t) => {
  const statements: string[] = []
  const db = await openDatabase(t, 'mysql', {
    pool: { connectionLimit: 1 },
    onQuery: ({ sql }) => statements.push(sql)
  })
  await fill(db)
  const { get } = await serve(t, { db, timeout: 200 })
  statements.length = 0
  await db.connection().execute(async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => get('/payment/list?search=ada', admin)))
    t.ok(answers.every(({ status }) => status === 504))
  })
  // the connection goes to those who waited for it first
  await db.connection().execute(async () => undefined)
  t.strictSame(statements, [])
})

t.test('a statement gets no more time than its request has left', async (t) => {
  const statements: string[] = []
  const db = await openDatabase(t, 'mysql', { onQuery: ({ sql }) => statements.push(sql) })
  await fill(db)
  const { get } = await serve(t, { db, timeout: 3000, resolveRole: () => sleep(2000, admin) })
  statements.length = 0
  t.equal((await get('/payment/list', admin)).status, 200)
  const [, milliseconds] = /MAX_EXECUTION_TIME\((\d+)\)/.exec(statements[0] ?? '') ?? []
  t.ok(Number(milliseconds) > 0 && Number(milliseconds) <= 1001, `${milliseconds} ms`)
})

t.test('the deadline ends the statement on the server', async (t) => {
  const pool = await mysqlPool(t)
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(pool) }) })
  t.teardown(() => db.destroy())
  await fill(db)
  const { get, lines } = await logged(t, { db, timeout: 300 })
  await db.connection().execute(async (connection) => {
    await sql`lock tables payments write`.execute(connection)
    t.strictSame((await get('/payment/list', admin)).body, tooLong)
    t.match(lines, [{ level: 40, list: 'payments', kind: 'timeout' }])
    const running = sql<{ count: unknown }>`
      select count(*) as count from information_schema.processlist
      where db = ${pool.database} and info like '%payments%' and id <> connection_id()`
    for (let tries = 0; Number((await running.execute(connection)).rows[0]?.count) > 0; tries++) {
      if (tries === 50) return t.fail('the statement still runs after its deadline')
      await sleep(20)
    }
    await sql`unlock tables`.execute(connection)
  })
  t.equal((await get('/payment/list', admin)).status, 200)
})

t.test('the deadline ends the statement on PostgreSQL, and the session keeps its own limit', async (t) => {
  const db = await openDatabase(t, 'postgres')
  await fill(db)
  const slow = sql<string>`payment_intent || case when payment_id = 99 then pg_sleep(5)::text else '' end`
  const columns = columnsOf.payments.filter((column) => column !== 'payment_intent')
  const payments = db.selectFrom('payments').select([...columns, slow.as('payment_intent')])
  const { get, lines } = await logged(t, { db, timeout: 300, relations: { payments: payments as never } })
  const start = performance.now()
  t.strictSame((await get('/payment/list?search=pi_guest', admin)).body, tooLong)
  t.match(lines, [{ level: 40, list: 'payments', kind: 'timeout' }])
  const running = sql<{ count: unknown }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()`
  while (Number((await running.execute(db)).rows[0]?.count) > 0) await sleep(20)
  t.ok(performance.now() - start < 2000, 'the statement does not run on')
  t.match((await sql`show statement_timeout`.execute(db)).rows, [{ statement_timeout: '0' }])
})

t.test('a term that a column’s character set cannot hold is no error', async (t) => {
  const db = await openDatabase(t, 'mysql')
  await fill(db)
  await sql`alter table users modify first_name varchar(100) character set latin1,
    modify last_name varchar(100) character set utf8mb3`.execute(db)
  await sql`alter table payments modify processor_status varchar(50) character set latin1`.execute(db)
  await db
    .updateTable('users')
    .set({ last_name: 'Łódź', email: '漢字😀@example.org' })
    .where('user_id', '=', 1)
    .execute()
  const { get } = await serve(t, { db })
  for (const [term, total] of [
    ['漢', 3],
    ['Łó', 3],
    ['😀', 3],
    ['ł漢', 0]
  ] as const) {
    t.match((await get(`/assessment/list?search=${encodeURIComponent(term)}`, admin)).body, { total }, term)
  }
  t.match((await get(`/payment/list?processor_status=${encodeURIComponent('漢')}`, admin)).body, { total: 0 })
  t.match((await get('/assessment/list?search=ada', admin)).body.assessments?.[0], { last_name: 'Łódź' })
})

t.test('an error of the driver that is no object is a 500', async (t) => {
  const database = {
    prepare: () => {
      throw 'odd'
    },
    close: () => undefined
  }
  const db: Db = new Kysely({ dialect: new SqliteDialect({ database: database as never }) })
  const { get } = await serve(t, { db, checkOnReady: 'off' })
  t.strictSame((await get('/payment/list', admin)).body, internal)
})

for (const name of databases) {
  t.test(`a field may have any name of one word on ${name}`, async (t) => {
    const db = await openDatabase(t, name)
    await fill(db)
    const fields = { ...payments.fields, total: decimal('r.amount', {}), sample: text('r.payment_method', {}) }
    const find = finder({ ...payments, fields }, { shareTotals: false })
    for (const [reach, total, amount] of [
      ['own', 3, 10.5],
      ['all', 31, 19.5]
    ] as const) {
      const found = await find(
        {
          caller: { userId: '1', role: '' },
          reach,
          parameters: { page: 1, limit: 1 },
          timeLeft: () => 10_000,
          timed: (_step, run) => run()
        },
        sourceOf(db as never, {})
      )
      t.match(found, { total, items: [{ total: amount, sample: 'card' }] }, reach)
    }
  })
}

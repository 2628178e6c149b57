/** Each failure has one log line that identifies it. No log line and no answer contains a secret. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { PoolOptions } from 'mysql2'
import t, { type Test } from 'tap'
import type { ListingOptions } from '../../src/index.js'
import { fill } from '../support/fixtures/world.js'
import { failuresIn } from '../support/hosts/log.js'
import { serve } from '../support/hosts/server.js'
import { token } from '../support/hosts/tokens.js'
import { until } from '../support/running/until.js'
import { mysqlPool, postgresPool } from '../support/servers/databases.js'
import { openMysql, openPostgres } from '../support/servers/pools.js'
import { freePort } from '../support/servers/private-server.mjs'
import { computed, openWorld } from '../support/servers/tables.js'
import { tell } from './sizes.js'

/** A part of every secret. It has no capitals, because a masking rule could treat capitals as harmless. */
const mark = `s3cr3t${randomBytes(4).toString('hex')}`
const traces = [mark, Buffer.from(mark).toString('hex'), [...Buffer.from(mark)].join(), mark.toUpperCase()]

/** The token of an administrator with a secret in its claims. The signature is a secret too. */
const good = token({ sub: '20', role: 'Admin', email: `${mark}@example.org` })
const bearer = (token: string) => `Bearer ${token}`
const signature = String(good.split('.')[2])
const secrets = [...traces, signature]

const search = `search=${mark}`
const url = `/payment/list?${search}`

/** The expected properties of the line. */
type Expected = Record<string, unknown>
let tried = 0
let leaks = 0

interface Asking {
  url?: string
  authorization?: string
}

/** The lists on a port, with their complete log. */
async function logged(t: Test, options: Partial<ListingOptions> & Pick<ListingOptions, 'db'>) {
  const printed = (['log', 'warn', 'error'] as const).map((name) => t.capture(console, name))
  const { app, lines, texts } = await serve(
    t,
    { checkOnReady: 'off', ...options },
    { server: { requestIdHeader: 'x-request-id' }, log: 'trace' }
  )
  let count = 0

  /** Searches the log since the last call, the output and the answers for secrets. */
  function search(what: string, ...answered: string[]) {
    tried++
    const all = [
      ...texts.splice(0),
      // A 400 names an unknown parameter to its client (contract 21).
      ...answered.map((text) => text.replace(/The query parameter '.*?' is unknown/s, '')),
      ...printed.flatMap((calls) => calls.args().map((each) => each.map(String).join()))
    ]
    const found = all.filter((text) => secrets.some((secret) => text.includes(secret)))
    // SQL must not be logged either.
    found.push(...all.filter((text) => /select .* from|(payments|assessments)[`"\\]* as r/is.test(text)))
    if (found.length > 0) leaks++
    t.strictSame(found, [], `${what}: no secret`)
  }

  /** Sends a request that fails, and checks its answer and its log line. */
  async function fails(what: string, status: number, line: Expected, { url: asked = url, authorization }: Asking = {}) {
    const id = `${what} ${++count}`
    const headers = { 'x-request-id': id, authorization: authorization ?? bearer(good), cookie: `session=${mark}` }
    const answer = await app.inject({ method: 'GET', url: asked, headers })
    t.equal(answer.statusCode, status, what)
    const own = lines.filter(({ reqId }) => reqId === id)
    const list = asked.startsWith('/payment') ? 'payments' : 'assessments'
    t.match(failuresIn(own), [{ list, ...line }], `${what}: one line`)
    search(what, answer.body, JSON.stringify(answer.headers))
  }
  return { app, lines, search, fails }
}

/** Waits for the first row. */
async function rowOf<Row>(find: () => Promise<{ rows: Row[] }>): Promise<Row> {
  const rows: Row[] = []
  if (!(await until(async () => rows.push(...(await find()).rows) > 0))) throw new Error('Nothing came.')
  return rows[0] as Row
}

t.test('refused requests', async (t) => {
  const { fails } = await logged(t, { db: await openWorld(t, 'sqlite') })
  const refused = { level: 20, reach: 'all', kind: 'parameter' }
  for (const query of [
    ...[`page=${mark}`, `limit=1&limit=${mark}`, `${mark}=1`, `${search}%00`, `${search}%ff`, `${search}&${search}`],
    `search=${mark.repeat(20)}`
  ]) {
    await fails('a bad parameter', 400, refused, { url: `/payment/list?${query}` })
  }
  await fails('a bad status', 400, { kind: 'parameter' }, { url: `/assessment/list?search=&status=${mark}` })
  const ordinary = token({ sub: '30', role: 'ordinary user', email: mark })
  const forbidden = { url: `/assessment/list?${search}`, authorization: `Bearer ${ordinary}` }
  await fails('a role without the right', 403, { level: 20, kind: 'forbidden' }, forbidden)
  const expired = token({ sub: mark, role: mark, exp: 1 })
  const forged = token({ sub: mark }, { kid: mark, alg: 'HS512' }, mark)
  for (const bad of [mark, `Basic ${mark}`, ...[mark, `${mark}.${mark}.${mark}`, expired, forged].map(bearer)]) {
    await fails('a bad token', 401, { level: 20, kind: 'unauthorized' }, { authorization: bad })
  }
})

t.test('callbacks of the host that throw an error with a secret', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const error = (fields: object = {}) =>
    Object.assign(new Error(`for ${mark}\n    at ${mark}:1:1`, { cause: new Error(mark) }), {
      ...{ sql: `select '${mark}' from payments as r`, sqlMessage: mark, detail: mark, parameters: [mark] },
      ...{ config: { headers: { authorization: bearer(good) } }, request: { path: url } },
      ...fields
    })
  const duplicate = { code: 'ER_DUP_ENTRY', errno: 1062, sqlState: '23000' }
  const odd = { code: `bad ${mark}`, sqlState: `!${mark}`, name: mark }
  const many = new AggregateError([error(), error({ code: 'ENOTFOUND', hostname: mark })], mark)
  const cases: [thrown: unknown, status: number, line: Expected][] = [
    [error(), 500, { level: 50, kind: 'internal', at: /test\/reliability/ }],
    [error(duplicate), 500, duplicate],
    [error(odd), 500, { code: undefined, sqlState: undefined }],
    [error({ statusCode: 401 }), 401, { level: 20, kind: 'unauthorized' }],
    [error({ statusCode: 418 }), 418, { level: 20, kind: 'host' }],
    [error({ code: 'ECONNREFUSED' }), 503, { level: 40, kind: 'unavailable', code: 'ECONNREFUSED' }],
    [many, 503, { code: 'ENOTFOUND' }],
    [mark, 500, { kind: 'internal' }],
    [{ message: mark, stack: mark, toString: () => mark }, 500, { kind: 'internal' }]
  ]
  let [thrown, status, line]: [unknown, number, Expected] = [undefined, 0, {}]
  const fail = async () => {
    throw thrown
  }
  for (const options of [{ authenticate: fail }, { resolveRole: fail }]) {
    const { fails } = await logged(t, { db, ...options })
    for ([thrown, status, line] of cases) await fails(`${Object.keys(options)} throws`, status, line)
  }
  const answered = async (_request: FastifyRequest, reply: FastifyReply) => reply.code(401).send(error())
  await (await logged(t, { db, authenticate: answered })).fails('authenticate sends', 401, { kind: 'unauthorized' })
  for (const caller of [
    { userId: `${mark}\n`, role: mark },
    { userId: 1, role: [mark, 7] as never },
    { userId: 1, role: 'Admin', ids: { tenant: `${mark}\n` } }
  ]) {
    const { fails } = await logged(t, { db, resolveRole: () => caller })
    await fails('an invalid caller', 500, { kind: 'internal' })
  }
})

t.test('errors of MySQL and MariaDB', async (t) => {
  const options = await mysqlPool(t)
  const open = (more: PoolOptions = {}) => openMysql(t, { ...options, ...more })
  const control = open({ connectionLimit: 2 })
  await fill(control)

  const away = { port: await freePort(), user: mark, password: mark, database: mark }
  const code = 'ECONNREFUSED'
  const down = await logged(t, { db: open(away), checkOnReady: 'error' })
  await down.fails('no server', 503, { level: 40, reach: 'all', kind: 'unavailable', code })
  const stranger = await logged(t, { db: open({ user: mark, password: mark }) })
  const denied = { code: 'ER_ACCESS_DENIED_ERROR', errno: 1045, sqlState: '28000' }
  await stranger.fails('a wrong password', 500, { level: 50, kind: 'internal', ...denied })
  const elsewhere = await logged(t, { db: open({ database: mark }) })
  await elsewhere.fails('no such database', 500, { kind: 'internal', code: 'ER_BAD_DB_ERROR', errno: 1049 })

  const db = open()
  const unreadable = { level: 50, reach: 'all', kind: 'internal' }
  for (const column of ['amount', 'created_at'] as const) {
    const { fails } = await logged(t, { db, tables: computed(db, 'payments', column, `'${mark}'`) })
    const msg = new RegExp(`^Column payments.${column} of payment_id \\d+ is not a`)
    await fails('a value that cannot be read', 500, { ...unreadable, msg }, { url: '/payment/list' })
  }
  const broken = await logged(t, { db, tables: computed(db, 'payments', 'payment_method', `'${mark}' '${mark}`) })
  await broken.fails('SQL that is none', 500, { kind: 'internal', code: 'ER_PARSE_ERROR', sqlState: '42000' })
  const garbled = await logged(t, { db: open({ typeCast: () => mark }) })
  for (const page of [1, 2]) {
    await garbled.fails('a driver that gives something else', 500, unreadable, { url: `/payment/list?page=${page}` })
  }

  const killed = await logged(t, { db })
  const waiting = () =>
    rowOf(() =>
      sql<{ id: number }>`select id from information_schema.processlist
        where db = ${options.database} and state like 'Waiting%' and info like '%payments%'`.execute(control)
    )
  await control.connection().execute(async (locker) => {
    await killed.app.inject({ url, headers: { authorization: `Bearer ${good}` } })
    await sql`lock tables payments write`.execute(locker)
    for (const [how, status, line] of [
      ['query', 504, { level: 40, kind: 'timeout', errno: 1317, sqlState: '70100' }],
      ['connection', 503, { level: 40, kind: 'unavailable' }]
    ] as const) {
      const kill = async () => sql`kill ${sql.raw(how)} ${sql.lit((await waiting()).id)}`.execute(control)
      await Promise.all([killed.fails(`kill ${how}`, status, { reach: 'all', ...line }), kill()])
    }
    const hurried = await logged(t, { db, timeout: 200 })
    await hurried.fails('a deadline', 504, { level: 40, reach: 'all', kind: 'timeout' })
    await sleep(100)
    hurried.search('after the deadline')
    await sql`unlock tables`.execute(locker)
  })

  const missing = await logged(t, {
    db,
    checkOnReady: 'warn',
    tables: computed(db, 'payments', 'payment_method', `'${mark}'`)
  })
  await sql`drop table payments`.execute(control)
  const lost = { kind: 'internal', code: 'ER_NO_SUCH_TABLE', errno: 1146, sqlState: '42S02' }
  await missing.fails('a table that is gone', 500, { level: 50, reach: 'all', ...lost })
  await sleep(300)
  missing.search('the check that follows')
})

t.test('errors of PostgreSQL', async (t) => {
  const options = await postgresPool(t)
  const [db, control] = [openPostgres(t, options), openPostgres(t, options)]
  await fill(control)
  const unreadable = await logged(t, { db, tables: computed(db, 'payments', 'amount', `'${mark}'::text`) })
  await unreadable.fails('a value that cannot be read', 500, { kind: 'internal' }, { url: '/payment/list' })
  const cast = await logged(t, { db, tables: computed(db, 'payments', 'amount', `(payment_method || '${mark}')::int`) })
  const failed = { level: 50, reach: 'all', kind: 'internal', code: '22P02' }
  await cast.fails('a cast that fails', 500, failed, { url: '/payment/list' })

  const { fails } = await logged(t, { db })
  await control.connection().execute(async (locker) => {
    await sql`begin`.execute(locker)
    await sql`lock table payments in access exclusive mode`.execute(locker)
    for (const [how, status, line] of [
      ['pg_cancel_backend', 504, { kind: 'timeout', code: '57014' }],
      ['pg_terminate_backend', 503, { kind: 'unavailable' }]
    ] as const) {
      const end = rowOf(() =>
        sql`select ${sql.raw(how)}(pid) from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock'`.execute(control)
      )
      await Promise.all([fails(how, status, { level: 40, reach: 'all', ...line }), end])
    }
    await sql`rollback`.execute(locker)
  })
  await sql`drop table payments`.execute(control)
  await fails('a table that is gone', 500, { reach: 'all', kind: 'internal', code: '42P01' })
})

t.test('the figures', async () => {
  tell({ what: 'failures of which a log line or an answer holds a secret', tried, broken: leaks })
})

/** Compares requests with the same statements by hand, behind a network that takes a millisecond each way. */
import { createHash } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { CompiledQuery, Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import { assessments, createListings, payments } from '../src/index.js'
import { fill } from '../test/support/fixtures/world.js'
import { type Db, mysqlPool, postgresPool } from '../test/support/servers/databases.js'
import { machine, medians } from './million.js'

const delay = 1
const rounds = 200

const ends: (() => unknown)[] = []
const scope = { teardown: (end: () => unknown) => ends.push(end) } as never

/** A network in front of a server: its port, and how often a client has waited for the server. */
async function network(target: { host: string; port: number }) {
  const later = (send: () => unknown) => setTimeout(send, delay)
  let trips = 0
  const server = createServer((client) => {
    const database = connect(target)
    let isAsking = false
    client.on('data', () => {
      if (!isAsking) trips++
      isAsking = true
    })
    database.on('data', () => {
      isAsking = false
    })
    for (const [from, to] of [[client, database] as const, [database, client] as const]) {
      from.setNoDelay(true).on('data', (data) => later(() => to.write(data)))
      from.on('close', () => to.destroy()).on('error', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  return { port: (server.address() as { port: number }).port, trips: () => trips }
}

/** Prepares each statement once on each connection. */
class PreparingClient extends pg.Client {
  override query(...given: never[]): never {
    const [text, values]: unknown[] = given
    const isPlain = typeof text === 'string' && Array.isArray(values)
    const name = isPlain && createHash('sha256').update(text).digest('base64url')
    return Reflect.apply(super.query, this, name ? [{ name, text, values }] : given) as never
  }
}

interface Opened {
  readonly db: Db
  readonly trips: () => number
}

const openings: Record<string, Record<string, () => Promise<Opened>>> = {}

const { connectionString } = await postgresPool(scope)
const openPostgres = (config: pg.PoolConfig) => async () => {
  const url = new URL(String(connectionString))
  const { port, trips } = await network({ host: url.hostname, port: Number(url.port) })
  url.port = String(port)
  const pool = new pg.Pool({ connectionString: url.href, ...config })
  return { db: new Kysely({ dialect: new PostgresDialect({ pool }) }) as Db, trips }
}
const options = '-c timezone=UTC -c statement_timeout=10s -c listing.transactions=off'
openings.PostgreSQL = {
  'in a transaction': openPostgres({}),
  'without one': openPostgres({ options }),
  prepared: openPostgres({ options, Client: PreparingClient as never })
}
const mysql = await mysqlPool(scope)
openings.MariaDB = {
  usual: async () => {
    const { port, trips } = await network({ host: String(mysql.host), port: Number(mysql.port) })
    const dialect = new MysqlDialect({ pool: createPool({ ...mysql, host: '127.0.0.1', port }) })
    return { db: new Kysely({ dialect }) as Db, trips }
  }
}

const counted = assessments.extend({
  filters: {
    status: { counted: true },
    concluded: { column: 'date_conclusion', present: true, counted: true },
    helped: { column: 'practitioner_id', present: true, counted: true }
  },
  record: {
    ...{ path: '/assessment/:assessment_id', key: 'assessment' },
    messages: { found: 'Assessment found.', notFound: 'No such assessment.' }
  }
})
const listingsOf = (db: Db) =>
  createListings({
    ...{ db, resolveRole: () => null, checkOnReady: 'off', lists: [counted, payments] },
    roles: { assessments: { Helper: { own: 'practitioner_id' } } }
  })
type Lists = ReturnType<typeof listingsOf>

const paid = 'p.*, u.email from payments p left join users u on u.user_id = p.user_id'
/** The records of a page, and what their fields show of others. */
const assessed = (
  where: string
) => `select a.*, u.first_name, u.last_name, u.email, u.avatar_url, h.first_name, m.org_name
  from (select * from assessments where ${where} order by created_at desc, assessment_id desc limit 2) as a
  left join users as u on u.user_id = a.user_id left join users as h on h.user_id = a.practitioner_id
  left join memberships as m on m.user_id = a.user_id order by a.created_at desc, a.assessment_id desc`
const newestPaid = 'order by p.created_at desc, p.payment_id desc limit 2'
const reached = 'user_id in (select user_id from links where owner_id = 10 union select 10)'
const found = `p.user_id = 1 and (p.payment_intent like '%pi_0%'
  or p.user_id in (select user_id from users where email like '%pi_0%'))`

const [individual, helper] = [
  { userId: 1, role: 'Individual' },
  { userId: 10, role: ['Individual', 'Helper'] }
]
const practitioner = { userId: 10, role: 'Practitioner' }
const of = (query: object) => ({ search: '', limit: 2, ...query })

/** A request, and the statements of a program that sends them at once. */
const questions: Record<string, [ask: (lists: Lists) => Promise<unknown>, ...byHand: string[]]> = {
  'own page': [
    (lists) => lists.find('payments', { caller: individual, query: { limit: 2 } }),
    `select ${paid} where p.user_id = 1 ${newestPaid}`,
    'select count(*) from payments where user_id = 1'
  ],
  'own assessments': [
    (lists) => lists.find('assessments', { caller: individual, query: of({}) as never }),
    assessed('user_id = 1'),
    'select count(*) from assessments where user_id = 1'
  ],
  'one record': [
    (lists) => lists.get('assessments', 1, { caller: individual }),
    assessed('user_id = 1 and assessment_id = 1')
  ],
  'three counts': [
    (lists) =>
      lists.find('assessments', {
        caller: individual,
        query: of({ counts: ['status', 'concluded', 'helped'] }) as never
      }),
    assessed('user_id = 1'),
    'select count(*) from assessments where user_id = 1',
    'select status, count(*) from assessments where user_id = 1 group by status',
    'select date_conclusion is null, count(*) from assessments where user_id = 1 group by 1',
    'select practitioner_id is null, count(*) from assessments where user_id = 1 group by 1'
  ],
  'two roles': [
    (lists) => lists.find('assessments', { caller: helper, query: of({}) as never }),
    assessed('(user_id = 10 or practitioner_id = 10)'),
    'select count(*) from assessments where (user_id = 10 or practitioner_id = 10)'
  ],
  linked: [
    (lists) => lists.find('assessments', { caller: practitioner, query: of({}) as never }),
    assessed(reached),
    `select count(*) from assessments where ${reached}`
  ],
  'own, with a search': [
    (lists) => lists.find('payments', { caller: individual, query: { limit: 2, search: 'pi_0' } }),
    `select ${paid} where ${found} ${newestPaid}`,
    `select count(*) from payments p where ${found}`
  ]
}

console.log(`${machine}, ${delay} ms each way, medians of ${rounds}`)
for (const [name, pools] of Object.entries(openings)) {
  const opened = await Promise.all(Object.entries(pools).map(async ([how, open]) => ({ how, ...(await open()) })))
  await fill((opened[0] as Opened).db)
  for (const [what, [ask, ...texts]] of Object.entries(questions)) {
    const works = opened.flatMap(({ db }) => {
      const lists = listingsOf(db)
      const send = (text: string) => db.executeQuery(CompiledQuery.raw(text))
      return [() => ask(lists), () => Promise.all(texts.map(send))]
    })
    const trips: number[] = []
    for (const [place, { trips: so }] of opened.entries()) {
      await works[2 * place]?.()
      await new Promise((resolve) => setTimeout(resolve, 50))
      const before = so()
      await works[2 * place]?.()
      trips.push(so() - before)
    }
    await medians(10, ...works)
    const times = await medians(rounds, ...works)
    const shown = opened.map(({ how }, place) => {
      const [ours = 0, theirs = 0] = times.slice(2 * place)
      return `${how} ${trips[place]} trips, ${ours.toFixed(1)} ms, ${(ours / theirs).toFixed(2)} times by hand`
    })
    console.log(`${name}, ${what}: ${shown.join('; ')}`)
  }
  for (const { db } of opened) await db.destroy()
}
for (const end of ends.reverse()) await end()

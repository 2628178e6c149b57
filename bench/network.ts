/** Compares a page with the same page by hand, behind a network that takes a millisecond each way. */
import { connect, createServer } from 'node:net'
import { CompiledQuery, Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import { createListings } from '../src/index.js'
import type { Db } from '../test/support/databases.js'
import { mysqlPool, postgresPool } from '../test/support/databases.js'
import { fill } from '../test/support/world.js'
import { machine, medians } from './million.js'

const delay = 1
const rounds = 200

const ends: (() => unknown)[] = []
const scope = { teardown: (end: () => unknown) => ends.push(end) } as never

/** The port of a network in front of a server. */
async function network(target: { host: string; port: number }): Promise<number> {
  const later = (send: () => unknown) => setTimeout(send, delay)
  const server = createServer((client) => {
    const database = connect(target)
    for (const [from, to] of [[client, database] as const, [database, client] as const]) {
      from.setNoDelay(true).on('data', (data) => later(() => to.write(data)))
      from.on('close', () => to.destroy()).on('error', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  return (server.address() as { port: number }).port
}

async function open(name: string): Promise<Db> {
  if (name === 'MariaDB') {
    const options = await mysqlPool(scope)
    const port = await network({ host: String(options.host), port: Number(options.port) })
    return new Kysely({ dialect: new MysqlDialect({ pool: createPool({ ...options, host: '127.0.0.1', port }) }) })
  }
  const url = new URL(String((await postgresPool(scope)).connectionString))
  url.port = String(await network({ host: url.hostname, port: Number(url.port) }))
  return new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url.href }) }) })
}

const columns = 'p.*, u.email from payments p left join users u on u.user_id = p.user_id'
const reached = 'user_id in (select user_id from links where owner_id = 10 union select 10)'

/** The page and its total by hand: two statements on one connection. */
const byHand = {
  own: [
    `select ${columns} where p.user_id = 1 order by p.created_at desc, p.payment_id desc limit 2`,
    'select count(*) from payments where user_id = 1'
  ],
  linked: [
    `select a.*, u.email from assessments a left join users u on u.user_id = a.user_id where a.${reached} order by a.created_at desc, a.assessment_id desc limit 2`,
    `select count(*) from assessments where ${reached}`
  ]
}

console.log(`${machine}, ${delay} ms each way, medians of ${rounds}`)
for (const name of ['PostgreSQL', 'MariaDB']) {
  const db = await open(name)
  await fill(db)
  const listings = createListings({ db, resolveRole: () => null, checkOnReady: 'off' })
  const callers = { own: { userId: 1, role: 'Individual' }, linked: { userId: 10, role: 'Practitioner' } }
  const pages = {
    own: () => listings.find('payments', { caller: callers.own, query: { limit: 2 } }),
    linked: () => listings.find('assessments', { caller: callers.linked, query: { search: '', limit: 2 } })
  }
  for (const reach of ['own', 'linked'] as const) {
    const hand = async () => {
      for (const text of byHand[reach]) await db.executeQuery(CompiledQuery.raw(text))
    }
    await pages[reach]()
    await hand()
    const [ours = 0, theirs = 0] = await medians(rounds, pages[reach], hand)
    console.log(
      `${name}, ${reach}: ${ours.toFixed(1)} ms, by hand ${theirs.toFixed(1)} ms, ${(ours / theirs).toFixed(2)} times`
    )
  }
  await db.destroy()
}
for (const end of ends.reverse()) await end()

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, SqliteDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import t from 'tap'
import { type Db, databases, mysqlPool, openDatabase } from './support/databases.js'
import { serve } from './support/server.js'
import { fill } from './support/world.js'

for (const name of databases) {
  t.test(`the start-up check on ${name}`, async (t) => {
    const db = await openDatabase(t, name)
    await fill(db)
    await sql`alter table users rename column email to mail`.execute(db)
    await sql`drop table memberships`.execute(db)

    t.test('stops the boot with everything that is wrong at once', async (t) => {
      const error: unknown = await serve(t, { db }).catch((error: unknown) => error)
      const [what, ...findings] = error instanceof Error ? error.message.split('\n- ') : []
      t.equal(what, "The database does not fit the lists.\nMend the option 'relations', or the database:")
      t.match(findings, [
        /^users needs the columns user_id, first_name, last_name, email, avatar_url\. The database says: .*email/,
        /^memberships needs the columns user_id, org_name\. The database says: .*memberships/
      ])
      t.equal(findings.length, 2)
    })

    t.test('only warns, or does not look, where the host says so', async (t) => {
      for (const [checkOnReady, count] of [
        ['warn', 1],
        ['off', 0]
      ] as const) {
        const lines: string[] = []
        const stream = { write: (line: string) => lines.push(line) }
        await serve(t, { db, checkOnReady }, { server: { logger: { level: 'warn', stream } } })
        t.equal(lines.length, count)
        if (count) t.match(JSON.parse(String(lines[0])).msg, /memberships needs the columns user_id, org_name/)
      }
    })

    t.test('a database for each request is not looked at', async (t) => {
      await t.resolves(serve(t, { db: () => db }))
    })
  })
}

t.test('whatever a driver throws is shown', async (t) => {
  const prepare = (statement: string) => {
    if (statement.includes('sample')) return { reader: true, all: () => [{ sample: '🙂', bytes: '🙂' }] }
    throw 'odd'
  }
  const db: Db = new Kysely({ dialect: new SqliteDialect({ database: { prepare, close: () => undefined } as never }) })
  await t.rejects(serve(t, { db }), { message: /users needs the columns .* The database says: odd/ })
})

t.test('a table that goes while the server runs is found, and told once', async (t) => {
  const db = await openDatabase(t, 'mysql')
  await fill(db)
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) }
  const { get } = await serve(t, { db }, { server: { logger: { level: 'warn', stream } } })
  t.strictSame(lines, [])
  await sql`drop table memberships`.execute(db)
  const caller = { userId: 20, role: 'Admin' }
  for (let request = 0; request < 3; request++) {
    t.equal((await get('/assessment/list?search=', caller)).status, 500)
    await sleep(200)
  }
  const findings = lines.filter(({ msg }) => String(msg).startsWith('The database does not fit the lists.'))
  t.match(findings, [{ level: 40, msg: /- memberships needs the columns user_id, org_name/ }])
  t.equal(findings.length, 1)
  t.match(lines[0], { level: 50, kind: 'internal', missing: 'table or column' })
  t.equal((await get('/payment/list', caller)).status, 200, 'the other list goes on')
})

t.test('a server that is closed while the database is asked again asks no more', async (t) => {
  const silent = createServer()
  const port = await listen(silent)
  await new Promise((resolve) => silent.close(resolve))
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({ host: '127.0.0.1', port }) }) })
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const { app } = await serve(t, { db }, { server: { logger: { level: 'warn', stream } } })
  t.equal(lines.length, 1)

  const asked = new Promise<Socket>((resolve) => silent.once('connection', resolve))
  await listen(silent, port)
  const socket = await asked
  await app.close()
  socket.destroy()
  await new Promise((resolve) => silent.close(resolve))
  await sleep(100)
  t.equal(lines.length, 1)
})

t.test('a database that cannot be reached does not stop the boot, and is checked once it answers', async (t) => {
  const { host, port, ...pool } = await mysqlPool(t)
  const target = { host: String(host), port: Number(port) }
  // one that takes connections and says nothing, and one that refuses them
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket))
  const refusing = createServer()
  const ports = [await listen(silent), await listen(refusing)]
  refusing.close()
  const starts = ports.map(async (port) => {
    const lines: Record<string, unknown>[] = []
    const stream = { write: (line: string) => lines.push(JSON.parse(line)) }
    const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({ ...pool, host: '127.0.0.1', port }) }) })
    t.teardown(() => db.destroy())
    const { get } = await serve(t, { db }, { server: { logger: { level: 'warn', stream } } })
    t.match(lines, [{ kind: 'unavailable', msg: 'The database could not be checked; it is asked again.' }])
    return { lines, get }
  })

  const later = await starts[1]
  const proxy = createServer((socket) => {
    const database = connect(target)
    socket.pipe(database).pipe(socket)
    for (const end of [socket, database]) end.on('error', () => end.destroy())
  })
  await listen(proxy, ports[1])
  t.teardown(() => proxy.close())
  await Promise.all(starts)
  silent.close()
  for (const socket of sockets) socket.destroy()
  for (let tries = 0; later?.lines.length === 1 && tries < 100; tries++) await sleep(100)
  t.match(later?.lines[1], { msg: /assessments needs the columns/ })
})

const listen = (server: Server, port = 0) =>
  new Promise<number>((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

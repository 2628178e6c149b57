/** A server that refuses each client at its login or at its first statement, as PgBouncer does. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Test } from 'tap'
import type { Db } from './databases.js'

const message = (type: string, body: string) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(body))
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}

const welcome = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')])

/** @param refusal the message of PgBouncer 1.18, whose SQLSTATE is always 08P01 */
export async function openRefused(t: Test, refusal: string, when: 'login' | 'statement'): Promise<Db> {
  const refuse = (socket: Socket) => socket.end(message('E', `SFATAL\0VFATAL\0C08P01\0M${refusal}\0\0`))
  const server = createServer((socket) => {
    socket.once('data', () => {
      if (when === 'login') return void refuse(socket)
      socket.write(welcome)
      socket.once('data', () => refuse(socket))
    })
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  // The closed connection is an error of the pool, or of the client in use.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  t.teardown(async () => {
    await db.destroy()
    server.close()
  })
  return db
}

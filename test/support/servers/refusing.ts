/** Servers that refuse every client, as a pooler or a proxy does. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createServer as createMysqlServer } from 'mysql2'
import type { Test } from 'tap'
import type { Db } from './databases.js'
import { openMysql, openPostgres } from './pools.js'

/** An instance on a server, which counts what it has refused. */
export interface Refused {
  db: Db
  refusals: () => number
}

/** The port of a server that ends with the test. */
async function portOf(t: Test, server: Server): Promise<number> {
  await once(server, 'listening')
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

const message = (type: string, body: string) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(body))
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}

const welcome = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')])

/** A server of PostgreSQL that answers the login of a client, or its first statement, with an error, and hangs up. */
export async function refusingPostgres(
  t: Test,
  severity: string,
  code: string,
  text: string,
  when: 'login' | 'statement' = 'login'
): Promise<Refused> {
  let refusals = 0
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const refuse = () => {
      refusals++
      socket.end(message('E', `S${severity}\0V${severity}\0C${code}\0M${text}\0\0`))
    }
    socket.once('data', () => {
      if (when === 'login') return refuse()
      socket.write(welcome)
      socket.once('data', refuse)
    })
  }).listen(0, '127.0.0.1')
  const address = { host: '127.0.0.1', port: await portOf(t, server) }
  return { db: openPostgres(t, { ...address, user: 'lists', database: 'lists' }), refusals: () => refusals }
}

/** A server of MySQL that lets clients in, and answers each of their statements with an error. */
export async function refusingMysql(t: Test, errno: number, message: string): Promise<Refused> {
  let refusals = 0
  const hello = { protocolVersion: 10, serverVersion: '8.0.30', connectionId: 1, statusFlags: 2, characterSet: 45 }
  const mysql = createMysqlServer((connection) => {
    // The packets of a command are numbered from 0.
    const isAnswered = () => void Object.assign(connection, { sequenceId: 0 })
    const authCallback = (_client: unknown, accept: (error: null) => void) => {
      accept(null)
      isAnswered()
    }
    connection.serverHandshake({ ...hello, capabilityFlags: 0xffffff, authCallback })
    connection.on('error', () => undefined)
    connection.on('query', () => {
      refusals++
      connection.writeError({ code: errno, message })
      isAnswered()
    })
  }).listen(0)
  // The types of mysql2 do not have the server.
  const { _server: server } = mysql as unknown as { _server: Server }
  return { db: openMysql(t, { host: '127.0.0.1', port: await portOf(t, server) }), refusals: () => refusals }
}

/** PgBouncer in front of a PostgreSQL. */
import { openPostgres } from './connect.js'
import type { Engine } from './engine.js'
import { startPooler } from './pooler.js'

type Mode = 'transaction' | 'statement'

const configuration = (mode: Mode, { hostname, port }: URL, listenPort: number) => `
[databases]
lists = host=${hostname} port=${port} dbname=postgres user=postgres

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 4
max_client_conn = 100
`

const inMode = (mode: Mode, engine: Omit<Engine, 'start' | 'isQuick' | 'leaving'>): Engine => ({
  ...engine,
  isQuick: true,
  // The cancel request names a session of the pooler, which PostgreSQL does not know.
  leaving: 'stops at the deadline',
  async start(scope, plain) {
    const { url, db: server } = await plain.postgres()
    const pooler = await startPooler(scope, {
      name: 'pgbouncer',
      packages: ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'],
      configuration: (port) => configuration(mode, new URL(url), port),
      parameters: '',
      database: 'lists'
    })
    return {
      title: `PgBouncer ${pooler.version}, ${mode} pooling`,
      db: openPostgres(scope, pooler.url),
      plain: server,
      servers: [server]
    }
  }
})

export const pgbouncerTransaction = inMode('transaction', { name: 'pgbouncer' })

/** The deadline of a statement needs a transaction. */
export const pgbouncerStatement = inMode('statement', {
  name: 'pgbouncer-statement',
  refused: /refused: .*pool_mode = transaction.*08P01/
})

/** PgBouncer, and pgpool-II with a standby. Debian's packages are unpacked for them, and not installed. */
import { execFileSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execute } from '../support/oracle/check.js'
import type { Scope } from '../support/servers/pools.js'
import { answers, startDebianPostgres } from '../support/servers/postgres.mjs'
import { asNobody, freePort, giveToNobody, newFolder, startServer, unpack } from '../support/servers/private-server.mjs'
import type { Engine } from './engine.js'
import { openPostgres, versionIn } from './plain.js'

interface Pooler {
  /** The program. */
  name: string
  packages: string[]
  /** @param folder for the files of the pooler */
  configuration(port: number, folder: string): string
  /** Before the name of the file with the configuration. */
  parameters?: string
}

/** Starts a pooler with the database `postgres`. */
async function startPooler(scope: Scope, { name, packages, configuration, parameters = '' }: Pooler) {
  const folder = newFolder(name)
  // Another user may not see the folder of the project.
  const home = join(folder, 'program')
  cpSync(unpack(name, packages), home, { recursive: true })
  const program = `LD_LIBRARY_PATH=${join(home, 'usr/lib/x86_64-linux-gnu')} exec ${join(home, 'usr/sbin', name)}`
  const [port, file, log] = [await freePort(), join(folder, 'configuration'), join(folder, 'log')]
  writeFileSync(file, configuration(port, folder))
  giveToNobody(folder)
  const [command, ...args] = asNobody('sh', '-c', `${program} ${parameters} ${file} 2> ${log}`)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const { stop } = await startServer({ name, command, args, folder, log, url, answers, lastSignal: 'SIGQUIT' })
  scope.teardown(stop)
  const version = versionIn(execFileSync('sh', ['-c', `${program} --version 2>&1`], { encoding: 'utf8' }))
  // A pooler refuses settings in the options of a connection.
  return { db: openPostgres(scope, url, { options: undefined }), version }
}

/** @param user the user of the server, with settings of its own */
const pgbouncer = (mode: string, engine: Pick<Engine, 'name' | 'refused'>, user = 'postgres'): Engine => ({
  ...engine,
  isQuick: true,
  // The cancel request names a session of the pooler, which PostgreSQL does not know.
  leaving: 'stops at the deadline',
  async start(scope, plain) {
    const { url, db: server } = await plain.postgres()
    const { hostname, port } = new URL(url)
    if (user !== 'postgres') await execute(server, ...userOf(user))
    const { db, version } = await startPooler(scope, {
      name: 'pgbouncer',
      packages: ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'],
      configuration: (listenPort) => `
[databases]
postgres = host=${hostname} port=${port} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 4
max_client_conn = 100
`
    })
    const how = user === 'postgres' ? '' : ', one round trip'
    return { title: `PgBouncer ${version}, ${mode} pooling${how}`, db, plain: server, servers: [server] }
  }
})

export const pgbouncerTransaction = pgbouncer('transaction', { name: 'pgbouncer' })

/** Has the settings with which a request makes one round trip. */
const userOf = (user: string) => [
  `create role ${user} login superuser`,
  `alter role ${user} set timezone = 'UTC'`,
  `alter role ${user} set statement_timeout = '10s'`,
  `alter role ${user} set listing.transactions = 'off'`
]

export const pgbouncerDirect = pgbouncer('transaction', { name: 'pgbouncer-direct' }, 'direct')

/** The deadline of a statement needs a transaction. */
export const pgbouncerStatement = pgbouncer('statement', {
  name: 'pgbouncer-statement',
  refused: /refused: .*pool_mode = transaction.*08P01/
})

const backend = ({ hostname, port }: URL, index: number) => `
backend_hostname${index} = '${hostname}'
backend_port${index} = ${port}
backend_flag${index} = 'ALLOW_TO_FAILOVER'
`

/** A transaction of the lists begins with `set_config`, which pgpool-II takes for a write, and sends to the primary. */
const pgpoolConfiguration = (urls: readonly string[], port: number, pcpPort: number, folder: string) => `
listen_addresses = '127.0.0.1'
port = ${port}
socket_dir = '${folder}'
pcp_listen_addresses = '127.0.0.1'
pcp_port = ${pcpPort}
pcp_socket_dir = '${folder}'
pid_file_name = '${folder}/pid'
logdir = '${folder}'
work_dir = '${folder}'
enable_pool_hba = off

backend_clustering_mode = 'streaming_replication'
load_balance_mode = on
${urls.map((url, index) => backend(new URL(url), index)).join('')}
# A dead standby is left out, and taken back when it follows the primary again.
sr_check_period = 1
sr_check_user = 'postgres'
health_check_period = 1
health_check_timeout = 2
health_check_user = 'postgres'
auto_failback = on
auto_failback_interval = 1
`

export const pgpool: Engine = {
  name: 'pgpool',
  // pgpool's session number is not the number of the session on the primary, so the request to cancel has no effect.
  leaving: 'stops at the deadline',
  async start(scope, plain) {
    const { url, db: primary } = await plain.postgres()
    const standby = await startDebianPostgres([], url)
    scope.teardown(standby.stop)
    const pcpPort = await freePort()
    const { db, version } = await startPooler(scope, {
      name: 'pgpool',
      packages: ['pgpool2', 'libpgpool2', 'libmemcached11', 'libhashkit2'],
      configuration: (port, folder) => pgpoolConfiguration([url, standby.url], port, pcpPort, folder),
      parameters: '-n -f'
    })
    return {
      title: `pgpool-II ${version} with a standby`,
      db,
      plain: primary,
      servers: [primary, openPostgres(scope, standby.url)],
      node: { name: 'the standby', die: () => standby.end('SIGKILL'), comeBack: standby.start, othersAnswer: true }
    }
  }
}

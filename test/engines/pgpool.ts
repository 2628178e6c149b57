/** pgpool-II in front of a PostgreSQL with a standby. */
import { startDebianPostgres } from '../support/postgres.mjs'
import { freePort } from '../support/private-server.mjs'
import { openPostgres } from './connect.js'
import type { Engine } from './engine.js'
import { startPooler } from './pooler.js'

const backend = ({ hostname, port }: URL, index: number) => `
backend_hostname${index} = '${hostname}'
backend_port${index} = ${port}
backend_flag${index} = 'ALLOW_TO_FAILOVER'
`

/** A transaction of the lists begins with `set_config`, which pgpool-II takes for a write, and sends to the primary. */
const configuration = (urls: readonly string[], port: number, pcpPort: number, folder: string) => `
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
    const pooler = await startPooler(scope, {
      name: 'pgpool',
      packages: ['pgpool2', 'libpgpool2', 'libmemcached11', 'libhashkit2'],
      configuration: (port, folder) => configuration([url, standby.url], port, pcpPort, folder),
      parameters: '-n -f',
      database: 'postgres'
    })
    return {
      title: `pgpool-II ${pooler.version} with a standby`,
      db: openPostgres(scope, pooler.url),
      plain: primary,
      servers: [primary, openPostgres(scope, standby.url)],
      node: { name: 'the standby', die: () => standby.end('SIGKILL'), comeBack: standby.start, othersAnswer: true }
    }
  }
}

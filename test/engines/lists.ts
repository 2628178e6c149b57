/** A server with the lists on a database, and its clients. */
import listing from '../../src/index.js'
import { textOf } from '../matrix/client.js'
import { build, clientOf, type Host } from '../matrix/host.js'
import { type MatrixRequest, roleOf } from '../matrix/requests.js'
import { listen, send } from '../support/hosts/listening.js'
import { failuresIn, keepLog } from '../support/hosts/log.js'
import type { Db } from '../support/servers/databases.js'
import type { Scope } from '../support/servers/pools.js'
import { slowPayments } from './data.js'

/** Milliseconds. A slow answer is compared too. */
const timeout = 60_000

/** The paths of lists that are too slow for these deadlines, in milliseconds. */
export const slow = { '/slow': 1_500, '/slower': 4_000 }

export type Lists = Awaited<ReturnType<typeof openLists>>

/** @throws Error when the start-up check refuses the database. */
export async function openLists(scope: Scope, db: Db) {
  const resolveRole: Parameters<typeof build>[1]['resolveRole'] = ({ user }) => roleOf(user)
  const { logger, lines } = keepLog('warn')
  const host: Host = {
    name: 'the lists',
    server: { logger },
    after: async (app) => {
      const tables = { payments: slowPayments }
      for (const [prefix, timeout] of Object.entries(slow)) {
        await app.register(listing, { db, resolveRole, prefix, timeout, tables, checkOnReady: 'off' })
      }
    }
  }
  const app = await build(host, { db, resolveRole, timeout })
  scope.teardown(() => app.close())
  await app.ready()
  const warnings = lines.flatMap(({ msg }) => msg.match(/^(- |create index)/gm) ?? []).length
  const { address, port } = await listen(app)
  const client = clientOf(host, address)
  scope.teardown(() => client.close())
  return {
    /** Of the start-up check. */
    warnings,
    lastFailure: () => JSON.stringify({ ...failuresIn(lines).at(-1), at: undefined }),
    /** The answer without the headers that change with the time, and its milliseconds. */
    async ask(request: MatrixRequest) {
      const start = performance.now()
      const answer = await client.ask(request)
      const milliseconds = performance.now() - start
      return { status: answer.status, text: textOf(answer), milliseconds }
    },
    /** Sends a request that is too slow. Returns what makes the client leave. */
    async askSlowly(path: keyof typeof slow) {
      const socket = await send(port, `${path}/payment/list`)
      return () => socket.destroy()
    }
  }
}

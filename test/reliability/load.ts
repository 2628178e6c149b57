/** Answers and latencies at a fixed request rate, with more and more connections, with and without faults. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { expected } from '../support/oracle.js'
import { type FaultyNetwork, startProxy } from '../support/proxy.js'
import { startMysqlLists } from '../support/servers.js'
import { tokenOf } from '../support/tokens.js'
import { admin, practitioner } from '../support/world.js'
import { type HttpAnswer, type Outcome, percentile, put, told } from './clients.js'
import { allowance, problemOf as problem, timeout } from './load-on.js'
import { nodes, startNode } from './node.js'
import { tell, times } from './sizes.js'

const seconds = times(3, 10, 60)
/**
 * The maximum requests per second of all connections together: one per connection, like people who page and type. A
 * machine that also does other work handles fewer, and an overloaded machine says nothing about deadlines.
 */
const fastest = times(50, 50, 200)
t.setTimeout((seconds * 15 + 300) * 1000)

const asks = [
  { path: '/payment/list?search=a', caller: admin },
  { path: '/assessment/list?search=', caller: practitioner },
  { path: '/assessment/list?search=an&page=2&limit=2', caller: admin },
  { path: '/payment/list', caller: practitioner }
].map(({ path, caller }) => ({ path, token: tokenOf(caller), wanted: expected(path, caller) }))

const problemOf = (answer: HttpAnswer, { wanted }: (typeof asks)[number]) => problem(answer, wanted)

const mariadb = await startMysqlLists(t)

/** A node behind a proxy after a warm-up, in which V8 has compiled the code. */
async function nodeBehind(t: Test, port: number) {
  const pool = { host: '127.0.0.1', port, user: 'root', database: 'lists', connectionLimit: 10, connectTimeout: 500 }
  const node = await startNode(t, { pool, timeout })
  await put({ origins: [node.origin], asks, connections: 10, rate: 400, until: sleep(2_000), problemOf })
  return node
}

/** Reports and checks the outcome. */
function judge(t: Test, what: string, outcome: Outcome, lag: number): void {
  const { sent, statuses, latencies, wrong } = outcome
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
  // The percentiles start when a request was due, so that a request that is sent late counts as late.
  const worst = `p50 ${p50} ms, p99 ${p99} ms; slowest answer ${Math.round(outcome.slowest)} ms; ${told(statuses)}`
  t.comment(worst)
  t.comment(`unanswered: ${told(outcome.unanswered)}; the clients' own lag ${Math.round(lag)} ms`)
  t.strictSame(wrong, [])
  t.ok(statuses.get(200), 'some answers are a 200')
  const limit = timeout + allowance
  const inTime = t.ok(outcome.slowest <= limit, `${Math.round(outcome.slowest)} ms are at most ${limit} ms`)
  tell({ what: `load, ${what}`, tried: sent, broken: wrong.length + (inTime ? 0 : 1), worst })
}

/** Runs the load during a fault of the nodes. */
async function loaded(t: Test, origins: string[], connections: number, happens: () => Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const until = Promise.all([happens(), sleep(seconds * 1000)])
  const outcome = await put({ origins, asks, connections, rate: Math.min(connections, fastest), until, problemOf })
  delay.disable()
  judge(t, `${connections} connections, ${t.name}`, outcome, delay.max / 1e6)
  return outcome
}

/** What happens to the network between a node and its database. */
const networks: Record<string, (proxy: FaultyNetwork) => Promise<void>> = {
  'no fault': async () => undefined,
  'a slow network to the database': async (proxy) => {
    await sleep(seconds * 200)
    await proxy.set('slow')
    await sleep(seconds * 600)
    await proxy.set('none')
  },
  'a network that resets connections now and then': async (proxy) => {
    for (let turn = 0; turn < seconds * 2; turn++) {
      await sleep(400)
      await proxy.set('reset')
      await sleep(50)
      await proxy.set('none')
    }
  }
}

for (const connections of [50, 10, 200].slice(0, times(1, 3, 3))) {
  t.test(`${connections} connections`, async (t) => {
    for (const [what, happens] of Object.entries(networks)) {
      await t.test(what, async (t) => {
        const proxy = await startProxy(t, mariadb.address)
        const node = await nodeBehind(t, proxy.port)
        const { statuses, unanswered } = await loaded(t, [node.origin], connections, () => happens(proxy))
        if (what === 'no fault') t.strictSame([...statuses.keys()], [200], 'every answer is a 200')
        t.strictSame([...unanswered], [])
      })
    }

    await t.test('one of two nodes is killed', async (t) => {
      const { port } = mariadb.address
      const nodes = await Promise.all([nodeBehind(t, port), nodeBehind(t, port)])
      const origins = nodes.map(({ origin }) => origin)
      const { unanswered } = await loaded(t, origins, connections, async () => {
        await sleep(seconds * 400)
        await nodes[0]?.kill()
      })
      // Each client of the killed node loses one request. The other node answers the next ones.
      const lost = [...unanswered.values()].reduce((sum, count) => sum + count, 0)
      t.ok(lost > 0 && lost <= connections, `${lost} requests were lost`)
    })
  })
}

t.test('no node crashes', async (t) => {
  t.equal(nodes.crashed, 0)
  tell({ what: 'load: processes that crashed', tried: nodes.started, broken: nodes.crashed })
})

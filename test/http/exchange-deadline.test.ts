/** The deadline of an exchange. */
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { type Exchange, exchangeOf, openExchanges } from '../../src/http/exchange.js'
import { failuresIn } from '../support/log.js'
import { type Options, serve } from '../support/server.js'
import { openWorld, slowPayments } from '../support/tables.js'
import { admin } from '../support/world.js'

const db = await openWorld(t, 'sqlite')

t.test('a deadline as long as a timer can be does not pass at once', async (t) => {
  const { get } = await serve(t, { db, timeout: 2 ** 31 - 1 })
  t.equal((await get('/payment/list', admin)).status, 200)
})

t.test('the time of a request counts from its start, the hooks of the host included', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const timeout = 60_000
  app.addHook('onRequest', () => sleep(100))
  openExchanges(app, timeout)
  app.get('/', async (_request, reply) => {
    const { timeLeft } = (exchangeOf(reply) as Exchange).deadline
    const first = timeLeft()
    await sleep(100)
    return [first, timeLeft()]
  })
  const [first, second] = (await app.inject('/')).json()
  t.ok(first > 0 && first < timeout - 90, `${first} ms after 100`)
  t.ok(second > 0 && second < first - 90, `${second} ms after 100 more`)
})

t.test('the line of a 504 says what the request waited for', async (t) => {
  const never = () => new Promise<never>(() => undefined)
  const mysql = await openWorld(t, 'mysql', { pool: { connectionLimit: 1 } })
  const postgres = await openWorld(t, 'postgres')
  const waits: [waitingFor: string, options: Partial<Options>, before?: (app: FastifyInstance) => unknown][] = [
    ['authenticate', { authenticate: never }],
    ['resolveRole', { resolveRole: never }],
    ['statement', { db: postgres, tables: slowPayments(postgres) }],
    // The hook has used up the time before the plugin's first step.
    ['hook', { authenticate: never }, (app) => app.addHook('onRequest', () => sleep(2_020))],
    ['hook', {}, (app) => app.addHook('preHandler', () => sleep(2_020))]
  ]
  const line = async ([waitingFor, options, before]: (typeof waits)[number]) => {
    const { get, lines } = await serve(
      t,
      { db: mysql, timeout: 2_000, ...options },
      { log: 'warn', ...(before && { before }) }
    )
    t.equal((await get('/payment/list?search=pi', admin)).status, 504, waitingFor)
    const late = failuresIn(lines).filter(({ kind }) => kind === 'timeout')
    t.match(late, [{ waitingFor, milliseconds: Number }])
    t.equal(late.length, 1)
  }
  await Promise.all(waits.map(line))
  await mysql.connection().execute(() => line(['connection', {}]))
})

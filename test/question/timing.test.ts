import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { timingOf } from '../../src/question/timing.js'
import { everything } from '../../src/visibility/grant.js'
import { admin } from '../support/fixtures/world.js'
import { published } from '../support/hosts/published.js'
import { serve } from '../support/hosts/server.js'
import { openWorld } from '../support/servers/tables.js'

t.test('a tracer gets each step of a request, and the log gets all steps in one line', async (t) => {
  const db = await openWorld(t, 'mysql')
  const { get, lines } = await serve(t, { db }, { log: 'debug' })
  const timings = published(t)
  lines.length = 0
  await get('/payment/list?search=p&limit=2', admin)
  const taken = timings.map(({ step }) => step)
  t.match(taken, ['columns', 'matches', 'matches', 'page'])
  for (const timing of timings) {
    t.match(timing, { requestId: String, list: 'payments', reach: 'all', milliseconds: Number, failed: false })
  }
  const found = lines.filter(({ msg }) => msg === 'Found.')
  const steps = { columns: Number, matches: Number, page: Number }
  t.match(found, [{ level: 20, reqId: String, list: 'payments', reach: 'all', durations: steps }])
  t.notMatch(JSON.stringify(found), /search|select/)
})

t.test('a failed step is published as failed and rejects with its error', async (t) => {
  const timings = published(t)
  const { timed, durations } = timingOf('r1', 'payments', [{ column: 'user_id' }])
  const error = new Error('secret')
  await t.rejects(
    timed('page', () => Promise.reject(error)),
    error
  )
  t.match(timings, [{ requestId: 'r1', list: 'payments', reach: 'own', step: 'page', failed: true }])
  t.notMatch(JSON.stringify(timings), /secret/)
  t.match(durations, { page: Number })
})

t.test('a step that runs twice has the sum of both times', async (t) => {
  const { timed, durations } = timingOf('r1', 'payments', everything)
  const wait = () => sleep(20)
  await timed('matches', wait)
  const { matches: once = 0 } = durations
  await timed('matches', wait)
  t.ok(Number(durations.matches) >= once + 15)
  t.equal(await timed('total', async () => 5), 5)
})

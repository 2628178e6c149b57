import diagnostics from 'node:diagnostics_channel'
import type { FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { type StepTiming, timingOf } from '../../src/query/timing.js'
import { openDatabase } from '../support/databases.js'
import { serve } from '../support/server.js'
import { fill } from '../support/world.js'

const admin = { userId: 20, role: 'Admin' }

/** What is published while a test runs. */
function published(t: Test): StepTiming[] {
  const timings: StepTiming[] = []
  const listen = (message: unknown) => void timings.push(message as StepTiming)
  diagnostics.subscribe('fastify-assessment-payment-listing:step', listen)
  t.teardown(() => diagnostics.unsubscribe('fastify-assessment-payment-listing:step', listen))
  return timings
}

t.test('tracers hear of each step of a request, the log of all in one line', async (t) => {
  const db = await openDatabase(t, 'mysql')
  await fill(db)
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const { get } = await serve(t, { db }, { server: { logger: { level: 'debug', stream } } })
  const timings = published(t)
  lines.length = 0
  await get('/assessment/list?search=a&page=2&limit=2', admin)
  t.match(
    timings.map(({ step }) => step),
    ['columns', 'columns', 'matches', 'total', 'page']
  )
  for (const timing of timings) {
    t.match(timing, { requestId: String, list: 'assessments', reach: 'all', milliseconds: Number, failed: false })
  }
  const found = lines.filter(({ msg }) => msg === 'Found.')
  const steps = { columns: Number, matches: Number, total: Number, page: Number }
  t.match(found, [{ level: 20, reqId: String, list: 'assessments', reach: 'all', milliseconds: steps }])
  t.notMatch(JSON.stringify(found), /search|select/)
})

t.test('a step that fails is told, and ends as it did', async (t) => {
  const timings = published(t)
  const { timed, durations } = timingOf({ id: 'r1' } as FastifyRequest, 'payments', 'own')
  const error = new Error('secret')
  await t.rejects(
    timed('page', () => Promise.reject(error)),
    error
  )
  t.match(timings, [{ requestId: 'r1', list: 'payments', reach: 'own', step: 'page', failed: true }])
  t.notMatch(JSON.stringify(timings), /secret/)
  t.match(durations, { page: Number })
})

t.test('the times of a step that is taken twice are added', async (t) => {
  const { timed, durations } = timingOf({ id: 'r1' } as FastifyRequest, 'payments', 'all')
  const wait = () => new Promise((resolve) => setTimeout(resolve, 20))
  await timed('matches', wait)
  const { matches: once = 0 } = durations
  await timed('matches', wait)
  t.ok(Number(durations.matches) >= once + 15)
  t.equal(await timed('total', async () => 5), 5)
})

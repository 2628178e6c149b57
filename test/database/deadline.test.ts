import { getEventListeners } from 'node:events'
import t from 'tap'
import { race, startDeadline, withinDeadline } from '../../src/database/deadline.js'
import { Failure } from '../../src/errors/failure.js'
import { collect } from '../reliability/heap.js'
import { admin } from '../support/fixtures/world.js'
import { serve } from '../support/hosts/server.js'
import { openWorld } from '../support/servers/tables.js'

const never = () => new Promise<never>(() => undefined)
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

t.test('work that ends in time gives its result, and leaves no timer and no listener', async (t) => {
  const { signal } = new AbortController()
  const before = timers()
  const result = await withinDeadline(60_000, [signal], async ({ timeLeft, over }) => {
    t.ok(timeLeft() > 59_000 && timeLeft() <= 60_000)
    t.notOk(over?.aborted)
    return 'result'
  })
  t.equal(result, 'result')
  const listeners = () => getEventListeners(signal, 'abort').length
  await Promise.all(Array.from({ length: 100 }, () => withinDeadline(60_000, [signal], async () => undefined)))
  // Node.js would keep a signal of `AbortSignal.any` in memory.
  t.equal(listeners(), 0)
  t.ok(timers() <= before)
})

t.test('a signal keeps nothing of a call that has ended', async (t) => {
  const { signal } = new AbortController()
  let over: WeakRef<object> | undefined
  await withinDeadline(60_000, [signal], async (deadline) => {
    over = new WeakRef(Object(deadline.over))
  })
  for (let time = 0; time < 3; time++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  t.equal(over?.deref(), undefined)
})

t.test('the deadline ends the work with a 504', async (t) => {
  let left = 1
  const work = withinDeadline(20, [], async ({ timeLeft, over }) => {
    over?.addEventListener('abort', () => {
      left = timeLeft()
    })
    await never()
  })
  await t.rejects(work, { message: 'The deadline passed.', statusCode: 504, kind: 'timeout' })
  t.ok(left <= 0)
})

t.test('each signal ends the work with a 499', async (t) => {
  for (const place of [0, 1]) {
    const ends = [new AbortController(), new AbortController()]
    const work = withinDeadline(
      60_000,
      ends.map(({ signal }) => signal),
      async ({ timeLeft }) => {
        ends[place]?.abort()
        t.equal(timeLeft(), 0)
        await never()
      }
    )
    await t.rejects(work, { statusCode: 499, message: 'The signal of the call was aborted.' })
  }
})

t.test('an aborted signal runs no work', async (t) => {
  let ran = false
  const work = withinDeadline(60_000, [AbortSignal.abort()], async () => {
    ran = true
  })
  await t.rejects(work, { message: 'The signal of the call was aborted.', statusCode: 499 })
  t.notOk(ran)
})

t.test('a race keeps neither the result nor the error of late work', async (t) => {
  const end = new AbortController()
  let fail = (_error: Error) => {}
  const late = race(
    end.signal,
    () =>
      new Promise((_resolve, reject) => {
        fail = reject
      })
  )
  end.abort(new Error('over'))
  await t.rejects(late, { message: 'over' })
  fail(new Error('late'))
  t.strictSame(getEventListeners(end.signal, 'abort'), [])
  await t.rejects(race(end.signal, never), { message: 'over' })
})

t.test('a deadline that has ended keeps no timer', async (t) => {
  const before = timers()
  const ended = startDeadline(60_000)
  const closed = startDeadline(60_000)
  t.equal(timers(), before + 2)
  ended.end(new Failure('aborted', 'x'))
  closed.close()
  t.equal(timers(), before)
  t.equal(ended.timeLeft(), 0)
})

const db = await openWorld(t, 'sqlite')

t.test('a deadline as long as a timer can be does not pass at once', async (t) => {
  const { get } = await serve(t, { db, timeout: 2 ** 31 - 1 })
  t.equal((await get('/payment/list', admin)).status, 200)
})

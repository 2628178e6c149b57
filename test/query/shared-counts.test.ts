import t from 'tap'
import type { Statement } from '../../src/database/parameter.js'
import { Failure } from '../../src/errors/failure.js'
import { sharedCounts } from '../../src/query/shared-counts.js'
import { patient } from '../support/session.js'

/** Counts that the test settles, in the order in which they started. */
function controlled() {
  const started: { end(total: number): void; fail(error: Error): void }[] = []
  const count = () =>
    new Promise<number>((resolve, reject) => {
      started.push({ end: resolve, fail: reject })
    })
  const at = (index: number) => {
    const count = started[index]
    if (!count) throw new Error(`Count ${index} has not started.`)
    return count
  }
  return { count, started, at }
}

/** The session of a request of a database. */
const on = (shareable: object | undefined, deadline = patient) => ({ shareable, deadline })

/** Shared counts of one database, which the test settles. */
const sharing = () => ({ share: sharedCounts(), session: on({}), ...controlled() })

/** Runs the callbacks of all settled promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

const statement = (sql = 'select count(*)', parameters: readonly unknown[] = []): Statement => ({ sql, parameters })

t.test('a caller who arrives during a count gets the total of the next count', async (t) => {
  const { share, session, count, started, at } = sharing()
  const first = share(session, statement(), count)
  const second = share(session, statement(), count)
  const third = share(session, statement(), count)
  await settle()
  t.equal(started.length, 1, 'the next count waits for the running count')

  at(0).end(1)
  t.equal(await first, 1)
  await settle()
  t.equal(started.length, 2, 'the two waiting callers share one count')

  const fourth = share(session, statement(), count)
  await settle()
  t.equal(started.length, 2)
  at(1).end(2)
  t.strictSame(await Promise.all([second, third]), [2, 2])
  await settle()
  t.equal(started.length, 3, 'a caller who arrived during that count gets another count')
  at(2).end(3)
  t.equal(await fourth, 3)
})

t.test('a count starts after the previous count has ended', async (t) => {
  const share = sharedCounts()
  const session = on({})
  let running = 0
  let most = 0
  let counts = 0
  const count = async () => {
    most = Math.max(most, ++running)
    await settle()
    running--
    return ++counts
  }
  const totals: Promise<number>[] = []
  for (let index = 0; index < 50; index++) {
    totals.push(share(session, statement(), count))
    if (index % 3 === 0) await settle()
  }
  const ended = await Promise.all(totals)
  t.equal(most, 1)
  t.strictSame(
    ended,
    ended.toSorted((a, b) => a - b),
    'a later caller never gets an older total'
  )
  t.ok(counts < totals.length, 'some counts were shared')
  t.equal(ended.at(-1), counts)
})

t.test('the next count runs the function of the first caller who joins it', async (t) => {
  const share = sharedCounts()
  const session = on({})
  const first = controlled()
  const total = share(session, statement(), first.count)
  const second = share(session, statement(), async () => 2)
  const third = share(session, statement(), async () => 3)
  first.at(0).end(1)
  t.strictSame(await Promise.all([total, second, third]), [1, 2, 2])
})

t.test('a failed count rejects only the callers who share it, and the next count runs', async (t) => {
  const { share, session, count, started, at } = sharing()
  const first = share(session, statement(), count)
  const second = share(session, statement(), count)
  const third = share(session, statement(), count)

  at(0).fail(new Error('first'))
  await t.rejects(first, { message: 'first' })
  await settle()
  t.equal(started.length, 2)

  const fourth = share(session, statement(), count)
  at(1).fail(new Error('second'))
  await t.rejects(second, { message: 'second' })
  await t.rejects(third, { message: 'second' })
  await settle()
  at(2).end(4)
  t.equal(await fourth, 4)
})

t.test('a caller starts a count at once if none runs', async (t) => {
  const { share, session, count, started, at } = sharing()

  const alone = share(session, statement(), count)
  t.equal(started.length, 1, 'without other callers')
  at(0).end(1)
  t.equal(await alone, 1)
  await settle()
  const first = share(session, statement(), count)
  t.equal(started.length, 2, 'after a count that nobody joined')

  const joined = share(session, statement(), count)
  at(1).end(2)
  await first
  await settle()
  at(2).end(3)
  t.equal(await joined, 3)
  await settle()
  const failing = share(session, statement(), count)
  t.equal(started.length, 4, 'after a count that was joined')

  at(3).fail(new Error('gone'))
  await t.rejects(failing)
  await settle()
  const last = share(session, statement(), count)
  t.equal(started.length, 5, 'after a count that failed')
  at(4).end(5)
  t.equal(await last, 5)
})

t.test('a caller who arrives in the tick in which a count ends gets a count that starts later', async (t) => {
  const { share, session, count, started, at } = sharing()
  const first = share(session, statement(), count)
  at(0).end(1)
  const second = share(session, statement(), count)
  t.equal(await first, 1)
  await settle()
  t.equal(started.length, 2)
  at(1).end(2)
  t.equal(await second, 2)
})

// The test of `keyOfStatement` has the kinds of parameters.
t.test('only equal statements of one database and one list share a count', (t) => {
  const database = {}
  const startedBy = (
    one: [database: object | undefined, statement: Statement],
    other: [database: object | undefined, statement: Statement],
    share = sharedCounts(),
    shareOfOther = share
  ) => {
    let started = 0
    const count = async () => ++started
    void share(on(one[0]), one[1], count)
    void shareOfOther(on(other[0]), other[1], count)
    return started
  }
  const one = statement('s', ['1'])
  t.equal(startedBy([database, one], [database, statement('s', ['1'])]), 1)
  t.equal(startedBy([database, one], [database, statement('s', [1])]), 2, 'another parameter')
  t.equal(startedBy([database, one], [database, statement('t', ['1'])]), 2, 'another statement')
  const date = statement('s', [new Date(0)])
  t.equal(startedBy([database, date], [database, date]), 2, 'a parameter that is an object')
  t.equal(startedBy([database, one], [{}, one]), 2, 'another database')
  t.equal(startedBy([undefined, one], [undefined, one]), 2, 'databases whose counts are not shared')
  t.equal(startedBy([database, one], [database, one], sharedCounts(), sharedCounts()), 2, 'another list')
  t.end()
})

t.test(
  'requests with time left join the next count if the shared count ends at the deadline of its starter',
  async (t) => {
    const { share, session, count, started, at } = sharing()
    const waits: string[] = []
    const onWait = (what: string) => void waits.push(what)
    const first = share(session, statement(), count)
    const starter = share(on(session.shareable, { timeLeft: () => 0 }), statement(), count)
    const joined = share(on(session.shareable, { ...patient, onWait }), statement(), count)
    at(0).end(1)
    await first
    await settle()
    at(1).fail(new Failure('timeout', 'The deadline passed.'))
    await t.rejects(starter, { kind: 'timeout' } as never, 'no time is left')
    await settle()
    t.equal(started.length, 3)
    at(2).end(5)
    t.equal(await joined, 5)
    t.strictSame(waits, ['statement', 'statement'])
  }
)

t.test('a request does not repeat a count of its own that the database ends', async (t) => {
  const { share, session, count, started, at } = sharing()
  const first = share(session, statement(), count)
  const joined = share(session, statement(), count)
  at(0).fail(new Failure('timeout', 'Query execution was interrupted'))
  await t.rejects(first, { kind: 'timeout' } as never)
  await settle()
  t.equal(started.length, 2, 'the other request starts the next count')
  at(1).fail(new Failure('timeout', 'Query execution was interrupted'))
  await t.rejects(joined, { kind: 'timeout' } as never)
  await settle()
  t.equal(started.length, 2)
})

t.test('a count that never ends holds up other requests only until the deadline of its starter', async (t) => {
  const { share, session, count, started, at } = sharing()
  const starter = share(on(session.shareable, { timeLeft: () => 20 }), statement(), count)
  const joined = share(session, statement(), count)
  await t.rejects(starter, { kind: 'timeout' } as never)
  await settle()
  t.equal(started.length, 2)
  at(1).end(7)
  t.equal(await joined, 7)
})

t.test('a request that joins no count does not wait', async (t) => {
  const waits: string[] = []
  const session = { shareable: undefined, deadline: { ...patient, onWait: (what: string) => waits.push(what) } }
  t.equal(await sharedCounts()(session, statement(), async () => 3), 3)
  t.strictSame(waits, [])
})

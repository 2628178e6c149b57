import t from 'tap'
import { offsetOf } from '../../src/query/paging.js'
import { type Count, type CountStatement, provenTotal, type ShareCount, sharedCounts } from '../../src/query/total.js'

t.test('a page proves the total if it has records and is not full, or if it is an empty first page', (t) => {
  let proofs = 0
  const wrong: unknown[] = []
  for (let total = 0; total <= 20; total++) {
    for (let limit = 1; limit <= 7; limit++) {
      for (let page = 1; page <= 23; page++) {
        const records = Math.max(0, Math.min(limit, total - offsetOf({ page, limit })))
        const proven = provenTotal({ page, limit }, records)
        // A full page may have pages after it. An empty page may be past the end.
        const expected = (records > 0 && records < limit) || (records === 0 && page === 1) ? total : undefined
        if (proven !== expected) wrong.push({ total, limit, page, proven })
        if (proven !== undefined) proofs++
      }
    }
  }
  t.strictSame(wrong, [])
  t.ok(proofs > 0)
  t.end()
})

/** Counts that the test settles, in the order in which they started. */
function controlled() {
  const started: { end(total: number): void; fail(error: Error): void }[] = []
  const count: Count = () =>
    new Promise((resolve, reject) => {
      started.push({ end: resolve, fail: reject })
    })
  const at = (index: number) => {
    const count = started[index]
    if (!count) throw new Error(`Count ${index} has not started.`)
    return count
  }
  return { count, started, at }
}

/** Shared counts of one database, which the test settles. */
const sharing = () => ({ share: sharedCounts(), database: {}, ...controlled() })

/** Runs the callbacks of all settled promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

const statement = (sql = 'select count(*)', parameters: readonly unknown[] = []): CountStatement => ({
  sql,
  parameters
})

/** The number of counts that two simultaneous callers start. */
function startedBy(share: ShareCount, ...callers: [database: object | undefined, statement: CountStatement][]): number {
  const { count, started } = controlled()
  for (const [database, statement] of callers) void share(database, statement, count)
  return started.length
}

t.test('a count without other callers starts at once and gives its total', async (t) => {
  const { count, started, at } = controlled()
  const total = sharedCounts()({}, statement(), count)
  t.equal(started.length, 1)
  at(0).end(42)
  t.equal(await total, 42)
})

t.test('a caller who arrives during a count gets the total of the next count', async (t) => {
  const { share, database, count, started, at } = sharing()
  const first = share(database, statement(), count)
  const second = share(database, statement(), count)
  const third = share(database, statement(), count)
  await settle()
  t.equal(started.length, 1, 'the next count waits for the running count')

  at(0).end(1)
  t.equal(await first, 1)
  await settle()
  t.equal(started.length, 2, 'the two waiting callers share one count')

  const fourth = share(database, statement(), count)
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
  const database = {}
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
    totals.push(share(database, statement(), count))
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
  const database = {}
  const first = controlled()
  const total = share(database, statement(), first.count)
  const second = share(database, statement(), async () => 2)
  const third = share(database, statement(), async () => 3)
  first.at(0).end(1)
  t.strictSame(await Promise.all([total, second, third]), [1, 2, 2])
})

t.test('a failed count rejects only the callers who share it, and the next count runs', async (t) => {
  const { share, database, count, started, at } = sharing()
  const first = share(database, statement(), count)
  const second = share(database, statement(), count)
  const third = share(database, statement(), count)

  at(0).fail(new Error('first'))
  await t.rejects(first, { message: 'first' })
  await settle()
  t.equal(started.length, 2)

  const fourth = share(database, statement(), count)
  at(1).fail(new Error('second'))
  await t.rejects(second, { message: 'second' })
  await t.rejects(third, { message: 'second' })
  await settle()
  at(2).end(4)
  t.equal(await fourth, 4)
})

t.test('the next caller after a count has ended starts a count at once', async (t) => {
  const { share, database, count, started, at } = sharing()

  const alone = share(database, statement(), count)
  at(0).end(1)
  await alone
  await settle()
  const first = share(database, statement(), count)
  t.equal(started.length, 2, 'after a count that nobody joined')

  const joined = share(database, statement(), count)
  at(1).end(2)
  await first
  await settle()
  at(2).end(3)
  t.equal(await joined, 3)
  await settle()
  const failing = share(database, statement(), count)
  t.equal(started.length, 4, 'after a count that was joined')

  at(3).fail(new Error('gone'))
  await t.rejects(failing)
  await settle()
  const last = share(database, statement(), count)
  t.equal(started.length, 5, 'after a count that failed')
  at(4).end(5)
  t.equal(await last, 5)
})

t.test('a caller who arrives in the tick in which a count ends gets a count that starts later', async (t) => {
  const { share, database, count, started, at } = sharing()
  const first = share(database, statement(), count)
  at(0).end(1)
  const second = share(database, statement(), count)
  t.equal(await first, 1)
  await settle()
  t.equal(started.length, 2)
  at(1).end(2)
  t.equal(await second, 2)
})

t.test('a caller who asks again right after a count joins the waiting callers', async (t) => {
  const { share, database, count, started, at } = sharing()
  const again = share(database, statement(), count).then(() => share(database, statement(), count))
  const waiting = share(database, statement(), count)
  at(0).end(1)
  await settle()
  t.equal(started.length, 2)
  at(1).end(2)
  t.strictSame(await Promise.all([again, waiting]), [2, 2])
})

t.test('equal statements on one database share a count, even with new parameter objects', (t) => {
  const database = {}
  const same: [kind: string, parameters: () => unknown[]][] = [
    ['none', () => []],
    ['text', () => ['a', '']],
    ['numbers', () => [1, -1.5]],
    ['null', () => [null]],
    ['bigints', () => [12345678901234567890n]],
    ['buffers', () => [Buffer.from('é')]]
  ]
  for (const [kind, parameters] of same) {
    const started = startedBy(
      sharedCounts(),
      [database, statement('s', parameters())],
      [database, statement('s', parameters())]
    )
    t.equal(started, 1, kind)
  }
  t.end()
})

t.test('counts with another statement, database or parameter are not shared', (t) => {
  const long = 'x'.repeat(60)
  const database = {}
  const different: [kind: string, one: [object, CountStatement], other: [object, CountStatement]][] = [
    ['statement', [database, statement('a')], [database, statement('b')]],
    ['database', [{}, statement('a')], [{}, statement('a')]],
    ...(
      [
        ['number of parameters', [1], [1, 1]],
        ['order of parameters', [1, 2], [2, 1]],
        ['text', ['a'], ['b']],
        ['case of text', ['a'], ['A']],
        ['text at its end', [`${long}a`], [`${long}b`]],
        ['text and number', ['1'], [1]],
        ['text and null', ['null'], [null]],
        ['text and buffer', ['a'], [Buffer.from('a')]],
        ['bigint', [1n], [2n]],
        ['bigint beyond exact numbers', [9007199254740992n], [9007199254740993n]],
        ['bigint and number', [1n], [1]],
        ['bigint and text', [1n], ['1']],
        ['buffer', [Buffer.from('a')], [Buffer.from('b')]],
        ['buffer past byte 50', [Buffer.from(`${long}a`)], [Buffer.from(`${long}b`)]],
        ['length of buffer', [Buffer.from(long)], [Buffer.from(`${long}x`)]],
        ['border between parameters', ['a","b'], ['a', 'b']],
        ['border between statement and parameters', ['a'], [['a']]]
      ] satisfies [string, unknown[], unknown[]][]
    ).map(([kind, one, other]): [string, [object, CountStatement], [object, CountStatement]] => [
      kind,
      [database, statement('s', one)],
      [database, statement('s', other)]
    ])
  ]
  for (const [kind, one, other] of different) t.equal(startedBy(sharedCounts(), one, other), 2, kind)
  t.end()
})

t.test('counts that are not shared each give their own total', async (t) => {
  const share = sharedCounts()
  const database = {}
  const totals = [1, 2, 3].map((total) => share(database, statement('s', [total]), async () => total))
  t.strictSame(await Promise.all(totals), [1, 2, 3])
})

t.test('counts without a database are not shared', async (t) => {
  const share = sharedCounts()
  const { count, started, at } = controlled()
  const totals = [share(undefined, statement(), count), share(undefined, statement(), count)]
  t.equal(started.length, 2)
  at(0).end(1)
  at(1).end(2)
  t.strictSame(await Promise.all(totals), [1, 2])
})

t.test('two lists do not share their counts', (t) => {
  const { count, started } = controlled()
  const database = {}
  void sharedCounts()(database, statement(), count)
  void sharedCounts()(database, statement(), count)
  t.equal(started.length, 2)
  t.end()
})

t.test('statements with parameters that only look alike do not share a count', (t) => {
  for (const [one, other] of [
    [1n, { bigint: '1' }],
    [Number.NaN, null],
    [undefined, null],
    ['1', 1],
    [1, 1n],
    [new Date(0), new Date(0).toISOString()],
    [Buffer.from('a'), Buffer.from('a').toJSON()],
    [new Date(0), new Date(0)]
  ]) {
    const database = {}
    t.equal(startedBy(sharedCounts(), [database, statement('x', [one])], [database, statement('x', [other])]), 2)
  }
  t.end()
})

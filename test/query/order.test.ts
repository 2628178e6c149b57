import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import t from 'tap'
import { sourceOf } from '../../src/database/source.js'
import { assessments } from '../../src/lists/assessments.js'
import type { List } from '../../src/lists/list.js'
import { payments } from '../../src/lists/payments.js'
import { type Find, finder } from '../../src/query/find.js'
import { isMany, type Matches, measured, orderOf } from '../../src/query/order.js'
import { spanOf } from '../../src/query/paging.js'
import { databases, openDatabase } from '../support/databases.js'
import { type Data, expected } from '../support/oracle.js'
import { openWorld } from '../support/tables.js'

const few: Matches = { users: ['1', '2'], records: [] }
const manyUsers: Matches = { users: 'many', records: [] }
const manyRecords: Matches = { users: [], records: 'many' }

t.test('there are many matches if there are many matching users or many matching records', (t) => {
  t.notOk(isMany(undefined))
  t.notOk(isMany(few))
  t.ok(isMany(manyUsers))
  t.ok(isMany(manyRecords))
  t.end()
})

t.test('the thresholds are the measured ones, and a new number needs a new measurement', (t) => {
  t.strictSame(measured, {
    maxInlinedIds: 5000,
    maxShortTerm: 2,
    shareOfWholeLookup: 0.025,
    shareOfPartLookup: 0.1,
    minMatches: 5000,
    minMatchesPerRow: 50,
    scanBudget: 0.25,
    minScanTime: 10
  })
  t.end()
})

t.test('the order newest needs many matches and a page near an end of the list', (t) => {
  const order = (page: number, total: number, matches?: Matches) =>
    orderOf(spanOf({ page, limit: 10 }, total), total, matches, measured)
  t.equal(order(1, 5001, manyUsers), 'newest')
  t.equal(order(1, 5000, manyUsers), 'sorted', 'all matches may be old')
  t.equal(order(11, 5500, manyRecords), 'newest')
  t.equal(order(12, 5500, manyRecords), 'sorted')
  t.equal(order(550, 5500, manyUsers), 'newest', 'the last page, from the other end')
  t.equal(order(1, 1_000_000, few), 'free')
  t.equal(order(1, 1_000_000), 'free', 'no search')
  t.end()
})

/** Different user ids that are equal in some collations. */
const texts = { ids: ['u1', 'U1', 'ü1', 'u1 ', 'u2', '2', '02', 'x!', '%', "o'"], type: 'varchar(20)' }
const numbers = { ids: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '9007199254740993'], type: 'bigint' }

const pick = <Value>(values: readonly Value[], at: number): Value => values[at % values.length] as Value
const names = ['ab', 'b', 'Abba', 'c', '']
const states = ['completed', 'pending', 'reserved']
/** Each set of thresholds allows other read plans. */
const thresholds = [
  {
    maxInlinedIds: 0,
    maxShortTerm: 0,
    shareOfWholeLookup: 0.025,
    shareOfPartLookup: 0.1,
    minMatches: 0,
    minMatchesPerRow: 0,
    scanBudget: 0,
    minScanTime: 1000
  },
  {
    maxInlinedIds: 2,
    maxShortTerm: 2,
    shareOfWholeLookup: 0.025,
    shareOfPartLookup: 0.1,
    minMatches: 5,
    minMatchesPerRow: 2,
    scanBudget: 0,
    minScanTime: 1000
  },
  {
    maxInlinedIds: 5,
    maxShortTerm: 1,
    shareOfWholeLookup: 1e6,
    shareOfPartLookup: 1e6,
    minMatches: 20,
    minMatchesPerRow: 1,
    scanBudget: 0,
    minScanTime: 1
  },
  {
    maxInlinedIds: 100,
    maxShortTerm: 0,
    shareOfWholeLookup: 1e6,
    shareOfPartLookup: 1e6,
    minMatches: 0,
    minMatchesPerRow: 3,
    scanBudget: 0,
    minScanTime: 1000
  }
]

/** Dozens of records. Many share their second, and some have an unknown user. */
function dataOf(ids: readonly string[]): Data {
  const records = Array.from({ length: 60 }, (_, at) => ({
    id: 100 + at,
    user_id: at % 13 === 5 ? null : pick(ids, at * at + (at >> 2)),
    status: pick(states, at >> 1),
    payment_intent: `pi_${pick(names, at + 2)}${at % 7}`,
    created_at: `2024-01-0${1 + (at % 4)} 00:00:00`
  }))
  return {
    // The last id has no row: an unknown user.
    users: ids.slice(0, -1).map((id, at) => ({
      user_id: id,
      first_name: pick(names, at),
      last_name: pick(names, at * 3 + 1),
      email: `${pick(names, at + 3)}${at}@example.org`,
      avatar_url: null
    })),
    memberships: [],
    links: ids.slice(0, 6).map((_id, at) => ({ owner_id: pick(ids, at >> 1), user_id: pick(ids, at + 3) })),
    assessments: records.map(({ id, user_id, status, created_at }) => ({
      assessment_id: id,
      licence: '',
      assessment_type: '',
      user_id,
      practitioner_id: null,
      status,
      date_assignment: null,
      date_conclusion: null,
      created_at
    })),
    payments: records.map(({ id, user_id, status, payment_intent, created_at }) => ({
      payment_id: id,
      user_id,
      amount: 1,
      quantity: 1,
      payment_intent,
      paid_at: null,
      payment_method: '',
      payment_status: '',
      processor_status: status,
      created_at
    }))
  }
}

const requests = fc.record({
  list: fc.constantFrom('assessments' as const, 'payments' as const),
  reach: fc.constantFrom('all' as const, 'all' as const, 'all' as const, 'linked' as const, 'own' as const),
  caller: fc.nat(9),
  search: fc.constantFrom(undefined, 'a', 'B', 'ab', 'pi_', '6', '@', 'x', 'nobody', '%'),
  state: fc.constantFrom(undefined, undefined, ...states),
  page: fc.integer({ min: 1, max: 9 }),
  limit: fc.constantFrom(1, 3, 10, 50),
  thresholds: fc.nat(3)
})

for (const name of databases) {
  for (const { ids, type } of [numbers, texts]) {
    t.test(`every read plan gives the same page and total on ${name}, ids of type ${type}`, async (t) => {
      const orders = new Set<string>()
      const db = await openDatabase(t, name, {
        onQuery: ({ sql }) => {
          if (/ as k\b/.test(sql)) orders.add(/order by coalesce/.test(sql) ? 'sorted' : 'in order')
          if (/order by r?\W*created_at\W* asc/.test(sql.replaceAll('"', '').replaceAll('`', '')))
            orders.add('backwards')
          if (/where .*(coalesce\(.r.\..user_id., null\)|limit 1\) = 1)/s.test(sql)) orders.add('newest')
          if (/count\(\*\) over \(\)/.test(sql)) orders.add('with total')
        }
      })
      const data = dataOf(ids)
      const run = (statement: string) => sql.raw(statement).execute(db)
      await run(
        `create table users (user_id ${type}, first_name varchar(9), last_name varchar(9), email varchar(40), avatar_url varchar(9))`
      )
      await run(`create table memberships (user_id ${type}, org_name varchar(9))`)
      await run(`create table links (owner_id ${type}, user_id ${type})`)
      const id = type === 'bigint' ? 'integer' : 'varchar(20)'
      // Record ids are text if user ids are text.
      const stored = (id: unknown) => (type === 'bigint' ? String(id) : `r${id}`)
      await run(
        `create table assessments (assessment_id ${id} primary key, licence varchar(9), assessment_type varchar(9), user_id ${type}, practitioner_id ${type}, status varchar(9), date_assignment varchar(20), date_conclusion varchar(20), created_at varchar(20))`
      )
      await run(
        `create table payments (payment_id ${id} primary key, user_id ${type}, amount integer, quantity integer, payment_intent varchar(20), paid_at varchar(20), payment_method varchar(9), payment_status varchar(9), processor_status varchar(9), created_at varchar(20))`
      )
      const { assessments: assessed, payments: paid, users, links } = data
      const tables = {
        users,
        links,
        assessments: assessed.map((row) => ({ ...row, assessment_id: stored(row.assessment_id) })),
        payments: paid.map((row) => ({ ...row, payment_id: stored(row.payment_id) }))
      }
      for (const [table, rows] of Object.entries(tables)) await db.insertInto(table).values(rows).execute()
      const source = sourceOf(db as never, {})

      // Later requests reuse the cached statements of earlier ones.
      const findersOf = (list: List) => thresholds.map((each) => finder(list, { shareTotals: false }, each))
      const finders = { assessments: findersOf(assessments), payments: findersOf(payments) }
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const { list, reach, caller, search, state, page, limit } = request
          const filter = list === 'assessments' ? 'status' : 'processor_status'
          const find = finders[list][request.thresholds]
          if (!find) throw new Error('There are no such thresholds.')
          const parameters = { ...(search && { search }), ...(state && { [filter]: state }) }
          const asking = { userId: pick(ids, caller), role: '' }
          const asked = {
            caller: asking,
            reach,
            page: { page, limit },
            parameters,
            timeLeft: () => 10_000,
            timed: <Result>(_step: string, run: () => Promise<Result>) => run()
          }
          const { items, total } = await find(asked, source)
          const query = new URLSearchParams({ ...parameters, page: String(page), limit: String(limit) })
          const wanted = expected(`/${list.slice(0, -1)}/list?${query}`, { ...asking, reach }, data)
          const id = list === 'assessments' ? 'assessment_id' : 'payment_id'
          const records = wanted.items?.map((item) => ({ ...item, [id]: stored(item[id]) }))
          t.strictSame({ total, items }, { total: wanted.total, items: records }, JSON.stringify(request))
        }),
        { numRuns: 250 }
      )
      t.strictSame(
        [...orders].sort(),
        name === 'mysql' ? ['backwards', 'in order', 'newest', 'sorted', 'with total'] : ['backwards', 'in order'],
        'each read plan was used'
      )
    })
  }
}

// Only MySQL and MariaDB get optimizer hints.
if (databases.includes('mysql')) {
  t.test('a scan from the newest record stops at its budget, and the next statement sorts the matches', async (t) => {
    const orders: string[] = []
    let timeLeft = 10_000
    let leftOnWalk = timeLeft
    const db = await openWorld(t, 'mysql', {
      onQuery: ({ sql }) => {
        if (!/ as k\b/.test(sql)) return
        orders.push(/order by coalesce/.test(sql) ? 'sorted' : 'newest')
        timeLeft = leftOnWalk
      }
    })
    // This takes milliseconds for each record.
    const slow = db
      .selectFrom('assessments')
      .selectAll()
      .where(sql<boolean>`benchmark(20000, sha2(assessment_id, 256)) = 0`)
    const source = sourceOf(db as never, { assessments: slow as never })
    const find = (minScanTime: number, maxShortTerm = 0, scanBudget = 0) =>
      finder(
        assessments,
        { shareTotals: false },
        { ...measured, maxInlinedIds: 0, maxShortTerm, scanBudget, minScanTime }
      )(
        {
          caller: { userId: '20', role: 'Admin' },
          reach: 'all',
          page: { page: 1, limit: 3 },
          parameters: { search: 'a' },
          timeLeft: () => timeLeft,
          timed: (_step, run) => run()
        },
        source
      )
    const patient = await find(1000)
    t.strictSame(orders.splice(0), ['newest'])
    t.strictSame(await find(1), patient, 'the same page')
    t.strictSame(orders.splice(0), ['newest', 'sorted'])
    t.strictSame(await find(1, 1), patient, 'the same page for a short term')
    t.strictSame(orders.splice(0), ['newest', 'sorted'], 'a second scan would have the same time')
    t.strictSame(await find(1, 1, 1e6), patient, 'the same page after a second scan')
    t.strictSame(orders.splice(0), ['newest', 'newest'])
    leftOnWalk = 0
    t.match(await find(1).catch((error) => error), { kind: 'timeout' }, 'both statements share one deadline')
    t.strictSame(orders, ['newest'])
  })
  t.test('a search of a database with slow lookups starts with a scan', async (t) => {
    const open = async () => sourceOf((await openWorld(t, 'mysql')) as never, {})
    const [large, other] = [await open(), await open()]
    // A lookup of at least 250 ms.
    const slowLookups = { shareOfWholeLookup: 4, shareOfPartLookup: 4, minScanTime: 1000 }
    const finderWith = (maxInlinedIds: number) =>
      finder(payments, { shareTotals: false }, { ...measured, maxInlinedIds, ...slowLookups })
    const stepsOf = async (find: Find, search: string, { source = large, page = 1, delay = 0 } = {}) => {
      const steps: string[] = []
      const { total } = await find(
        {
          caller: { userId: '20', role: 'Admin' },
          reach: 'all',
          page: { page, limit: 1 },
          parameters: { search },
          timeLeft: () => 10_000,
          timed: async (step, run) => {
            if (step !== 'columns') steps.push(step)
            if (step === 'matches') await sleep(delay)
            return run()
          }
        },
        source
      )
      t.equal(total, expected(`/payment/list?search=${search}`, { userId: '20', role: 'Admin' }).total, search)
      return steps
    }
    const [few, many] = [finderWith(100), finderWith(1)]
    const [lookupFirst, scanFirst] = [
      ['matches', 'matches', 'page'],
      ['page', 'matches', 'total']
    ]
    t.strictSame(await stepsOf(few, 'example', { delay: 260 }), lookupFirst)
    t.strictSame(await stepsOf(few, 'example'), scanFirst)
    t.strictSame(await stepsOf(few, 'nobody'), ['page'], 'a scan of all records needs no lookup')
    t.strictSame(await stepsOf(few, 'example', { source: other }), lookupFirst, 'another database')
    t.strictSame(await stepsOf(few, 'example', { page: 2 }), lookupFirst, 'a later page')
    t.strictSame(await stepsOf(few, 'example'), lookupFirst, 'after a fast lookup')

    t.strictSame(await stepsOf(many, 'example', { delay: 260 }), [...lookupFirst, 'total'], 'ends early')
    t.strictSame(await stepsOf(many, 'example'), scanFirst)
  })
}

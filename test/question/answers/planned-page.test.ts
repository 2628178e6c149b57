import { deepStrictEqual } from 'node:assert/strict'
import { type CompiledQuery, sql } from 'kysely'
import t, { type Test } from 'tap'
import { column, createListings, defineOptions } from '../../../src/index.js'
import { measured, type Thresholds } from '../../../src/limits.js'
import type { List } from '../../../src/lists/list.js'
import { assessments } from '../../../src/lists/ready/assessments.js'
import { payments } from '../../../src/lists/ready/payments.js'
import { laterPlan } from '../../../src/question/answers/planned-page.js'
import { spanOf } from '../../../src/question/asked/question.js'
import { partsOf } from '../../../src/visibility/partial-columns.js'
import { charts, createCharts } from '../../support/fixtures/charts.js'
import * as world from '../../support/fixtures/world.js'
import { admin } from '../../support/fixtures/world.js'
import { execute } from '../../support/oracle/check.js'
import { type Data, expected, plans as promised } from '../../support/oracle/oracle.js'
import fc from '../../support/oracle/properties.js'
import { type Db, onDatabases, openDatabase } from '../../support/servers/databases.js'
import { finder, openSession, questionFor, sessionOf, sourceOf } from '../../support/servers/session.js'
import { openTables, openWorld } from '../../support/servers/tables.js'

/** Different user ids that are equal in some collations. */
const texts = { ids: ['u1', 'U1', 'ü1', 'u1 ', 'u2', '2', '02', 'x!', '%', "o'"], type: 'varchar(20)' }
const numbers = { ids: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '9007199254740993'], type: 'bigint' }

const pick = <Value>(values: readonly Value[], at: number): Value => values[at % values.length] as Value
const names = ['ab', 'b', 'Abba', 'c', '']
const states = ['completed', 'pending', 'reserved']
const [[user], [assessment], [payment]] = [world.users, world.assessments, world.payments]
/** Each set of thresholds allows other plans. */
const thresholds: Thresholds[] = [
  { maxInlinedIds: 0, minMatches: 0, minMatchesPerRow: 0, scanTime: 1000 },
  { maxInlinedIds: 2, minMatches: 5, minMatchesPerRow: 2, scanTime: 1000 },
  { maxInlinedIds: 5, minMatches: 20, minMatchesPerRow: 1, scanTime: 1 },
  { maxInlinedIds: 100, minMatches: 0, minMatchesPerRow: 3, scanTime: 1000 }
].map((each) => ({ ...measured, ...each }))

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
      ...{ ...assessment, assessment_id: id, user_id, practitioner_id: null, status, created_at }
    })),
    payments: records.map(({ id, status, ...record }) => ({
      ...{ ...payment, ...record, payment_id: id, processor_status: status }
    }))
  }
}

/** Inserts a user and a payment of this user for each id. */
async function insertPairs<Id>(db: Db, ids: Id[], emailOf: (id: Id) => string, intentOf: (id: Id) => string) {
  await world.insert(db, {
    users: ids.map((id) => ({ ...user, user_id: id, email: emailOf(id) })),
    payments: ids.map((id) => ({ ...payment, payment_id: id, user_id: id, payment_intent: intentOf(id) }))
  })
}

/** The payments with a range of times. Only some records are in each range. */
const paymentsInTime = payments.extend({ filters: { created: { column: 'created_at', range: true } } })
const inTime = { ...promised.payments.filters, created: { sort: 'range', column: 'created_at' } } as const
const planOf = { ...promised, payments: { ...promised.payments, filters: inTime } }

const requests = fc.record({
  list: fc.constantFrom('assessments' as const, 'payments' as const),
  reach: fc.constantFrom('all' as const, 'all' as const, 'all' as const, 'linked' as const, 'own' as const),
  caller: fc.nat(9),
  search: fc.constantFrom(undefined, 'a', 'B', 'ab', 'pi_', '6', '@', 'x', 'nobody', '%'),
  state: fc.constantFrom(undefined, undefined, ...states),
  from: fc.constantFrom(undefined, undefined, '2024-01-02 00:00:00', '2024-01-03 00:00:00'),
  page: fc.integer({ min: 1, max: 6 }),
  limit: fc.constantFrom(3, 7, 10, 20),
  thresholds: fc.nat(3)
})

for (const { ids, type: usual } of [numbers, texts]) {
  onDatabases(t, `every plan gives the same page and total, ids of type ${usual},`, async (t, name) => {
    // Texts of SQLite are equal only if a column says so.
    const type = name === 'sqlite' && usual !== 'bigint' ? `${usual} collate nocase` : usual
    const plans = new Set<string>()
    const db = await openDatabase(t, name, {
      onQuery: ({ sql }) => {
        if (/\bk as | as k\b/.test(sql)) plans.add(/order by coalesce/.test(sql) ? 'sort' : 'in order')
        if (/order by .r.\..created_at. asc/.test(sql)) plans.add('backwards')
        if (/where .*(coalesce\(.r.\..user_id., null\)|limit 1\) = 1)/s.test(sql)) plans.add('scan')
        if (/count\(\*\) over \(\)/.test(sql)) plans.add('with total')
      }
    })
    const data = dataOf(ids)
    // PostgreSQL compares no text with a time.
    const time = name === 'postgres' ? 'timestamp' : 'varchar(20)'
    const id = type === 'bigint' ? 'integer' : 'varchar(20)'
    // Record ids are text if user ids are text.
    const stored = (id: unknown) => (type === 'bigint' ? String(id) : `r${id}`)
    for (const [table, columns] of Object.entries({
      users: `user_id ${type}, first_name varchar(9), last_name varchar(9), email varchar(40), avatar_url varchar(9)`,
      memberships: `user_id ${type}, org_name varchar(9)`,
      links: `owner_id ${type}, user_id ${type}`,
      assessments: `assessment_id ${id} primary key, licence varchar(9), assessment_type varchar(20), user_id ${type},
        practitioner_id ${type}, status varchar(9), date_assignment varchar(20), date_conclusion varchar(20),
        created_at varchar(20)`,
      payments: `payment_id ${id} primary key, user_id ${type}, amount decimal(9, 2), quantity integer,
        payment_intent varchar(20), paid_at varchar(20), payment_method varchar(9), payment_status varchar(9),
        processor_status varchar(9), created_at ${time}`
    })) {
      await sql.raw(`create table ${table} (${columns})`).execute(db)
    }
    const { assessments: assessed, payments: paid, users, links } = data
    const tables = {
      users,
      links,
      assessments: assessed.map((row) => ({ ...row, assessment_id: stored(row.assessment_id) })),
      payments: paid.map((row) => ({ ...row, payment_id: stored(row.payment_id) }))
    }
    await world.insert(db, tables)
    const source = sourceOf(db as never, {})

    // Later requests reuse the cached statements of earlier ones.
    const finders = thresholds.map((each) => finder(each).find)
    const lists = { assessments, payments: paymentsInTime }
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { list, reach, caller, search, state, from, page, limit } = request
        const filter = list === 'assessments' ? 'status' : 'processor_status'
        const find = finders[request.thresholds]
        if (!find) throw new Error('There are no such thresholds.')
        const parameters = {
          ...(search && { search }),
          ...(state && { [filter]: state }),
          // As the query reader gives the time.
          ...(from && list === 'payments' && { created_from: `${from}.000` })
        }
        const asking = { userId: pick(ids, caller), role: '' }
        const { items, total } = await find(
          questionFor({ list: lists[list], reach, userId: asking.userId, page, limit, parameters }),
          openSession(source)
        )
        const query = new URLSearchParams({
          search: '',
          ...parameters,
          ...(parameters.created_from && { created_from: String(from).replace(' ', 'T') }),
          page: String(page),
          limit: String(limit)
        })
        const wanted = expected(`/${list.slice(0, -1)}/list?${query}`, { ...asking, reach }, data, planOf[list])
        const id = list === 'assessments' ? 'assessment_id' : 'payment_id'
        const records = wanted.items?.map((item) => ({ ...item, [id]: stored(item[id]) }))
        deepStrictEqual({ total, items }, { total: wanted.total, items: records })
      }),
      { numRuns: name === 'mysql' ? 200 : 120 }
    )
    t.strictSame(
      [...plans].sort(),
      name === 'mysql' ? ['backwards', 'in order', 'scan', 'sort', 'with total'] : ['backwards', 'in order'],
      'each plan was used'
    )
  })
}

// Only MySQL and MariaDB need a plan for a search.
t.test('a scan from the newest record stops at its time, and the next statement sorts the matches', async (t) => {
  const plans: string[] = []
  let timeLeft = 10_000
  let leftOnPage = timeLeft
  const db = await openWorld(t, 'mysql', {
    onQuery: ({ sql }) => {
      if (!/ as k\b/.test(sql)) return
      plans.push(/order by coalesce/.test(sql) ? 'sort' : 'scan')
      timeLeft = leftOnPage
    }
  })
  // This takes twenty milliseconds for each record, so that a late timer of a busy server still stops the scan.
  const slow = db.selectFrom('assessments').selectAll().where(sql<boolean>`sleep(0.02 + 0 * assessment_id) = 0`)
  const steps: string[] = []
  const session = sessionOf(db, {
    tables: { assessments: slow },
    timeLeft: () => timeLeft,
    timed: (step, run) => {
      steps.push(step)
      return run()
    }
  })
  const find = (scanTime: number) =>
    finder({ ...measured, maxInlinedIds: 0, scanTime }).find(
      questionFor({ list: assessments, limit: 3, parameters: { search: 'a' } }),
      session
    )
  const page = await find(9000)
  t.strictSame(plans.splice(0), ['scan'])
  t.strictSame(await find(1), page, 'the same page')
  t.strictSame(plans.splice(0), ['scan', 'sort'])
  leftOnPage = 0
  steps.length = 0
  t.match(await find(1).catch((error) => error), { kind: 'timeout' }, 'both statements share one deadline')
  t.strictSame(steps, ['columns', 'matches', 'page'], 'no step begins after the deadline')
})

t.test('a scan in an order with empty values has its time for each of its parts', async (t) => {
  const seconds: number[] = []
  const db = await openDatabase(t, 'mysql', {
    onQuery: ({ sql }) => / as k\b/.test(sql) && seconds.push(Number(/least\(([\d.]+)/.exec(sql)?.[1]))
  })
  await createCharts(db, 'mysql')
  const list = charts as never as List
  const order = { column: 'ward', direction: 'asc' } as const
  const question = questionFor({ list, order, limit: 3, parameters: { search: 'n' } })
  const { find } = finder({ ...measured, maxInlinedIds: 0, scanTime: 50 })
  const { items } = await find(
    { ...question, parts: partsOf(question.reach, question) },
    openSession(sourceOf(db, {}, [list]))
  )
  t.ok(items.length > 0)
  t.strictSame(
    seconds.map((limit) => limit <= 0.05),
    seconds.map(() => true)
  )
  t.ok(seconds.length > 0)
})

t.test('a search of all records reads the ids that it matches, and then only what it still needs', async (t) => {
  const db = await openWorld(t, 'mysql')
  const thresholds: Thresholds = { ...measured, scanTime: 1000 }
  const stepsOf = async (search: string, { page = 1, maxInlinedIds = 100, filters = {} } = {}) => {
    const steps: string[] = []
    const session = sessionOf(db, {
      timed: (step, run) => {
        if (step !== 'columns') steps.push(step)
        return run()
      }
    })
    const { find } = finder({ ...thresholds, maxInlinedIds })
    const parameters = { search, ...filters }
    const { total, items } = await find(questionFor({ page, limit: 1, parameters }), session)
    const query = new URLSearchParams({ ...parameters, page: String(page), limit: '1' })
    t.strictSame({ status: 200, total, items }, expected(`/payment/list?${query}`, admin), search)
    return steps
  }
  const lookups = ['matches', 'matches']
  t.strictSame(await stepsOf('ex'), [...lookups, 'page'])
  t.strictSame(await stepsOf('ex', { page: 2 }), [...lookups, 'page'], 'a later page')
  t.strictSame(await stepsOf('nobody'), lookups, 'a term without matches')
  t.strictSame(await stepsOf('example', { maxInlinedIds: 1 }), [...lookups, 'page', 'total'], 'many matches')
  const filters = { processor_status: 'pending' }
  t.strictSame(await stepsOf('example', { filters, maxInlinedIds: 1 }), ['matches', 'page', 'total'], 'a filter')
  t.strictSame(await stepsOf('example', { page: 99, maxInlinedIds: 1 }), [...lookups, 'total'], 'past the end')
})

t.test('the ids of many matches fit into a packet of 1 MiB, whatever their length', async (t) => {
  const lengths: number[] = []
  const onQuery = ({ sql, parameters }: CompiledQuery) => lengths.push(sql.length + parameters.join('').length)
  const db = await openTables(t, 'mysql', { onQuery })
  const ids = Array.from({ length: 4900 }, (_, at) => `id-${String(at).padStart(97, '0')}`)
  await execute(
    db,
    'alter table users modify user_id char(100)',
    'alter table memberships modify user_id char(100)',
    'alter table payments modify payment_id char(100), modify user_id char(100), modify payment_intent varchar(120)'
  )
  await insertPairs(
    db,
    ids,
    (id) => `${id}@example.org`,
    (id) => `example ${id}`
  )
  lengths.length = 0
  const { find } = finder()
  const found = await find(questionFor({ search: 'example' }), sessionOf(db))
  t.match(found, { total: 4900, items: { length: 12 } })
  const few = await find(questionFor({ search: '0000000012' }), sessionOf(db))
  t.equal(few.total, ids.filter((id) => id.includes('0000000012')).length)
  t.ok(Math.max(...lengths) < 2 ** 20, `${Math.max(...lengths)} characters`)
})

t.test('the plan scan of a later page needs many matches and a page near an end of the list', async (t) => {
  const plan = (page: number, total: number) => laterPlan(spanOf({ page, limit: 10 }, total), total, measured)
  t.equal(plan(1, 5001), 'scan')
  t.equal(plan(1, 5000), 'sort', 'all matches may be old')
  t.equal(plan(11, 5500), 'scan')
  t.equal(plan(12, 5500), 'sort')
  t.equal(plan(550, 5500), 'scan', 'the last page, from the other end')
})

t.test('an ENUM sorts a search in its own order on MySQL, and each record is on one page', async (t) => {
  const db = await openTables(t, 'mysql')
  const states = ['zulu', 'alpha', 'mike'] as const
  const ids = Array.from({ length: 6000 }, (_, id) => id + 1)
  await insertPairs(db, ids, String, (id) => `Ticket ${id}`)
  await execute(
    db,
    "alter table payments add state enum('zulu', 'alpha', 'mike')",
    'update payments set state = payment_id % 3 + 1'
  )
  const [text, closed] = [column.text({ whenNull: 'error' }), column.enum(states)] as const
  for (const [state, search, sort] of [
    [text, 'T', 'state'],
    [text, 'T', '-state'],
    [text, 'Ticket 59', 'state'],
    [closed, 'Ticket 59', 'state']
  ] as const) {
    const lists = [payments.extend({ columns: { state }, sort: ['state'], unshown: ['state'] })] as const
    const { find } = createListings(defineOptions({ db, resolveRole: () => null, lists }))
    const sign = sort === 'state' ? 1 : -1
    const place = (id: number) => sign * ((id % 3) * 10_000 + id)
    const matching = ids.filter((id) => `Ticket ${id}`.includes(search)).sort((a, b) => place(a) - place(b))
    const found: string[] = []
    for (let page = 1; page <= Math.ceil(matching.length / 100); page++) {
      const { items } = await find('payments', { caller: admin, query: { search, sort, page, limit: 100 } })
      found.push(...items.map(({ payment_id }) => payment_id))
    }
    t.equal(found.join(), matching.join(), `${search} by ${sort} of ${state.kind}`)
  }
})

/** What a batch of a search reads, when each of many users has a payment. */
async function readsOf(t: Test, count: number, tables: (db: Db) => object, search: string, found: number) {
  const db = await openWorld(t, 'mysql')
  const ids = Array.from({ length: count }, (_, place) => place + 1000)
  await insertPairs(
    db,
    ids,
    (id) => `ann${id}@example.org`,
    (id) => `pi_${id}`
  )
  await execute(db, 'analyze table users, payments')
  return db.connection().execute(async (connection) => {
    const reads = async () => {
      const { rows } = await sql<{ Value: string }>`show session status like 'Handler_read%'`.execute(connection)
      return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
    }
    const { findBatch } = finder()
    const session = sessionOf(connection, { tables: tables(connection) })
    const batch = () => findBatch(questionFor({ search, limit: 10 }), session)
    await batch()
    const before = await reads()
    t.equal((await batch()).items.length, found)
    return (await reads()) - before
  })
}

t.test('a scan of the records reads the users of these records, and no others', async (t) => {
  const selected = (db: Db) => ({
    users: db
      .selectFrom('users as m')
      .select(['m.user_id as user_id', 'first_name', 'last_name', 'email', 'avatar_url'])
      .where('m.user_id', '>', 0)
  })
  for (const tables of [() => ({}), selected]) t.ok((await readsOf(t, 5000, tables, 'ann', 10)) < 1000)
})

t.test('a scan reads the users once if their id is computed, so that no index finds them', async (t) => {
  const tables = (db: Db) => ({
    users: db
      .selectFrom('users')
      .select([sql<number>`user_id + 0`.as('user_id'), 'first_name', 'last_name', 'email', 'avatar_url'])
  })
  t.ok((await readsOf(t, 500, tables, 'ann1234@', 1)) < 10_000)
})

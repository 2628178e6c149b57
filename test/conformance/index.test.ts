import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { type ConformanceHost, conformance } from '../../src/conformance/index.js'
import type { ListingOptions, ListingTables } from '../../src/index.js'
import { columnsOf } from '../support/fixtures/columns.js'
import { assessments, payments } from '../support/fixtures/world.js'
import { problemsIn } from '../support/hosts/faults.js'
import { type Answer, type Asked, conformanceCallers, handWritten } from '../support/hosts/hand-written.js'
import { type Options, serve } from '../support/hosts/server.js'
import { headersOf } from '../support/hosts/tokens.js'
import { execute, finds } from '../support/oracle/check.js'
import type { Db } from '../support/servers/databases.js'
import { openWorld } from '../support/servers/tables.js'

t.test('the lists pass every check', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const options = {
    prefix: '/api',
    maxLimit: 5,
    unknownParameters: 'ignore',
    messages: { unauthorized: 'Wer da?' }
  } satisfies Partial<ListingOptions> & { prefix: string }
  const { app } = await serve(t, { db, ...options })
  const callers = conformanceCallers(headersOf)
  for (const { name, run } of conformance(() => ({ app, callers }), options)) await t.resolves(run(), name)
})

t.test('lists that keep the contract pass, with one server and few requests', async (t) => {
  const host = handWritten()
  let built = 0
  const checks = conformance(() => {
    built++
    return host
  })
  t.equal(built, 0, 'nothing is built before a check runs')
  await Promise.all(checks.map(({ name, run }) => t.resolves(run(), name)))
  t.equal(built, 1)
  t.ok(host.urls.length < 20 * host.callers.length + 20, `${host.urls.length}`)
})

t.test('no message shows a token', async (t) => {
  const answer = (answer: Answer, { token = 'nobody' }: Asked): Answer => ({
    ...answer,
    body: { ...answer.body, message: `${token} again: ${token.slice(7)}`, error: token }
  })
  for (const { name, run } of conformance(() => handWritten({ answer }))) {
    await run().catch(({ message }: Error) => t.notMatch(message, /token-of|not\.a\.token/, name))
  }
})

const ben = { user_id: '2', email: 'ben_100%@example.org' }
const ofBen = { first_name: 'Ben', last_name: "O'Hara", practitioner_first_name: 'Pat', status: 'completed' }
const known: ConformanceHost['known'] = {
  assessments: [{ assessment_id: '4', ...ben, ...ofBen, date_assignment: '2024-03-01T09:30:00Z' }],
  payments: [{ payment_id: '4', ...ben, amount: 11.5, payment_status: 'paid', processor_status: 'succeeded' }]
}

type Columns = Readonly<Record<string, string>>

/** A table whose columns are replaced by SQL. The alias of the table is `t`. */
const mapped =
  (table: 'assessments' | 'payments' | 'users' | 'practitioners' | 'links', columns: Columns, from = `${table} as t`) =>
  (db: Db) => {
    const names = columnsOf[table].map((name) => `${columns[name] ?? `t.${name}`} as ${name}`)
    const rows = sql.raw(`(select ${names.join(', ')} from ${from})`)
    return { [table]: db.selectFrom(rows.as('mapped') as never).selectAll() as never }
  }

/** Wrong mappings that no boot can notice. The tests of the start-up check have the others. */
const mappings: Readonly<Record<string, [tables: (db: Db) => ListingTables, problem: RegExp]>> = {
  'links in the wrong direction': [
    mapped('links', { owner_id: 't.user_id', user_id: 't.owner_id' }),
    /every caller sees the records within their reach, and no others: .*is missing/
  ],
  'cents as amounts': [
    mapped('payments', { amount: 't.amount * 100' }),
    /known records have their fields: .*amount of record 4 is 1150, expected 11\.5\./
  ],
  'swapped names': [
    mapped('users', { first_name: 't.last_name', last_name: 't.first_name' }),
    /known records have their fields: .*first_name of record 4 is "O'Hara", expected "Ben"\./
  ],
  'swapped states': [
    mapped('payments', { payment_status: 't.processor_status', processor_status: 't.payment_status' }),
    /known records have their fields: .*record 4 is not in the answers\./
  ],
  'a join that drops users': [
    mapped('users', {}, 'users as t inner join links as l on l.user_id = t.user_id and l.owner_id = 12'),
    /known records have their fields: .*record 4 is not in the answers\./
  ],
  'local times as UTC': [
    mapped('assessments', { date_assignment: "datetime(t.date_assignment, '+9 hours')" }),
    /known records have their fields: .*date_assignment of record 4 is "2024-03-01T18:30:00.*expected "2024-03-01T09:30:00/
  ]
}

const callers = conformanceCallers(headersOf).filter(({ role }) =>
  /^(Individual|Practitioner|Admin)$/.test(String(role))
)

async function problemsOf(t: Test, options: Options, facts: Pick<ConformanceHost, 'known' | 'totals'>) {
  const { app } = await serve(t, options)
  return problemsIn(conformance(() => ({ app, callers, ...facts })))
}

t.test('the right mapping has no problem, and each wrong one is found', async (t) => {
  // The mappings are selects of one database, into which nothing writes.
  const db = await openWorld(t, 'sqlite')
  const facts = { known, totals: { assessments: assessments.length, payments: payments.length } }
  t.strictSame(await problemsOf(t, { db }, facts), [])
  for (const [mapping, [tables, expected]] of Object.entries(mappings)) {
    await t.test(mapping, async (t) => {
      // The boot notices nothing.
      await finds(t, db, [], tables(db), / indexes: |^info /)
      const problems = await problemsOf(t, { db, tables: tables(db) }, facts)
      t.ok(problems.length > 0)
      for (const problem of problems) t.match(problem, expected)
    })
  }
})

const count = 8_000

/** Of 8,000 records, the kit reads the newest 500 as Admin, and everything of Individual and Practitioner. */
async function openMany(t: Test) {
  const db = await openWorld(t, 'sqlite')
  await db.deleteFrom('assessments').execute()
  await db.deleteFrom('payments').execute()
  await execute(
    db,
    `create table numbers as with recursive n as (select 1 as n union all select n + 1 from n where n < ${count})
      select n, case n % 80 when 0 then 1 when 20 then 2 when 40 then 3 when 60 then 10 else 4 end as user_id,
        datetime('2024-01-01', n || ' minutes') as created_at from n`,
    `insert into assessments select n, 'LIC', 'personality', user_id, 10, 'completed', created_at, created_at, created_at
      from numbers`,
    `insert into payments select n, nullif(user_id, 3), 9.5, 1, 'pi_' || n, created_at, 'card', 'paid', 'succeeded', created_at
      from numbers`,
    'alter table links add column valid_until text',
    "insert into links values (10, 3, '2024-02-01')"
  )
  return db
}

const valid = (db: Db) => ({
  links: db.selectFrom('links').select(['owner_id', 'user_id']).where('valid_until', 'is', null) as never
})

const withPayments = (from: string) => (db: Db) => ({ tables: { ...valid(db), ...mapped('payments', {}, from)(db) } })

/** The mistakes of a server, each with the checks of the kit that find it. */
const mistakes: Readonly<Record<string, [options: (db: Db) => Partial<Options>, problem: RegExp]>> = {
  'a wrong id': [
    () => ({ resolveRole: ({ user: { sub, role } }) => ({ userId: role === 'Individual' ? '77' : sub, role }) }),
    /: every caller sees .* as the Individual: record \d+ of user 1 is missing, but is in the answer to .* as the Admin\./
  ],
  'a reach that is too small': [
    () => ({ roles: { assessments: { Practitioner: 'own' } } }),
    /^assessments: every caller sees .* as the Practitioner: record \d+ of user [12] is missing, but is in the answer/
  ],
  'a reach that is too large': [
    () => ({ roles: { payments: { Practitioner: 'linked' } } }),
    /^payments: every caller sees .*: record \d+ is of user [12], but the reach of the Practitioner \(user 10\) is 'own'/
  ],
  'expired links': [
    () => ({ tables: {} }),
    /^assessments: every caller sees .* is of user 3, but the reach .* 'linked' does not have this user/
  ],
  'a join that doubles records': [
    withPayments('payments as t left join memberships as m on m.user_id = t.user_id'),
    /^payments: .*(is also in the answer|the total is \d+|records, got|is at the place of record)/
  ],
  'a join that loses records': [
    withPayments('payments as t inner join users as u on u.user_id = t.user_id'),
    /^payments: the total is the known number: .* the total is 7900, expected 8000\./
  ]
}

t.test('among 8,000 records, the right server has no problem, and each mistake is found', async (t) => {
  const db = await openMany(t)
  const facts = { totals: { assessments: count, payments: count } }
  t.strictSame(await problemsOf(t, { db, tables: valid(db) }, facts), [])
  for (const [mistake, [options, expected]] of Object.entries(mistakes)) {
    await t.test(mistake, async (t) => {
      const problems = await problemsOf(t, { db, tables: valid(db), ...options(db) }, facts)
      t.ok(problems.length > 0)
      for (const problem of problems) t.match(problem, expected)
    })
  }
})

/** Wrong mappings, each with the check that finds the mistake. */
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { type ConformanceHost, conformance } from '../../src/conformance/index.js'
import type { ListingTables } from '../../src/index.js'
import { findings } from '../support/check.js'
import { columnsOf } from '../support/columns.js'
import type { Db } from '../support/databases.js'
import { conformanceCallers } from '../support/hand-written.js'
import { serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { assessments, payments } from '../support/world.js'

const known: ConformanceHost['known'] = {
  assessments: [
    {
      assessment_id: '4',
      user_id: '2',
      first_name: 'Ben',
      last_name: "O'Hara",
      email: 'ben_100%@example.org',
      practitioner_first_name: 'Pat',
      status: 'completed',
      date_assignment: '2024-03-01T09:30:00Z'
    }
  ],
  payments: [
    {
      payment_id: '4',
      user_id: '2',
      email: 'ben_100%@example.org',
      amount: 11.5,
      payment_status: 'paid',
      processor_status: 'succeeded',
      created_at: '2024-02-01 12:00:00'
    }
  ]
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

const reach = 'every caller sees the records within their reach, and no others'
const knownRecords = 'known records have their fields'
const knownTotal = 'the total is the known number'

interface WrongMapping {
  readonly tables: (db: Db) => ListingTables
  /** The check that finds the mistake. */
  readonly check: string
  readonly says: RegExp
}

/** Wrong mappings that no boot can notice. The tests of the start-up check have the others. */
const mappings: Readonly<Record<string, WrongMapping>> = {
  'links in the wrong direction': {
    tables: mapped('links', { owner_id: 't.user_id', user_id: 't.owner_id' }),
    check: reach,
    says: / is missing/
  },
  'cents as amounts': {
    tables: mapped('payments', { amount: 't.amount * 100' }),
    check: knownRecords,
    says: /amount of record 4 is 1150, expected 11\.5\./
  },
  'swapped names': {
    tables: mapped('users', { first_name: 't.last_name', last_name: 't.first_name' }),
    check: knownRecords,
    says: /first_name of record 4 is "O'Hara", expected "Ben"\./
  },
  'swapped states': {
    tables: mapped('payments', { payment_status: 't.processor_status', processor_status: 't.payment_status' }),
    check: knownRecords,
    says: /record 4 is not in the answers\./
  },
  'a payment of another user': {
    tables: mapped('payments', { user_id: '11 - t.user_id' }),
    check: knownRecords,
    says: /record 4 is not in the answers\./
  },
  'a join that drops users': {
    tables: mapped('users', {}, 'users as t inner join links as l on l.user_id = t.user_id and l.owner_id = 12'),
    check: knownRecords,
    says: /record 4 is not in the answers\./
  },
  'local times as UTC': {
    tables: mapped('assessments', { date_assignment: "datetime(t.date_assignment, '+9 hours')" }),
    check: knownRecords,
    says: /date_assignment of record 4 is "2024-03-01T18:30:00.*expected "2024-03-01T09:30:00/
  },
  'a converted creation date': {
    tables: mapped('payments', { created_at: "datetime(t.created_at, '+9 hours')" }),
    check: knownRecords,
    says: /created_at of record 4 is "2024-02-01 21:00:00", expected "2024-02-01 12:00:00"/
  },
  'a join that drops payments of guests': {
    tables: mapped('payments', {}, 'payments as t inner join users as u on u.user_id = t.user_id'),
    check: knownTotal,
    says: /the total is 30, expected 31\. A join or a condition in the option 'tables'/
  }
}

/** The failed checks and their messages. A known record is a caller's with the reach `all`, so three callers are enough. */
async function problemsOf(t: Test, db: Db, tables: ListingTables): Promise<[check: string, message: string][]> {
  t.strictSame(
    (await findings(db, tables)).filter((text) => !text.includes(' indexes: ')),
    [],
    'the boot notices nothing'
  )
  const { app } = await serve(t, { db, tables, checkOnReady: 'off' })
  const callers = conformanceCallers(({ userId, role }) => ({
    authorization: `Bearer ${app.jwt.sign({ sub: String(userId), role })}`
  })).filter(({ role }) => ['Individual', 'Practitioner', 'Admin'].includes(role))
  const host = { app, callers, known, totals: { assessments: assessments.length, payments: payments.length } }
  const problems: [string, string][] = []
  for (const { name, run } of conformance(() => host)) {
    await run().catch(({ message }: Error) => problems.push([String(name.split(': ')[1]), message]))
  }
  return problems
}

t.test('the right mapping has no problem, and each wrong one is found', async (t) => {
  // The mappings are selects of one database, into which nothing writes.
  const db = await openWorld(t, 'sqlite')
  t.strictSame(await problemsOf(t, db, {}), [])
  for (const [mapping, { tables, check, says }] of Object.entries(mappings)) {
    await t.test(mapping, async (t) => {
      const problems = await problemsOf(t, db, tables(db))
      t.strictSame([...new Set(problems.map(([check]) => check))], [check])
      t.ok(
        problems.some(([, message]) => says.test(message)),
        problems.join('\n')
      )
    })
  }
})

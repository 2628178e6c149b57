/** Wrong mappings, each with the check that finds the mistake. */
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { type ConformanceHost, conformance } from '../../src/conformance/index.js'
import type { ListingTables } from '../../src/index.js'
import { finds } from '../support/check.js'
import { columnsOf } from '../support/columns.js'
import type { Db } from '../support/databases.js'
import { conformanceCallers } from '../support/hand-written.js'
import { serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { assessments, payments } from '../support/world.js'

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
  ],
  'a join that drops payments of guests': [
    mapped('payments', {}, 'payments as t inner join users as u on u.user_id = t.user_id'),
    /the total is the known number: .*the total is 30, expected 31\. A join or a condition in the option 'tables'/
  ]
}

/** The failed checks and their messages. */
async function problemsOf(t: Test, db: Db, tables: ListingTables): Promise<string[]> {
  // The boot notices nothing.
  await finds(t, db, [], tables, / indexes: |^info /)
  const { app } = await serve(t, { db, tables })
  const callers = conformanceCallers(headersOf).filter(({ role }) => /^(Individual|Practitioner|Admin)$/.test(role))
  const host = { app, callers, known, totals: { assessments: assessments.length, payments: payments.length } }
  const problems: string[] = []
  for (const { name, run } of conformance(() => host)) {
    await run().catch(({ message }: Error) => problems.push(`${name}: ${message}`))
  }
  return problems
}

t.test('the right mapping has no problem, and each wrong one is found', async (t) => {
  // The mappings are selects of one database, into which nothing writes.
  const db = await openWorld(t, 'sqlite')
  t.strictSame(await problemsOf(t, db, {}), [])
  for (const [mapping, [tables, expected]] of Object.entries(mappings)) {
    await t.test(mapping, async (t) => {
      const problems = await problemsOf(t, db, tables(db))
      t.ok(problems.length > 0)
      for (const problem of problems) t.match(problem, expected)
    })
  }
})

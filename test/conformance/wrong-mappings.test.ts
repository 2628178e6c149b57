/** Seventeen wrong mappings, each with what finds the mistake. */
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

interface WrongMapping {
  readonly tables: (db: Db) => ListingTables
  readonly foundBy: 'the boot' | 'the checks' | 'a known record' | 'a known total'
  readonly says: RegExp
}

const mappings: Readonly<Record<string, WrongMapping>> = {
  'a column that the table lacks': {
    tables: mapped('users', { email: 't.mail' }),
    foundBy: 'the boot',
    says: /^error tables: users needs the columns .* the database says: Unknown column 't\.mail'/
  },
  'a column that the select leaves out': {
    tables: (db) => ({ users: db.selectFrom('users').select(['user_id', 'first_name', 'last_name']) as never }),
    foundBy: 'the boot',
    says: /^error tables: users lacks email in its select, avatar_url in its select\./
  },
  'states of the service': {
    tables: mapped('assessments', { status: "case t.status when 'completed' then '1' else '0' end" }),
    foundBy: 'the boot',
    says: /^error data: assessments\.status is "\d", "\d", and pages with such records fail/
  },
  'a join that repeats records': {
    tables: mapped('payments', {}, 'payments as t left join memberships as m on m.user_id = t.user_id'),
    foundBy: 'the boot',
    says: /^error tables: payments has records several times/
  },
  'users in several rows': {
    tables: mapped('users', {}, 'users as t left join memberships as m on m.user_id = t.user_id'),
    foundBy: 'the boot',
    says: /^warning tables: users has the same user_id in several rows/
  },
  'a creation date that is null': {
    tables: mapped('payments', { created_at: 't.paid_at' }),
    foundBy: 'the boot',
    says: /^warning data: Column payments\.created_at of payment_id \d+ is null\. Pages with such records fail/
  },
  'local times of a server without time zones': {
    tables: mapped('assessments', { date_assignment: "convert_tz(t.date_assignment, 'Europe/Berlin', 'UTC')" }),
    foundBy: 'the boot',
    says: /^warning data: assessments\.date_assignment is null in all .*`convert_tz`/
  },
  'a time that is always null': {
    tables: mapped('payments', { paid_at: 'cast(null as datetime)' }),
    foundBy: 'the boot',
    says: /^warning data: payments\.paid_at is null in all of the newest and oldest records\./
  },
  'links in the wrong direction': {
    tables: mapped('links', { owner_id: 't.user_id', user_id: 't.owner_id' }),
    foundBy: 'the checks',
    says: /every caller sees the records within their reach, and no others: .* is missing/
  },
  'cents as amounts': {
    tables: mapped('payments', { amount: 't.amount * 100' }),
    foundBy: 'a known record',
    says: /amount of record 4 is 1150, expected 11\.5\./
  },
  'swapped names': {
    tables: mapped('users', { first_name: 't.last_name', last_name: 't.first_name' }),
    foundBy: 'a known record',
    says: /first_name of record 4 is "O'Hara", expected "Ben"\./
  },
  'swapped states': {
    tables: mapped('payments', { payment_status: 't.processor_status', processor_status: 't.payment_status' }),
    foundBy: 'a known record',
    says: /record 4 is not in the answers\./
  },
  'a payment of another user': {
    tables: mapped('payments', { user_id: '11 - t.user_id' }),
    foundBy: 'a known record',
    says: /record 4 is not in the answers\./
  },
  'a join that drops users': {
    tables: mapped('users', {}, 'users as t inner join links as l on l.user_id = t.user_id and l.owner_id = 12'),
    foundBy: 'a known record',
    says: /record 4 is not in the answers\./
  },
  'local times as UTC': {
    tables: mapped('assessments', { date_assignment: 't.date_assignment + interval 9 hour' }),
    foundBy: 'a known record',
    says: /date_assignment of record 4 is "2024-03-01T18:30:00.*expected "2024-03-01T09:30:00/
  },
  'a converted creation date': {
    tables: mapped('payments', { created_at: 't.created_at + interval 9 hour' }),
    foundBy: 'a known record',
    says: /created_at of record 4 is "2024-02-01 21:00:00", expected "2024-02-01 12:00:00"/
  },
  'a join that drops payments of guests': {
    tables: mapped('payments', {}, 'payments as t inner join users as u on u.user_id = t.user_id'),
    foundBy: 'a known total',
    says: /the total is 30, expected 31\. A join or a condition in the option 'tables'/
  }
}

const knownRecords = 'known records have their fields'
const knownTotal = 'the total is the known number'
const foundBy: Readonly<Record<string, WrongMapping['foundBy']>> = {
  [knownRecords]: 'a known record',
  [knownTotal]: 'a known total'
}

/** Everything that finds a mistake in the tables, in the order in which a team sees the texts. */
async function problemsOf(t: Test, db: Db, tables: ListingTables): Promise<[WrongMapping['foundBy'], string][]> {
  const boot = (await findings(db, tables)).filter((text) => !text.includes(' indexes: '))
  if (boot.length > 0) return boot.map((text) => ['the boot', text])
  const { app } = await serve(t, { db, tables, checkOnReady: 'off' })
  const callers = conformanceCallers((caller) => ({
    authorization: `Bearer ${app.jwt.sign({ sub: String(caller.userId), role: caller.role })}`
  }))
  const host = { app, callers, known, totals: { assessments: assessments.length, payments: payments.length } }
  const problems: [WrongMapping['foundBy'], string][] = []
  for (const { name, run } of conformance(() => host)) {
    const by = foundBy[String(name.split(': ')[1])] ?? 'the checks'
    await run().catch(({ message }: Error) => problems.push([by, `${name}: ${message}`]))
  }
  return problems
}

t.test('the right mapping has no problem, and each wrong one is found', async (t) => {
  // The mappings are selects of one database, into which nothing writes.
  const db = await openWorld(t, 'mysql')
  t.strictSame(await problemsOf(t, db, {}), [])
  t.equal(Object.keys(mappings).length, 17)
  for (const [mapping, { tables, foundBy, says }] of Object.entries(mappings)) {
    await t.test(`${foundBy} finds ${mapping}`, async (t) => {
      const problems = await problemsOf(t, db, tables(db))
      t.strictSame([...new Set(problems.map(([by]) => by))], [foundBy])
      t.match(problems.map(([, text]) => text).find((text) => says.test(text)) ?? problems.join('\n'), says)
    })
  }
})

import t from 'tap'
import { type ConformanceHost, conformance } from '../../src/conformance/index.js'
import type { List } from '../../src/index.js'
import { byAfter } from '../support/fixtures/tasks.js'
import { problemsOf } from '../support/fixtures/tasks-conformance.js'
import { problemsIn } from '../support/hosts/faults.js'
import { handWritten } from '../support/hosts/hand-written.js'
import { callerOf, openCases, problemsWith } from '../support/oracle/cases.js'

/** The outcome of a check: nothing, why the check fails, or why the check is skipped. */
async function outcome(title: string, host: Partial<ConformanceHost>, options = {}): Promise<string> {
  const check = conformance(() => ({ ...handWritten(), ...host }), options).find(({ name }) => name === title)
  let skipped = ''
  const skip = (reason: string) => {
    skipped = reason
  }
  return check?.run({ skip }).then(
    () => skipped,
    ({ message }: Error) => message
  ) as Promise<string>
}

const ofList = (list: string, records: object[], options = {}, host = {}) =>
  outcome(`${list}: known records have their fields`, { known: { [list]: records as never }, ...host }, options)
const ofPayments = (record: object, options = {}) => ofList('payments', [record], options)

const payment = { payment_id: '5', user_id: '2', email: 'ben_100%@example.org', amount: 11.5, paid_at: '' }

t.test('known records have their fields', async (t) => {
  const assessment = { assessment_id: '1', org_names: ['Acme', 'Zenith', 'acme sub'] }
  t.equal(await ofList('payments', [payment, { payment_id: 99, payment_intent: 'pi_guest', email: '' }]), '')
  t.equal(await ofList('assessments', [assessment]), '')
  t.equal(await ofList('assessments', []), 'The host gives no records in known.assessments.')
  t.match(
    await ofPayments({ ...payment, amount: 1150 }),
    /^GET \/payment\/list\?search=ben_100%25%40example\.org&page=1&limit=100 as the Admin: amount of record 5 is 11\.5, expected 1150\. Correct/
  )
  t.match(
    await ofList('assessments', [{ ...assessment, status: 'completed', first_name: 'Ada', org_names: ['Acme'] }]),
    /\?search=Ada&status=completed&.*: org_names of record 1 is \["Acme","Zenith","acme sub"\], expected \["Acme"\]\./
  )
  // The search is not sure to find such a text.
  t.match(
    await ofPayments({ ...payment, email: 'Zoë@example.org' }),
    /^GET \/payment\/list\?search=&page=1&limit=100 as the Admin: email of record 5 is "ben_100%@example\.org", expected/
  )
})

t.test('a known id or number may be a number or a bigint', async (t) => {
  t.equal(await ofPayments({ payment_id: 5, user_id: 2, quantity: 2n }), '')
  t.match(await ofPayments({ payment_id: 5, user_id: 3n }), /user_id of record 5 is "2", expected "3"\./)
  t.match(await ofPayments({ payment_id: 5, amount: '11.5' }), /amount of record 5 is 11\.5, expected "11\.5"\./)
})

t.test('a known record is looked for on every page, or at both ends of a long list', async (t) => {
  const missing = await ofPayments({ payment_id: 404, amount: 3 }, { maxLimit: 10 })
  t.match(missing, /page=1&limit=10 .* record 404 is not in the answers\.$/)
  t.equal(await ofPayments({ payment_id: 15 }, { maxLimit: 1 }), '', 'in the middle of 31 pages')
  const filtered = await ofPayments({ payment_id: 99, processor_status: 'pending' }, { maxLimit: 1 })
  t.equal(filtered, '', 'a filter finds the record')

  const asked: number[] = []
  const inject = async ({ url }: { url: string }) => {
    const page = Number(new URL(url, 'http://host').searchParams.get('page') ?? 1)
    asked.push(page)
    const body = JSON.stringify({ total: 1000, data: [{ payment_id: String(page) }] })
    return { statusCode: 200, headers: {}, body }
  }
  const ofLong = (payment_id: number) => ofList('payments', [{ payment_id }], { maxLimit: 1 }, { app: { inject } })
  t.equal(await ofLong(1000), '')
  t.strictSame(asked, [1, 1000], 'the oldest record')
  t.match(
    await ofLong(500),
    /record 500 is not on the first or the last 100 pages\. Give the known record a field that the search or a filter covers\.$/
  )
  t.equal(asked.length, 202)
})

t.test('a known record is looked for on the first pages that follow each other', async (t) => {
  const facts = { lists: [byAfter as unknown as List], maxLimit: 7 }
  const title = 'known records have their fields'
  const ofTasks = (record: Record<string, unknown>) => problemsOf(t, title, undefined, { ...facts, known: [record] })
  for (const task_id of [1, 20, 40]) t.strictSame(await ofTasks({ task_id }), [])
  t.match(await ofTasks({ task_id: 404 }), [/as Admin: record 404 is not in the answers\.$/])
  t.match(await ofTasks({ task_id: 20, size: 99 }), [/as Admin: size of record 20 is -?\d, expected 99\./])

  const asked: (string | null)[] = []
  const inject = async ({ url }: { url: string }) => {
    const after = new URL(url, 'http://host').searchParams.get('after')
    asked.push(after)
    const number = Number(after) + 1
    const body = JSON.stringify({ total: 1000, next: String(number), tasks: [{ task_id: String(number) }] })
    return { statusCode: 200, headers: {}, body }
  }
  const ofLong = (task_id: number) => {
    const callers = [{ name: 'Al', headers: {}, userId: 9, reach: { tasks: 'all' } }]
    const host = { app: { inject }, callers, known: { tasks: [{ task_id }] } }
    const checks = conformance(() => host as never, { lists: [byAfter], maxLimit: 1 } as never)
    return problemsIn(checks.filter(({ name }) => name.endsWith(title)))
  }
  t.strictSame(await ofLong(3), [])
  t.strictSame(asked.splice(0), [null, '1', '2'])
  t.match(await ofLong(500), [
    /record 500 is not on the first 200 pages\. Give the known record a field that the search or a filter covers\.$/
  ])
  t.equal(asked.length, 200)
})

t.test('the total is the number that the host counts', async (t) => {
  const says = (payments: number | bigint, list = 'payments') =>
    outcome(`${list}: the total is the known number`, { totals: { payments } })
  t.equal(await says(31), '')
  t.equal(await says(31n), '')
  t.equal(await says(31, 'assessments'), 'The host gives no number in totals.assessments.')
  t.match(
    await says(40),
    /as the Admin: the total is 31, expected 40\. A join or a condition in the option 'tables' can drop or repeat records\.$/
  )
})

t.test('a known field that the roles of a caller get in some records only is compared in these', async (t) => {
  const db = await openCases(t, 'sqlite')
  const callers = [callerOf('Ed', ['Admin', 'Counsellor'])]
  const problems = (...records: object[]) => problemsWith(t, db, { callers, known: { cases: records } })
  // User 7 counsels in the case 1, and not in the case 3.
  const [one, three] = [
    { id: 1, minutes: 0, state: 'draft' },
    { id: 3, notes: 'note 2', minutes: 2, state: 'closed' }
  ]
  t.strictSame(await problems(one, three), [])
  t.match(await problems({ ...one, minutes: 5 }), [/minutes of record 1 is 0, expected 5\./])
  t.match(await problems({ ...three, state: 'open' }), [/record 3 is not in the answers\./])
})

import t, { type Test } from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { handWritten } from '../support/hosts/hand-written.js'
import { callerOf, checksOf, openCases } from '../support/oracle/cases.js'

/** What a check says of a host. */
async function problemOf(t: Test, host: unknown, length: number): Promise<string | undefined> {
  const [check] = conformance(() => host as never)
  const error = await check?.run().then(undefined, (error: Error) => error)
  t.type(error, TypeError)
  return error?.message.slice(0, length)
}

t.test('a host that is none says what is expected', async (t) => {
  const { app, callers } = handWritten()
  const build = 'build must return { app, callers }, a Fastify server and at least one caller, got'
  const headers = 'A caller needs a name, and headers whose values are texts; got'
  const userId = "Caller the Individual needs a userId; 'linked' is an array of ids, or { table: ids }."
  const reach = (list: string) =>
    `'reach.${list}' of caller the Individual: expected own, linked, all, none, { own: an id column }, { linked: an id column, by: a table of links }, { where: values of columns } or an array of such objects; got`
  const role = 'Caller the Individual needs a role that is a string, or an array of strings'
  const of = (changes: object) => ({ app, callers: [{ ...callers[0], ...changes }] })
  for (const [host, message] of [
    [undefined, `${build} undefined.`],
    [app, build],
    [{ app, callers: [] }, `${build} an object with app, callers.`],
    [{ app: {}, callers }, `${build} an object with app, callers.`],
    [{ app, callers: [null] }, `${headers} null.`],
    [of({ name: undefined }), `${headers} an object with role`],
    [of({ headers: 'Bearer x' }), headers],
    [of({ headers: { cookie: undefined } }), headers],
    [of({ userId: undefined }), userId],
    [of({ userId: null }), userId],
    [of({ linked: '1,2' }), userId],
    [of({ reach: { assessments: 'own', payments: 'mine' } }), `${reach('payments')} 'mine'.`],
    [of({ reach: { assessments: { own: 5 } } }), `${reach('assessments')} an object with own.`],
    [of({ linked: { links: 1 } }), userId],
    [
      of({ reach: { assessments: { linked: 'user_id', by: 'staff' }, payments: 'own' } }),
      "Caller the Individual needs 'linked.staff', the ids that the table has for the caller."
    ],
    [of({ reach: undefined }), reach('assessments')],
    [
      of({ userId: 1.5 }),
      'Caller the Individual needs a userId that is a safe integer, a bigint or a non-empty string without control characters; got 1.5.'
    ],
    [of({ role: ['Individual', 7] }), `${role}; got an array.`],
    [of({ ids: ['t1'] }), 'Caller the Individual needs a plain object as ids; got an array.'],
    [
      of({ ids: { tenant: '' } }),
      'Caller the Individual needs a valid id as ids.tenant, such as userId; got an empty string.'
    ],
    [
      of({ totals: { payments: 3, refunds: 3 } }),
      'totals of caller the Individual.refunds: there is no such list. The lists are assessments, payments.'
    ]
  ] as const) {
    t.equal(await problemOf(t, host, message.length), message)
  }
  t.throws(() => conformance(() => ({ app, callers }), { maxLimit: 0 }), { message: /^Option 'maxLimit': / })
})

t.test('what a host knows is checked before the server is asked', async (t) => {
  const host = handWritten()
  const record = "known.payments: each record needs 'payment_id'; got"
  for (const [wrong, message] of [
    [{ known: { payment: [] } }, 'known.payment: there is no such list. The lists are assessments, payments.'],
    [{ totals: { refunds: 3 } }, 'totals.refunds: there is no such list.'],
    [{ known: { payments: [{ payment_id: 1, price: 3 }] } }, "known.payments: items have no field 'price'. The fields"],
    [{ known: { payments: [{ amount: 3 }] } }, `${record} an object with amount.`],
    [{ known: { payments: [null] } }, `${record} null.`],
    [
      { totals: { payments: 31 }, callers: host.callers.slice(0, 2) },
      "totals.payments needs a caller whose 'reach.payments' is 'all'."
    ]
  ] as const) {
    t.equal(await problemOf(t, { ...host, ...wrong }, message.length), message)
  }
  t.strictSame(host.urls, [])
})

t.test(
  'a caller needs the linked ids of the parts whose id the caller has, and a known record a caller of a tenant',
  async (t) => {
    const db = await openCases(t, 'sqlite')
    const problemOfCases = async (facts: object) => {
      const [check] = await checksOf(t, db, facts)
      return check?.run().then(String, ({ message }: Error) => message)
    }
    const di = { ...callerOf('Di', ['Parent']), linked: undefined }
    const needs = "Caller Di needs 'linked.guardians', the ids that the table has for the caller."
    t.equal(await problemOfCases({ callers: [di] }), needs)
    t.equal(await problemOfCases({ callers: [{ ...di, ids: { school: 's1', parent: null } }] }), 'undefined')
    const known = { cases: [{ id: 1 }] }
    const lonely = "known.cases needs a caller whose 'reach.cases' is 'all'."
    t.equal(await problemOfCases({ callers: [callerOf('Al', ['Admin'], {})], known }), lonely)
    t.equal(await problemOfCases({ callers: [callerOf('Al', ['Admin'])], known }), 'undefined')
  }
)

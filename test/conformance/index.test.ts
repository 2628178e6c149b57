import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import type { ListingOptions } from '../../src/index.js'
import { onStatus } from '../support/faults.js'
import { type Answer, type Asked, conformanceCallers, handWritten } from '../support/hand-written.js'
import { serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'

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

t.test('a list that gives no page says so, in every check that needs one', async (t) => {
  for (const [change, message] of [
    [{ status: 500, body: { error: 'Oops.' } }, /got 500 'Oops\.'\. The log of the server says why: /],
    [{ status: 404, body: { error: 'No.' } }, /got 404 'No\.'\. Is the option 'prefix' right\?$/],
    [{ body: { total: 3 } }, /expected an array 'data'\.$/],
    [{ body: 'no JSON' as never }, /expected an array 'data'\.$/]
  ] as const) {
    const messages: string[] = []
    for (const { name, run } of conformance(() => handWritten(onStatus(200, () => change)))) {
      if (name.startsWith('payments')) await run().catch((error: Error) => messages.push(error.message))
    }
    t.equal(messages.length, 5)
    for (const text of messages) t.match(text, message)
  }
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

t.test('a host that is none says what is expected', async (t) => {
  const { app, callers } = handWritten()
  const build = 'build must return { app, callers }, a Fastify server and at least one caller, got'
  const headers = 'A caller needs a name, and headers whose values are texts; got'
  const userId = "Caller the Individual needs a userId; 'linked' is an array of ids, or { table: ids }."
  const reach = (list: string) =>
    `'reach.${list}' of caller the Individual: expected own, linked, all, none, { own: an id column }, { linked: an id column, by: a table of links } or an array of such objects; got`
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
    [of({ reach: undefined }), reach('assessments')]
  ] as const) {
    const [check] = conformance(() => host as never)
    const error = await check?.run().then(undefined, (error: Error) => error)
    t.type(error, TypeError)
    t.equal(error?.message.slice(0, message.length), message)
  }
  t.throws(() => conformance(() => ({ app, callers }), { maxLimit: 0 }), { message: /^Option 'maxLimit': / })
})

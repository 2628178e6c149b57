import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import type { ListingOptions } from '../../src/index.js'
import { type Answer, type Asked, conformanceCallers, handWritten } from '../support/hand-written.js'
import { serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'

const callersOf = (app: FastifyInstance) =>
  conformanceCallers(({ userId, role }) => ({
    authorization: `Bearer ${app.jwt.sign({ sub: String(userId), role })}`
  }))

t.test('the lists pass every check', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const options = {
    prefix: '/api',
    maxLimit: 5,
    unknownParameters: 'ignore',
    messages: { unauthorized: 'Wer da?', parameterNotPositive: '{name}: 1 bis {maximum}' }
  } satisfies Partial<ListingOptions> & { prefix: string }
  const { app } = await serve(t, { db, ...options })
  for (const { name, run } of conformance(() => ({ app, callers: callersOf(app) }), options))
    await t.resolves(run(), name)
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
    [
      { status: 500, body: { error: 'Oops.' } },
      /as the (Individual|Admin): expected a page, got 500 'Oops\.'\. The log of the server says why: /
    ],
    [{ status: 404, body: { error: 'No.' } }, /expected a page, got 404 'No\.'\. Is the option 'prefix' right\?$/],
    [{ body: { total: 3 } }, /as the (Individual|Admin): expected an array 'data'\.$/],
    [{ body: 'no JSON' as never }, /as the (Individual|Admin): expected an array 'data'\.$/]
  ] as const) {
    const wrong = { answer: (answer: Answer) => (answer.status === 200 ? { ...answer, ...change } : answer) }
    const messages: string[] = []
    for (const { name, run } of conformance(() => handWritten(wrong))) {
      if (name.startsWith('payments')) await run().catch((error: Error) => messages.push(error.message))
    }
    t.equal(messages.length, 5)
    for (const text of messages) t.match(text, message)
  }
})

t.test('no message shows a token', async (t) => {
  const answer = (answer: Answer, { token = 'nobody' }: Asked): Answer => ({
    ...answer,
    status: answer.status === 400 ? 500 : answer.status,
    body: { ...answer.body, message: `${token} again: ${token.slice(7)}`, error: token }
  })
  for (const { name, run } of conformance(() => handWritten({ answer }))) {
    await run().then(
      () => undefined,
      ({ message }: Error) => t.notMatch(message, /token-of|not\.a\.token/, name)
    )
  }
})

t.test('a host that is none says what is expected', async (t) => {
  const { app, callers } = handWritten()
  const [caller] = callers
  const build = 'build must return { app, callers }, a Fastify server and at least one caller, got'
  const of = (changes: object) => ({ app, callers: [{ ...caller, ...changes }] })
  const headers = 'A caller needs a name, and headers whose values are texts; got an object'
  const linked = "Caller the Individual needs a userId; 'linked' is an array of ids."
  for (const [host, message] of [
    [undefined, `${build} undefined.`],
    [app, build],
    [{ app, callers: [] }, `${build} an object with app, callers.`],
    [{ app: {}, callers }, `${build} an object with app, callers.`],
    [{ app, callers: [null] }, 'A caller needs a name, and headers whose values are texts; got null.'],
    [of({ name: undefined }), `${headers} with role`],
    [of({ headers: 'Bearer x' }), headers],
    [of({ headers: { cookie: undefined } }), headers],
    [of({ userId: undefined }), linked],
    [of({ userId: null }), linked],
    [of({ linked: '1,2' }), linked],
    [
      of({ reach: { assessments: 'own', payments: 'mine' } }),
      "'reach.payments' of caller the Individual: expected one of own, linked, all, none; got a string."
    ],
    [of({ reach: undefined }), "'reach.assessments' of caller the Individual: expected one of"]
  ] as const) {
    const [check] = conformance(() => host as never)
    await t.rejects(async () => check?.run(), TypeError)
    await check?.run().catch((error: Error) => t.equal(error.message.slice(0, message.length), message))
  }
  t.throws(() => conformance(() => ({ app, callers }), { maxLimit: 0 }), { message: /^Option 'maxLimit': / })
})

import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { findsFaults, onStatus } from '../support/faults.js'
import { type Asked, handWritten, type Rules } from '../support/hand-written.js'
import { quietChecks } from '../support/host-lists.js'

/** A fault that answers some refused requests with a 200. */
const accepts = (status: number, isAccepted: (asked: Asked) => boolean): Partial<Rules> =>
  onStatus(status, (answer, asked) => {
    if (isAccepted(asked)) answer.status = 200
  })

findsFaults(t, 'without a valid token nobody learns anything', {
  'more than the error body': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search= as nobody: expected the body \{"status":401,"error":"Invalid or expired token\."\}, got \{"status":401,"error":"Invalid or expired token\.","code":"no_token"\}\.$/,
    wrong: onStatus(401, ({ body }) => {
      body.code = 'no_token'
    })
  },
  'no word about tokens': {
    list: 'payments',
    message: /^GET \/payment\/list\?search= as nobody: expected the header www-authenticate: Bearer, got undefined\.$/,
    wrong: onStatus(401, ({ headers }) => {
      delete headers['www-authenticate']
    })
  },
  'parameters come first': {
    list: 'assessments',
    message: /^GET \/assessment\/list\?page=0 as nobody: expected 401 \{.*\}, got 400\.$/,
    wrong: onStatus(401, (answer, { parameters }) => {
      if (parameters.has('page')) answer.status = 400
    })
  },
  'a bad token is good enough': {
    list: 'payments',
    message: /^GET \/payment\/list\?search= as somebody with a bad token: expected 401 \{.*\}, got 200\.$/,
    wrong: accepts(401, ({ token }) => token !== undefined)
  }
})

findsFaults(t, 'a role without reach is refused', {
  'an empty page': {
    list: 'assessments',
    message:
      /^GET \/assessment\/list\?search= as the ordinary user: expected 403 \{"status":403,"error":"You do not have permission to access these assessments\."\}, got 200\.$/,
    wrong: accepts(403, () => true)
  }
})

t.test('without a caller of the reach none, the check of the 403 is skipped', async (t) => {
  const { app, callers } = handWritten()
  const skipped: string[] = []
  const run = async (chosen: typeof callers) => {
    const checks = conformance(() => ({ app, callers: chosen })).filter(({ name }) => name.includes('without reach'))
    for (const { name, run } of checks) {
      t.equal(run.length, 0, 'no callback for Jest and Mocha')
      await run({ skip: (reason: string) => skipped.push(`${name}: ${reason}`) })
      await t.resolves(run(), 'a test runner without skip')
    }
    return skipped.splice(0)
  }
  const ofPayments = "payments: a role without reach is refused: No caller's 'reach.payments' is 'none'."
  t.strictSame(await run(callers), [ofPayments])
  t.strictSame(await run(callers.filter(({ reach }) => reach.assessments !== 'none')), [
    "assessments: a role without reach is refused: No caller's 'reach.assessments' is 'none'.",
    ofPayments
  ])
})

findsFaults(t, 'a wrong parameter is refused', {
  'a large limit is made smaller': {
    list: 'payments',
    message: /^GET \/payment\/list\?search=&limit=101 as the Individual: expected 400/,
    wrong: accepts(400, ({ parameters }) => parameters.get('limit') === '101')
  }
})

t.test('the first caller may be one who may not see the list', async (t) => {
  const { app, callers } = handWritten()
  const reversed = callers.toReversed()
  t.equal(reversed[0]?.reach.assessments, 'none')
  for (const { name, run } of conformance(() => ({ app, callers: reversed }))) await t.resolves(run(), name)
})

t.test('a list without a search refuses wrong parameters', async (t) => {
  const { run } = await quietChecks(t)
  await t.resolves(run('without a valid token nobody learns anything'))
  await t.resolves(run('a wrong parameter is refused'))
})

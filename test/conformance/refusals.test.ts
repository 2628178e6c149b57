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
  'a page that is no number is the first one': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search=&page=0 as the Individual: expected 400 \{"status":400,"error":"The query parameter 'page' must be a whole number from 1 to \d+, in plain digits\."\}, got 200\.$/,
    wrong: accepts(400, ({ parameters }) => parameters.has('page'))
  },
  'a large limit is made smaller': {
    list: 'payments',
    message: /^GET \/payment\/list\?search=&limit=101 as the Individual: expected 400/,
    wrong: accepts(400, ({ parameters }) => parameters.get('limit') === '101')
  },
  ...Object.fromEntries(
    ['1.5', '1e3', ''].map((value) => [
      `the page '${value}' is the first one`,
      {
        list: 'payments' as const,
        message: new RegExp(`^GET /payment/list\\?search=&page=${value} as the Individual: expected 400`),
        wrong: accepts(400, ({ parameters }) => parameters.get('page') === value)
      }
    ])
  ),
  'a repeated parameter': {
    list: 'payments',
    message: /^GET \/payment\/list\?search=&search= as the Individual: expected 400/,
    wrong: accepts(400, ({ parameters }) => parameters.getAll('search').length > 1)
  },
  'a control character': {
    list: 'payments',
    message: /^GET \/payment\/list\?search=%0A as the Individual: expected 400/,
    wrong: accepts(400, ({ search }) => search === '\n')
  },
  'a long search': {
    list: 'payments',
    message: /^GET \/payment\/list\?search=a{257} as the Individual: expected 400/,
    wrong: accepts(400, ({ search }) => search.length > 256)
  },
  'a misspelt parameter is ignored': {
    list: 'payments',
    message:
      /^GET \/payment\/list\?search=&serach= as the Individual: expected 400 .*allowed are: search, processor_status, page, limit\."\}, got 200\.$/,
    wrong: accepts(400, ({ parameters }) => parameters.has('serach'))
  },
  'a status that there is not': {
    list: 'assessments',
    message: /^GET \/assessment\/list\?search=&status=wrong as the Individual: expected 400/,
    wrong: accepts(400, ({ status }) => status !== '')
  },
  'a search that is missing': {
    list: 'assessments',
    message: /^GET \/assessment\/list\? as the Individual: expected 400/,
    wrong: accepts(400, ({ parameters }) => !parameters.has('search'))
  }
})

t.test('parameters that the host allows beside the list’s own are among the allowed ones', async (t) => {
  const host = handWritten(
    onStatus(400, ({ body }) => {
      body.error = String(body.error).replace(/, limit\.$/, ', limit, tenant.')
    })
  )
  const refusals = (unknownParameters: string[]) =>
    conformance(() => host, { unknownParameters }).filter(({ name }) => name.endsWith('a wrong parameter is refused'))
  for (const { name, run } of refusals(['tenant'])) await t.resolves(run(), name)
  for (const { name, run } of refusals(['locale'])) await t.rejects(run(), /limit, locale\..*limit, tenant\./, name)
})

t.test('a server that shall ignore unknown parameters must not refuse them', async (t) => {
  const checksOf = (host: ReturnType<typeof handWritten>) =>
    conformance(() => host, { unknownParameters: 'ignore' }).filter(({ name }) => name.includes('a wrong parameter'))
  const refuses =
    /GET .*serach=.* as the Individual: expected a page, got 400 'The query parameter 'serach' is not known/
  for (const { run } of checksOf(handWritten())) await t.rejects(run(), refuses)
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

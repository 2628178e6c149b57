/** Hostile input: generated query strings over raw sockets, and tokens with one changed byte. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { admin } from '../support/fixtures/world.js'
import { listen, raw } from '../support/hosts/listening.js'
import { type Answer, ask, serve, shown } from '../support/hosts/server.js'
import { headersOf, token } from '../support/hosts/tokens.js'
import { answerOf, expected, namesMistake } from '../support/oracle/oracle.js'
import { isLeftOut, reasonOf } from '../support/servers/left-out.mjs'
import { openWorld } from '../support/servers/tables.js'
import { codePoint, holds, seed, tell, tellOfLog, times, watched, watchedLogger } from './sizes.js'

const words = (text: string) => text.split(' ')
/** Search terms of people, tools and attackers, as a URL has them. */
const odd = [
  ...words(`0 1 2 -1 +1 %2B1 01 1.5 1e3 0x10 1_000 Infinity NaN null true １ 100 101 9007199254740991`),
  ...words(`9007199254740992 99999999999999999999 %20 + completed pending COMPLETED completed%00 succeeded a jane`),
  ...words(`%25 _ %5C ! %22 %00 %0A %7F %C2%85 %ED%A0%80 %FF % %4 %zz %C3 %F0%9F%98%80 é %C3%A9 %E2%80%AE [] %5B%5D`),
  ...words(`{} __proto__ constructor <script> $%7B7*7} {{7*7}} ../../etc/passwd %2e%2e%2f sleep(9)`),
  ...words(`1%20union%20select%201 %EF%BB%BF # ; &amp`),
  '',
  "'",
  "'%20or%201=1--%20",
  "x')%3Bdrop%20table%20users%3B--",
  'a'.repeat(256),
  'a'.repeat(257),
  '%F0%9F%98%80'.repeat(256)
]
const keys = [
  ...words(`search status processor_status page limit Page search[] page[0] search%00 %73earch __proto__ constructor`),
  ...words(`toString staus q sort user_id role`),
  ''
]
/** Characters of a URL, some of them encoded. */
const unit = fc.oneof(
  fc.constantFrom(..."aZ0-._~!$&'()*+,;=:@/?"),
  codePoint.map((text) => encodeURIComponent(String(Buffer.from(text))))
)
const value = fc.oneof(fc.constantFrom(...odd), fc.string({ maxLength: 12 }), fc.string({ unit }))
const pair = fc
  .tuple(fc.constantFrom(...keys), value)
  .chain(([name, value]) => fc.constantFrom(`${name}=${value}`, `${name}=${value}`, `${name}=${value}`, name))
const queries = fc.record({
  path: fc.constantFrom('/assessment/list', '/payment/list'),
  pairs: fc.array(pair, { maxLength: 5 }),
  join: fc.constantFrom('&', '&', '&', '&&', ';')
})

/** The reason why an answer to an administrator breaks the contract; undefined if it does not. */
function breach(url: string, status: number, text: string): string | undefined {
  let body: Answer['body']
  try {
    body = JSON.parse(text)
  } catch {
    return `no JSON: ${text}`
  }
  const wanted = answerOf(url, admin)
  if (wanted.status !== 200) {
    const isError = status === 400 && body.status === 400 && Object.keys(body).join() === 'status,error'
    return isError && namesMistake(wanted, body.error)
      ? undefined
      : `not ${JSON.stringify(wanted)}, but ${status} ${text}`
  }
  const { page, limit } = wanted
  const isPage = status === 200 && body.status === 'success' && body.page === page && body.limit === limit
  const { searchParams } = new URL(url, 'http://lists')
  // The collation decides which letters beyond ASCII match.
  const isOdd = /[^ -~]/.test(searchParams.get('search') ?? '') && Number.isSafeInteger(body.total)
  return isPage && (isOdd || isDeepStrictEqual(shown({ status, body }), expected(url, admin))) ? undefined : text
}

/** Fastify's answer to a request that is not HTTP. */
const unparsable = '{"error":"Bad Request","message":"Client Error","statusCode":400}'

t.test('the answer to every query string follows the contract', { timeout: 3_600_000 }, async (t) => {
  const db = await openWorld(t, 'mysql')
  const { app } = await serve(t, { db }, { server: { logger: watchedLogger } })
  const { port } = await listen(app)
  const { authorization } = headersOf(admin)
  await holds(
    t,
    'query strings: neither the contract’s error nor a right answer',
    fc.asyncProperty(queries, async ({ path, pairs, join }) => {
      // Node itself refuses spaces and control characters in the request line.
      const query = pairs.join(join).replace(/[\p{Cc} ]/gu, '')
      const answer = await raw(
        port,
        `GET ${path}?${query} HTTP/1.1\r\nhost: lists\r\nconnection: close\r\nauthorization: ${authorization}\r\n\r\n`
      )
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
      const [, body = ''] = answer.split('\r\n\r\n')
      // Node's HTTP parser refuses some bytes beyond ASCII before Fastify gets the request.
      if (status === 400 && body === unparsable && /[^!-~]/.test(query)) return
      const problem = breach(`${path}?${query}`, status, body)
      if (problem) throw new Error(`${path}?${query}: ${problem}`)
    }),
    times(700, 5_000, 20_000)
  )
})

const refusal = '{"status":401,"error":"Invalid or expired token."}'

t.test('a token with one changed byte is a 401 and causes no statement', { timeout: 600_000 }, async (t) => {
  let statements = 0
  const db = await openWorld(t, 'mysql', { onQuery: () => void statements++ })
  const { app } = await serve(t, { db }, { server: { logger: watchedLogger } })
  const good = token({ sub: '20', role: 'Admin', iat: Math.floor(Date.now() / 1000) })
  t.equal((await ask(app, '/payment/list', { headers: { authorization: `Bearer ${good}` } })).status, 200)
  statements = 0
  const change = fc.record({ part: fc.nat(2), place: fc.nat(1_000), bits: fc.integer({ min: 1, max: 255 }) })
  const changes = fc.sample(change, { seed, numRuns: times(100, 2_000, 2_000) })
  let broken = 0
  for (const { part, place, bits } of changes) {
    const parts = good.split('.').map((text) => Buffer.from(text, 'base64url'))
    const bytes = parts[part] as Buffer
    const at = place % bytes.length
    bytes[at] = Number(bytes[at]) ^ bits
    const authorization = `Bearer ${parts.map((each) => each.toString('base64url')).join('.')}`
    const { status, text } = await ask(app, '/payment/list', { headers: { authorization } })
    if (status === 401 && text === refusal) continue
    broken++
    t.fail(`${authorization}: ${status} ${text}`)
  }
  t.equal(statements, 0, 'no statement was sent')
  tell({ what: 'bad tokens: anything but the 401', tried: changes.length, broken: broken + statements })
})

t.test(
  'the log of all these requests contains no secret',
  { skip: isLeftOut('mysql') && reasonOf('mysql') },
  async (t) => {
    t.ok(watched.lines > 0)
    t.strictSame(watched.leaks.slice(0, 3), [])
    tellOfLog('hostile input')
  }
)

import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { defineList, defineOptions, type List } from '../../src/index.js'
import { profiles } from '../support/fixtures/profiles.js'
import { problemsOf } from '../support/fixtures/tasks-conformance.js'
import { individual } from '../support/fixtures/world.js'
import { findsFaults, onStatus } from '../support/hosts/faults.js'
import { handWritten } from '../support/hosts/hand-written.js'
import { resolveRole, serve } from '../support/hosts/server.js'
import { headersOf } from '../support/hosts/tokens.js'
import { callerOf, cases, checksOf, everyone, openCases } from '../support/oracle/cases.js'
import { execute } from '../support/oracle/check.js'
import { openWorld } from '../support/servers/tables.js'

const body = '{"status":401,"error":"Invalid or expired token."'
const forbidden = '{"status":403,"error":"You do not have permission to access these assessments."}'

findsFaults(t, 'without a valid token nobody learns anything', {
  'more than the error body': [
    `GET /payment/list?search= as nobody: expected the body ${body}}, got ${body},"code":"no_token"}.`,
    onStatus(401, ({ body }) => ({ body: { ...body, code: 'no_token' } }))
  ],
  'no word about tokens': [
    'GET /payment/list?search= as nobody: expected the header www-authenticate: Bearer, got undefined.',
    onStatus(401, () => ({ headers: {} }))
  ],
  'parameters come first': [
    `GET /assessment/list?page=0 as nobody: expected 401 ${body}}, got 400.`,
    onStatus(401, (_, { parameters }) => parameters.has('page') && { status: 400 })
  ],
  'a bad token is good enough': [
    `GET /payment/list?search= as somebody with a bad token: expected 401 ${body}}, got 200.`,
    onStatus(401, (_, { token }) => token !== undefined && { status: 200 })
  ]
})

findsFaults(t, 'a role without reach is refused', {
  'an empty page': [
    `GET /assessment/list?search= as the ordinary user: expected 403 ${forbidden}, got 200.`,
    onStatus(403, () => ({ status: 200 }))
  ]
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
  const reason = (list: string) => `${list}: a role without reach is refused: No caller's 'reach.${list}' is 'none'.`
  t.strictSame(await run(callers), [reason('payments')])
  const seeing = callers.filter(({ reach }) => reach.assessments !== 'none')
  t.strictSame(await run(seeing), [reason('assessments'), reason('payments')])
})

t.test('the first caller may be one who may not see the list', async (t) => {
  const { app, callers } = handWritten()
  const reversed = callers.toReversed()
  t.equal(reversed[0]?.reach.assessments, 'none')
  for (const { name, run } of conformance(() => ({ app, callers: reversed }))) await t.resolves(run(), name)
})

t.test('a list without a search refuses strangers', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(db, 'create table profiles (user_id integer primary key, made_at datetime)')
  const { app } = await serve(t, defineOptions({ db, resolveRole, lists: [profiles] }))
  const callers = [{ name: 'Ada', headers: headersOf(individual), userId: 1, reach: { profiles: 'own' } }] as const
  const checks = conformance(() => ({ app, callers }), { lists: [profiles] })
  const run = checks.find(({ name }) => name.endsWith('nobody learns anything'))?.run
  t.ok(run)
  await run?.()
})

t.test('the route of one record refuses whom the list refuses', async (t) => {
  const roles = ['Admin', 'Guest']
  for (const [status, word, refused] of [
    [401, 'nobody learns anything', 'nobody'],
    [403, 'without reach', 'Guest']
  ] as const) {
    t.strictSame(await problemsOf(t, word, undefined, { roles }), [], word)
    const open = (body: Record<string, unknown>, url: string) =>
      body.status === status && /\/task\/\d/.test(url) ? { status: 'success', message: 'Task found.', task: {} } : body
    const [problem = ''] = await problemsOf(t, word, open, { roles })
    t.match(problem, new RegExp(`GET /task/\\d+\\? as ${refused}: expected ${status} .*, got 200\\.$`))
  }
  const open = (body: Record<string, unknown>, url: string) =>
    body.status === 401 && url.includes('/task/no') ? { status: 404, error: 'No such task.' } : body
  const [problem] = await problemsOf(t, 'nobody learns', open, { roles: ['Guest'] })
  t.match(problem, /\/task\/no%20such%20record\? as nobody: .* got 404/, 'no caller sees a record')
})

const needsId = 'cases: a caller without an id of the list is refused'

t.test('a caller without an id that the list is within gets a 500 and no record', async (t) => {
  const db = await openCases(t, 'sqlite')
  const run = async (facts?: Parameters<typeof checksOf>[2], wrong?: Parameters<typeof checksOf>[3]) => {
    const told: string[] = []
    const check = (await checksOf(t, db, facts, wrong)).find(({ name }) => name === needsId)
    await check?.run({ skip: (reason: string) => told.push(reason) }).catch(({ message }) => told.push(message))
    return told
  }
  t.strictSame(await run(), [])
  t.strictSame(await run({ callers: everyone.slice(0, 3) }), ['No caller lacks ids.school.'])
  const served = defineList({ ...cases.definition, within: {} }) as List
  const body = '{"status":500,"error":"Internal server error."}'
  t.strictSame(await run({}, { served }), [`GET /case/list?search= as Ho: expected 500 ${body}, got 200.`])
  const checks = await checksOf(t, db, { list: served })
  t.notOk(
    checks.some(({ name }) => name === needsId),
    'a list that is within nothing has no such check'
  )
  const refused = { ...callerOf('Ho', ['Counsellor'], {}), reach: { cases: 'none' } }
  t.match(await run({ callers: [refused] }), [/^No caller lacks/], 'a role without reach is a 403 first')
})

import t from 'tap'
import { callerFrom } from '../../src/visibility/caller.js'
import { admin } from '../support/fixtures/world.js'
import { serve } from '../support/hosts/server.js'
import { openWorld } from '../support/servers/tables.js'

const statements: unknown[] = []
const db = await openWorld(t, 'sqlite', { onQuery: (query) => statements.push(query) })

t.test('the result of resolveRole is validated, and the log describes a wrong result without its values', async (t) => {
  statements.length = 0
  let answer: unknown
  const { get, lines } = await serve(t, { db, resolveRole: () => answer as never }, { log: 'error' })
  for (const [given, message] of [
    [{ id: 1, role: 'Admin' }, /userId .*; it returned an object with id, role\.$/],
    [{ userId: '', role: 'Admin' }, /userId .*; it returned an empty string\.$/],
    [{ userId: '1\u0000', role: 'Admin' }, /userId .*; it returned a string\.$/],
    [{ userId: '\ud800', role: 'Admin' }, /userId .*; it returned a string\.$/],
    [{ userId: 1.5, role: 'Admin' }, /userId .*; it returned 1\.5\.$/],
    [{ userId: 2 ** 53, role: 'Admin' }, /userId .*; it returned 9007199254740992\.$/],
    [{ userId: { hidden: 1 }, role: 'Admin' }, /userId .*; it returned an object with hidden\.$/],
    [
      { userId: 1, roles: ['Admin'] },
      /role that is a string, or an array of strings; it returned an object with userId, roles\.$/
    ],
    [{ userId: 20, role: 7 }, /role that is a string, or an array of strings; it returned 7\.$/],
    [{ userId: 20, role: ['Admin', null] }, /or an array of strings; it returned an array\.$/],
    [{ userId: 20, role: 'Admin', ids: 'hidden' }, /must return a plain object as ids; it returned a string\.$/],
    [{ userId: 20, role: 'Admin', ids: ['hidden'] }, /must return a plain object as ids; it returned an array\.$/],
    [
      { userId: 20, role: 'Admin', ids: { site: 1.5 } },
      /must return a valid id as ids\.site, such as userId; it returned 1\.5\.$/
    ],
    ['hidden', /userId .*; it returned a string\.$/]
  ] as const) {
    answer = given
    lines.length = 0
    t.strictSame((await get('/payment/list', admin)).body, { status: 500, error: 'Internal server error.' })
    t.match(lines, [{ msg: message }])
    t.equal(lines.length, 1)
  }
  t.strictSame(statements, [])
  answer = { userId: 1n, role: 'Admin' }
  t.equal((await get('/payment/list', admin)).status, 200, 'a bigint is an id')
  answer = { userId: 1, role: ['Individual', 'Admin'], ids: { site: 7n, tenant: null, parent: undefined } }
  t.equal(
    (await get('/assessment/list?search=', admin)).status,
    200,
    'several roles, and ids of which some are missing'
  )
  answer = { userId: 20, role: [] }
  t.equal((await get('/assessment/list?search=', admin)).status, 403, 'no role is as an unknown one')
  t.equal((await get('/payment/list', admin)).status, 200, 'otherRoles')
})

t.test('what the host does to the caller later has no effect', async (t) => {
  const [role, ids] = [['Admin'], { site: '7', tenant: null }]
  const caller = callerFrom({ userId: 1, role, ids }, () => t.fail() as never)
  role.push('Desk')
  ids.site = '8'
  t.strictSame(caller, { userId: '1', roles: ['Admin'], ids: { site: '7' } })
})

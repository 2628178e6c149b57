import t from 'tap'
import { admin } from '../support/fixtures/world.js'
import { serve } from '../support/hosts/server.js'
import { cases as list, openCases } from '../support/oracle/cases.js'
import { openWorld } from '../support/servers/tables.js'

t.test('a role without assessments gets a 403, even if a parameter is missing (contract 65 and 101)', async (t) => {
  const { get } = await serve(t, { db: await openWorld(t, 'sqlite') })
  const { status, body } = await get('/assessment/list', { userId: 30, role: 'ordinary user' })
  const error = 'You do not have permission to access these assessments.'
  t.strictSame([status, body], [403, { status: 403, error }])
})

t.test('a caller without an id that the list is within is a 500, whose log line names the id', async (t) => {
  const cases = await openCases(t, 'sqlite')
  const resolveRole = () => ({ userId: 7, role: ['Parent', 'Admin'], ids: { parent: 'P9', school: null } })
  const { get, lines } = await serve(t, { db: cases, resolveRole, lists: [list] } as never, { log: 'error' })
  t.strictSame((await get('/case/list?search=', admin)).body, { status: 500, error: 'Internal server error.' })
  const msg = "resolveRole must return ids.school, because 'cases' is within it; it returned none."
  t.match(lines, [{ msg }])
})

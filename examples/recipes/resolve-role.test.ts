import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveRole } from './build-server.js' // Your own.

test('a member has the role of the accounts, and a stranger none', async () => {
  assert.deepEqual(await resolveRole({ user: { sub: '3' } }), { userId: 3, role: 'Admin' })
  for (const sub of ['5', '', 'constructor']) assert.equal(await resolveRole({ user: { sub } }), null, sub)
})

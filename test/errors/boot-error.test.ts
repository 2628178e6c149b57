/**
 * Errors that stop the boot have a code. `rules.test.ts` has the code for each other invalid option, `on-ready.test.ts`
 * that for a database that does not fit, and `caller.test.ts` that for a missing authentication.
 */
import t from 'tap'
import { serve } from '../support/hosts/server.js'
import { withoutDatabase } from '../support/servers/session.js'

t.test('an invalid option stops the boot with a code', async (t) => {
  const db = withoutDatabase('sqlite')
  const invalid = { name: 'TypeError', code: 'FST_LISTING_INVALID_OPTION' }
  await t.rejects(serve(t, { db, maxLimt: 5 } as never), { ...invalid, message: /Did you mean 'maxLimit'\?/ })
  const users = db.selectFrom('users').selectAll() as never
  await t.rejects(serve(t, { db: () => db, tables: { users } }), invalid)
})

/** Errors that stop the boot have a code. `caller.test.ts` has the code for a missing authentication. */
import t from 'tap'
import { openDatabase } from '../support/databases.js'
import { serve } from '../support/server.js'

t.test('each error that stops the boot has its code', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const invalid = { name: 'TypeError', code: 'FST_LISTING_INVALID_OPTION' }
  await t.rejects(serve(t, { db, maxLimt: 5 } as never), { ...invalid, message: /Did you mean 'maxLimit'\?/ })
  await t.rejects(serve(t, { db, maxLimit: 0 }), invalid)
  await t.rejects(serve(t, { db, maxLimit: 5, defaultLimit: 6 }), invalid)
  const select = db.selectFrom('users').selectAll() as never
  await t.rejects(serve(t, { db: () => db, tables: { users: select } }), invalid)
  await t.rejects(serve(t, { db, checkOnReady: 'error' }), { name: 'Error', code: 'FST_LISTING_DATABASE_MISFIT' })
})

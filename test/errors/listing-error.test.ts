import t from 'tap'
import { createListings, ListingError } from '../../src/index.js'
import { admin } from '../support/fixtures/world.js'
import { resolveRole } from '../support/hosts/server.js'
import { openDatabase } from '../support/servers/databases.js'

t.test('the error of a call has the text of the route, and the reason for the operator', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const messages = { internal: 'Interner Fehler.' }
  const { find, each } = createListings({ db, resolveRole, messages, tables: { payments: 'nothing' } })
  const error = await find('payments', { caller: admin }).catch((error) => error)
  t.type(error, ListingError)
  t.match(error, {
    ...{ statusCode: 500, kind: 'internal', message: 'Interner Fehler.' },
    reason: "Missing in the database: nothing. Create the table or the column, or map your own in the option 'tables'.",
    facts: { missing: 'nothing' },
    body: { status: 500, error: 'Interner Fehler.' }
  })
  t.equal(error.cause, undefined, 'a driver writes values into its errors')
  await t.rejects(each('payments', { caller: admin }).next(), { statusCode: 500, message: 'Interner Fehler.' })
})

t.test('a TypeError of the host in a right call is the error of the route', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const broken = () => {
    throw new TypeError('broken')
  }
  const { find, each } = createListings({ db: () => db, resolveRole, tables: broken })
  const facts = { callback: 'tables', error: 'TypeError: broken' }
  const error = { name: 'ListingError', statusCode: 500, message: 'Internal server error.', facts }
  await t.rejects(find('payments', { caller: admin, db }), error)
  t.throws(() => each('payments', { caller: admin, db }), error)
})

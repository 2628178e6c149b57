import t from 'tap'
import { payments } from '../../src/lists/ready/payments.js'
import { defineOptions } from '../../src/options/options.js'
import { settingsOf } from '../../src/options/settings.js'
import { db, resolveRole } from '../support/hosts/options.js'

t.test('the options of a list of one’s own are the object that the host gave', async (t) => {
  const refunds = payments.extend({ columns: {} })
  const given = { db, resolveRole, lists: [refunds], roles: { payments: { Clerk: 'own' } } } as const
  const options = defineOptions(given)
  t.equal(options, given)
  t.match(settingsOf(options).lists, [{ name: 'payments', roles: { Clerk: 'own' } }])
})

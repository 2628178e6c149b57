import t from 'tap'
import { Failure } from '../../src/errors/failure.js'
import { createListings } from '../../src/index.js'
import { payments } from '../../src/lists/ready/payments.js'
import { clientTextOf } from '../../src/options/client-text.js'
import { defaultMessages } from '../../src/options/messages.js'
import { admin, individual } from '../support/fixtures/world.js'
import { resolveRole, serve } from '../support/hosts/server.js'
import { openWorld } from '../support/servers/tables.js'

t.test('the host can change every message', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get } = await serve(t, {
    db,
    roles: { payments: { Individual: 'none' } },
    messages: {
      paymentsFound: 'Zahlungen gefunden.',
      unauthorized: 'Bitte anmelden.',
      paymentsForbidden: 'Keine Rechte.',
      parameterNotPositive: '{name}: 1 bis {maximum}.'
    }
  })
  t.equal((await get('/payment/list', admin)).body.message, 'Zahlungen gefunden.')
  t.equal((await get('/payment/list')).body.error, 'Bitte anmelden.')
  t.equal((await get('/payment/list', individual)).body.error, 'Keine Rechte.')
  t.equal((await get('/payment/list?limit=0', admin)).body.error, 'limit: 1 bis 100.')
})

t.test('the host can change the texts of one record, where a list has it', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const record = { path: '/payment/:id', key: 'one', messages: { found: 'Found.', notFound: 'No.' } } as const
  const messages = { paymentsRecordFound: 'Zahlung gefunden.', paymentsRecordNotFound: 'Keine Zahlung.' }
  const { get } = await serve(t, { db, lists: [payments.extend({ record })] as never, messages })
  t.equal((await get('/payment/none', admin)).body.error, 'Keine Zahlung.')
  const [payment] = (await get('/payment/list', admin)).body.data as { payment_id: string }[]
  t.equal((await get(`/payment/${payment?.payment_id}`, admin)).body.message, 'Zahlung gefunden.')
  t.throws(() => createListings({ db, resolveRole, messages }), /paymentsForbidden; got an entry 'paymentsRecordFound'/)
})

t.test('a client reads neither the words for the operator nor those of a host', async (t) => {
  const textOf = (failure: Failure) => clientTextOf(failure, payments, defaultMessages)
  t.equal(textOf(new Failure('host', 'secret', {}, 599)), 'Error.')
  t.equal(textOf(Object.assign(new Failure('parameter', 'secret'), { clientMessage: 'No.' })), 'No.')
})

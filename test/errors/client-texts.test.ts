import t from 'tap'
import { clientTextOf, defaultMessages, fill } from '../../src/errors/client-texts.js'
import { Failure } from '../../src/errors/failure.js'
import { createListings } from '../../src/index.js'
import { payments } from '../../src/lists/ready/payments.js'
import { admin, individual } from '../support/fixtures/world.js'
import { resolveRole, serve } from '../support/hosts/server.js'
import { openWorld } from '../support/servers/tables.js'

t.test('the default texts cannot be changed', async (t) => {
  t.throws(() => Object.assign(defaultMessages, { internal: 'Oops.' }), TypeError)
  t.equal(defaultMessages.internal, 'Internal server error.')
})

t.test('values replace the placeholders of a text', async (t) => {
  const cases: [text: string, values: Record<string, string | number>, filled: string][] = [
    ['plain', {}, 'plain'],
    ['from 1 to {maximum}', { maximum: 100 }, 'from 1 to 100'],
    ['{name}: {allowed}', { name: 'status', allowed: 'a, b' }, 'status: a, b'],
    ['{name} {name}', { name: 'x' }, 'x x'],
    ['{zero}{empty}.', { zero: 0, empty: '' }, '0.'],
    ['{name} {other}', { name: 'x' }, 'x {other}'],
    ['{} { name } {na-me} {', { name: 'x' }, '{} { name } {na-me} {'],
    ['{a} {b}', { a: '{b}', b: '{a}' }, '{b} {a}'],
    ['{a}', { a: "$& $1 $$ $'" }, "$& $1 $$ $'"],
    // Inherited properties are no values.
    ['{constructor} {__proto__}', {}, '{constructor} {__proto__}']
  ]
  for (const [text, values, filled] of cases) t.equal(fill(text, values), filled, text)
})

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

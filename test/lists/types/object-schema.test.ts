import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import * as legacy from '@sinclair/typebox'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import * as current from 'typebox'
import { ListErrorBody } from '../../../src/lists/answer-schemas.js'
import { PaymentItem, PaymentPage, PaymentQuery } from '../../../src/lists/ready/payments.js'

const payment = {
  payment_id: '1',
  user_id: '2',
  email: 'zoe@example.org',
  amount: 9.5,
  quantity: 1,
  payment_intent: 'pi_1',
  paid_at: '',
  payment_method: 'card',
  payment_status: 'paid',
  processor_status: 'succeeded',
  created_at: '2024-03-01 09:30:00'
} satisfies PaymentItem

/** What a route of a host answers that has the schema. */
async function answerOf(t: Test, schema: unknown, answer: unknown) {
  const app = Fastify()
  t.teardown(() => app.close())
  app.get('/', { schema: { response: { 200: schema } } }, () => answer)
  return (await app.inject('/')).json()
}

// test/types.ts and test/commonjs.cts have the static types.
for (const [name, { Type }] of [
  ['@sinclair/typebox', legacy],
  ['typebox 1.x', current as unknown as typeof legacy]
] as const) {
  t.test(`a host builds schemas of its own with ours and ${name}`, async (t) => {
    const nested = Type.Object({ first: PaymentItem, more: Type.Array(PaymentItem), none: Type.Optional(PaymentItem) })
    t.match(nested, { required: ['first', 'more'] })
    t.strictSame(await answerOf(t, nested, { first: payment, more: [payment] }), { first: payment, more: [payment] })

    const { payment_id, amount, ...rest } = payment
    const picked = Type.Pick(PaymentItem, ['payment_id', 'amount'])
    t.match(picked, { required: ['payment_id', 'amount'] })
    t.strictSame(await answerOf(t, picked, payment), { payment_id, amount })
    t.strictSame(await answerOf(t, Type.Omit(PaymentItem, ['payment_id', 'amount']), payment), rest)

    const partial = Type.Partial(PaymentItem)
    t.notOk(partial.required)
    t.strictSame(await answerOf(t, partial, { amount }), { amount })

    t.match(Type.Pick(PaymentQuery, ['page']), { required: undefined, properties: { page: { minimum: 1 } } })
    t.match(Type.Index(PaymentPage, ['data']), { type: 'array', items: { required: Object.keys(payment) } })
    t.match(Type.Partial(ListErrorBody), { required: undefined, properties: { status: {}, error: {} } })
  })
}

t.test('the validator of @fastify/type-provider-typebox reads the numbers of a query', async (t) => {
  const app = Fastify().setValidatorCompiler(TypeBoxValidatorCompiler)
  t.teardown(() => app.close())
  app.get('/', { schema: { querystring: PaymentQuery } }, ({ query }) => query)
  t.strictSame((await app.inject('/?page=2&search=5')).json(), { page: 2, search: '5' })
  t.equal((await app.inject('/?page=0')).statusCode, 400)
})

t.test('what typebox 1.x needs is hidden from everybody who reads a schema as JSON', async (t) => {
  t.match(PaymentItem, { '~kind': 'Object' })
  t.notMatch(Object.keys(PaymentItem), ['~kind'])
  t.notMatch(JSON.stringify([PaymentItem, PaymentPage, PaymentQuery, ListErrorBody]), '~')
})

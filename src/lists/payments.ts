/** The list `GET /payment/list` (contract 2). */
import { Type } from '@sinclair/typebox'
import { decimal, id, integer, text, wallTime, wallTimeOrEmpty } from './fields.js'
import { defineList } from './list.js'
import { maxTextLength, type Page, type PageParameters } from './schemas.js'

const parameters = {
  search: Type.Optional(
    Type.String({
      maxLength: maxTextLength,
      description:
        "Stands anywhere in the payment_intent or the user's email; literal text, ASCII letters in either case. Empty: no search.",
      examples: ['pi_3']
    })
  ),
  processor_status: Type.Optional(
    Type.String({
      maxLength: maxTextLength,
      description:
        'Only payments with exactly this status at the processor; common are succeeded (paid), pending, failed, canceled and complete. Empty: no filter.',
      examples: ['succeeded']
    })
  )
}

const fields = {
  payment_id: id('r.payment_id', { examples: ['90210'] }),
  user_id: text('r.user_id', { description: 'The paying user.', examples: ['17'] }),
  email: text('u.email', { description: 'Of the paying user.', examples: ['zoe.obrien@example.org'] }),
  amount: decimal('r.amount', { description: 'Decimal amount.', examples: [129.5] }),
  quantity: integer('r.quantity', { examples: [1] }),
  payment_intent: text('r.payment_intent', {
    description: 'Unique order code at the payment processor.',
    examples: ['pi_3OqXk2Lz']
  }),
  paid_at: wallTimeOrEmpty('r.paid_at', {
    description: '`YYYY-MM-DD hh:mm:ss`; empty while not paid.',
    examples: ['2024-03-01 09:31:12']
  }),
  payment_method: text('r.payment_method', { examples: ['card'] }),
  payment_status: text('r.payment_status', { description: 'Status in the service.', examples: ['paid'] }),
  processor_status: text('r.processor_status', { description: 'Status at the processor.', examples: ['succeeded'] }),
  created_at: wallTime('r.created_at', { description: '`YYYY-MM-DD hh:mm:ss`.', examples: ['2024-03-01 09:30:00'] })
}

export const payments = defineList('payments', 'Payment', {
  path: '/payment/list',
  operationId: 'listPayments',
  summary: 'List payments',
  description: 'The payments that the caller may see, newest first.',
  key: 'data',
  parameters,
  fields,

  roles: {
    Individual: 'own',
    Practitioner: 'own',
    'Master Practitioner': 'own',
    Institutional: 'own',
    Admin: 'all',
    'Super Admin': 'all'
  },
  otherRoles: 'own',

  search: { records: ['payment_intent'], users: ['email'] },
  filters: { processor_status: 'processor_status' }
})

/** The query of `GET /payment/list` with default paging, as a JSON schema and a type (contract 9 to 23). */
export const PaymentQuery = payments.query
export type PaymentQuery = PageParameters & {
  /**
   * Part of the `payment_intent` or of the user's email, of at most 256 characters. The text is literal, and ASCII
   * letters match in either case. The default and an empty text match every payment.
   */
  search?: string
  /**
   * Only payments with exactly this status at the processor, of at most 256 characters. The default and an empty text
   * match every payment.
   */
  processor_status?: string
}

/** A payment in an answer, as a JSON schema and a type (contract 49 to 60). */
export const PaymentItem = payments.item
export type PaymentItem = {
  /** Id of the payment. From `payments.payment_id`. */
  payment_id: string
  /** Id of the paying user. Empty for a guest. From `payments.user_id`. */
  user_id: string
  /** Email address of the paying user, or empty. From `users.email`. */
  email: string
  /** Decimal amount in whole units of the currency. From `payments.amount`. */
  amount: number
  /** Number of items, a whole number. From `payments.quantity`. */
  quantity: number
  /** Unique order code at the payment processor, or empty. From `payments.payment_intent`. */
  payment_intent: string
  /** Wall-clock time of the payment, `YYYY-MM-DD hh:mm:ss`. Empty while not paid. From `payments.paid_at`. */
  paid_at: string
  /** Method of the payment, such as `card`, or empty. From `payments.payment_method`. */
  payment_method: string
  /** Status in the service, such as `paid`, or empty. From `payments.payment_status`. */
  payment_status: string
  /** Status at the payment processor, such as `succeeded`, or empty. From `payments.processor_status`. */
  processor_status: string
  /** Wall-clock time of the creation, `YYYY-MM-DD hh:mm:ss`. From `payments.created_at`. */
  created_at: string
}

/** A 200 answer of `GET /payment/list`, as a JSON schema and a type (contract 26 to 31). */
export const PaymentPage = payments.answer
export type PaymentPage = Page & {
  /** The payments of this page, newest first. Empty for a page past the end. */
  data: PaymentItem[]
}

/** The definition of the payments (contract 2). */
import { type ColumnsFor, column } from './columns.js'
import { defineList } from './define-list.js'
import type { PageParameters } from './paging.js'
import type { PageProperties } from './schemas.js'

/** Columns of the `payments` table. A null text and a null time become ''. */
export interface PaymentColumns {
  /** Id of the payment. Unique and not null. */
  payment_id: string | number | bigint
  /** Id of the paying user, as in `users.user_id`. Null for a guest (contract 66). */
  user_id: string | number | bigint | null
  /** Decimal amount in whole units of the currency. Not null. */
  amount: string | number
  /** Number of items, a whole number. Not null. */
  quantity: string | number | bigint
  /** Order code at the payment processor. */
  payment_intent: string | null
  /** Wall-clock time of the payment. Null while not paid. */
  paid_at: Date | string | null
  /** Method of the payment, any text. */
  payment_method: string | null
  /** Status in the service, any text. */
  payment_status: string | null
  /** Status at the payment processor, any text. The parameter `processor_status` filters by it. */
  processor_status: string | null
  /** Wall-clock time of the creation, which sorts the list. Not null. */
  created_at: Date | string
}

/** The list `GET /payment/list`. */
export const payments = defineList({
  name: 'payments',
  path: '/payment/list',
  key: 'data',
  openapi: {
    name: 'Payment',
    operationId: 'listPayments',
    summary: 'List payments',
    description: 'The payments that the caller may see, newest first.'
  },

  columns: {
    payment_id: column.id(),
    user_id: column.id({ whenNull: 'empty' }),
    amount: column.decimal(),
    quantity: column.integer(),
    payment_intent: column.text(),
    paid_at: column.wallTime(),
    payment_method: column.text(),
    payment_status: column.text(),
    processor_status: column.text(),
    created_at: column.wallTime({ whenNull: 'error' })
  } satisfies ColumnsFor<PaymentColumns>,
  id: 'payment_id',
  owner: 'user_id',
  newest: 'created_at',

  fields: {
    payment_id: { examples: ['90210'] },
    user_id: { description: 'The paying user.', examples: ['17'] },
    email: { column: 'users.email', description: 'Of the paying user.', examples: ['zoe.obrien@example.org'] },
    amount: { description: 'Decimal amount.', examples: [129.5] },
    quantity: { examples: [1] },
    payment_intent: { description: 'Unique order code at the payment processor.', examples: ['pi_3OqXk2Lz'] },
    paid_at: { description: '`YYYY-MM-DD hh:mm:ss`; empty while not paid.', examples: ['2024-03-01 09:31:12'] },
    payment_method: { examples: ['card'] },
    payment_status: { description: 'Status in the service.', examples: ['paid'] },
    processor_status: { description: 'Status at the processor.', examples: ['succeeded'] },
    created_at: { description: '`YYYY-MM-DD hh:mm:ss`.', examples: ['2024-03-01 09:30:00'] }
  },
  search: {
    columns: ['payment_intent', 'users.email'],
    description:
      "Stands anywhere in the payment_intent or the user's email; literal text, ASCII letters in either case. Empty: no search.",
    examples: ['pi_3']
  },
  filters: {
    processor_status: {
      description:
        'Only payments with exactly this status at the processor; common are succeeded (paid), pending, failed, canceled and complete. Empty: no filter.',
      examples: ['succeeded']
    }
  },

  roles: {
    Individual: 'own',
    Practitioner: 'own',
    'Master Practitioner': 'own',
    Institutional: 'own',
    Admin: 'all',
    'Super Admin': 'all'
  },
  otherRoles: 'own',

  messages: {
    found: 'Payments retrieved successfully.',
    forbidden: 'You do not have permission to access these payments.'
  }
})

/** The query of `GET /payment/list` with default paging, as a JSON schema and a type (contract 9 to 23). */
export const PaymentQuery: (typeof payments)['query'] = payments.query
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
export const PaymentItem: (typeof payments)['item'] = payments.item
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
export const PaymentPage: (typeof payments)['page'] = payments.page
export type PaymentPage = PageProperties & {
  /** The payments of this page, newest first. Empty for a page past the end. */
  data: PaymentItem[]
}

/** The definition of the payments (contract 2). */
import { column, type RowsOf } from '../column.js'
import { defineList } from '../define-list.js'
import type { ItemOf, QueryOf } from '../types/defined-list.js'
import type { PageProperties } from '../types/pages.js'

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

  fields: {
    /** Id of the payment. Unique and not null. */
    payment_id: column.id({ examples: ['90210'] }),
    /** Id of the paying user, as in `users.user_id`. For a guest null, and empty in an item (contract 66). */
    user_id: column.id({ whenNull: 'empty', description: 'The paying user.', examples: ['17'] }),
    /** Email address of the paying user, or empty. From `users.email`. */
    email: { column: 'users.email', description: 'Of the paying user.', examples: ['zoe.obrien@example.org'] },
    /** Decimal amount in whole units of the currency. Not null. */
    amount: column.decimal({ description: 'Decimal amount.', examples: [129.5] }),
    /** Number of items, a whole number. Not null. */
    quantity: column.integer({ examples: [1] }),
    /** Unique order code at the payment processor. A null is empty in an item. */
    payment_intent: column.text({ description: 'Unique order code at the processor.', examples: ['pi_3OqXk2Lz'] }),
    /** Wall-clock time of the payment, `YYYY-MM-DD hh:mm:ss` in an item. Null, and empty in an item, while not paid. */
    paid_at: column.wallTime({
      description: '`YYYY-MM-DD hh:mm:ss`; empty while not paid.',
      examples: ['2024-03-01 09:31:12']
    }),
    /** Method of the payment, any text such as `card`. A null is empty in an item. */
    payment_method: column.text({ examples: ['card'] }),
    /** Status in the service, any text such as `paid`. A null is empty in an item. */
    payment_status: column.text({ description: 'Status in the service.', examples: ['paid'] }),
    /** Status at the payment processor, any text such as `succeeded`. A null is empty in an item. */
    processor_status: column.text({ description: 'Status at the processor.', examples: ['succeeded'] }),
    /** Wall-clock time of the creation, `YYYY-MM-DD hh:mm:ss` in an item, which sorts the list. Not null. */
    created_at: column.wallTime({
      whenNull: 'error',
      description: '`YYYY-MM-DD hh:mm:ss`.',
      examples: ['2024-03-01 09:30:00']
    })
  },
  id: 'payment_id',
  owner: 'user_id',
  order: '-created_at',

  search: {
    columns: ['payment_intent', 'users.email'],
    description:
      "A part of the payment_intent or the user's email. `%` and `_` have no special meaning, and A to Z match in either case. An empty text matches every payment.",
    examples: ['pi_3']
  },
  filters: {
    /** Only payments with exactly this status at the processor. The default and an empty text match every payment. */
    processor_status: {
      description:
        'Only payments with exactly this status at the processor, such as succeeded (paid), pending, failed, canceled or complete. An empty text filters nothing.',
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

/** Columns of the `payments` table. A null text and a null time become ''. */
export interface PaymentColumns extends RowsOf<(typeof payments)['columns']> {
  payment_id: string | number | bigint
}

/** The query of `GET /payment/list` with default paging, as a JSON schema and a type (contract 9 to 23). */
export const PaymentQuery: (typeof payments)['query'] = payments.query
export type PaymentQuery = QueryOf<typeof payments>

/** A payment in an answer, as a JSON schema and a type (contract 49 to 60). */
export const PaymentItem: (typeof payments)['item'] = payments.item
export type PaymentItem = ItemOf<typeof payments>

/** A 200 answer of `GET /payment/list`, as a JSON schema and a type (contract 26 to 31). */
export const PaymentPage: (typeof payments)['page'] = payments.page
export type PaymentPage = PageProperties & {
  /** The payments of this page, newest first. Empty for a page past the end. */
  data: PaymentItem[]
}

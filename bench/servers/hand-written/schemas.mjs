/** The schemas of the query, and of the answers, so that Fastify serializes the answers fast. */

export const querystring = {
  type: 'object',
  properties: {
    search: { type: 'string', default: '' },
    status: { type: 'string', default: '' },
    processor_status: { type: 'string', default: '' },
    page: { type: 'integer', default: 1 },
    limit: { type: 'integer', default: 12 }
  }
}

const text = { type: 'string' }
const textOrNull = { type: 'string', nullable: true }

/** @param {string} key @param {Record<string, object>} properties */
const pageOf = (key, properties) => ({
  type: 'object',
  properties: {
    status: text,
    message: text,
    page: { type: 'integer' },
    limit: { type: 'integer' },
    total: { type: 'integer' },
    [key]: { type: 'array', items: { type: 'object', properties } }
  }
})

/** @param {string} names */
const texts = (names) => Object.fromEntries(names.split(' ').map((name) => [name, text]))

export const assessmentPage = pageOf('assessments', {
  ...texts('assessment_id licence assessment_type user_id first_name last_name email'),
  avatarUrl: textOrNull,
  ...texts('practitioner_id practitioner_first_name practitioner_last_name'),
  org_names: { type: 'array', items: text },
  ...texts('status date_assignment'),
  date_conclusion: textOrNull
})

export const paymentPage = pageOf('data', {
  ...texts('payment_id user_id email'),
  amount: { type: 'number' },
  quantity: { type: 'integer' },
  ...texts('payment_intent paid_at payment_method payment_status processor_status created_at')
})

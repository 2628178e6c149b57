/** The schemas of the query, and of the answers, so that Fastify serializes the answers fast. */
const text = { type: 'string' }
const integer = { type: 'integer' }
const textOrNull = { type: 'string', nullable: true }

/** @param {string} names */
const texts = (names) => Object.fromEntries(names.split(' ').map((name) => [name, text]))

const empty = { type: 'string', default: '' }
export const querystring = {
  type: 'object',
  properties: {
    ...{ search: empty, status: empty, processor_status: empty },
    page: { type: 'integer', default: 1 },
    limit: { type: 'integer', default: 12 }
  }
}

/** @param {string} key @param {Record<string, object>} properties */
const pageOf = (key, properties) => ({
  type: 'object',
  properties: {
    ...texts('status message'),
    ...{ page: integer, limit: integer, total: integer },
    [key]: { type: 'array', items: { type: 'object', properties } }
  }
})

export const assessmentPage = pageOf('assessments', {
  ...texts('assessment_id licence assessment_type user_id first_name last_name email practitioner_id'),
  ...texts('practitioner_first_name practitioner_last_name status date_assignment'),
  ...{ avatarUrl: textOrNull, org_names: { type: 'array', items: text }, date_conclusion: textOrNull }
})

export const paymentPage = pageOf('data', {
  ...texts('payment_id user_id email payment_intent paid_at payment_method payment_status processor_status created_at'),
  ...{ amount: { type: 'number' }, quantity: integer }
})

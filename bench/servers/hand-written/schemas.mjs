/** The answers' schemas, so that Fastify serializes them fast. */

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

export const assessmentPage = pageOf('assessments', {
  assessment_id: text,
  licence: text,
  assessment_type: text,
  user_id: text,
  first_name: text,
  last_name: text,
  email: text,
  avatarUrl: textOrNull,
  practitioner_id: text,
  practitioner_first_name: text,
  practitioner_last_name: text,
  org_names: { type: 'array', items: text },
  status: text,
  date_assignment: text,
  date_conclusion: textOrNull
})

export const paymentPage = pageOf('data', {
  payment_id: text,
  user_id: text,
  email: text,
  amount: { type: 'number' },
  quantity: { type: 'integer' },
  payment_intent: text,
  paid_at: text,
  payment_method: text,
  payment_status: text,
  processor_status: text,
  created_at: text
})

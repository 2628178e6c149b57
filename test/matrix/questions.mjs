/** What the smoke test asks of the small world in test/support/world.ts, and what must come at least. */

/**
 * @typedef {object} Question
 * @property {string} caller a role of the small world, `nobody` (no token) or `stranger` (a bad one)
 * @property {string} path
 * @property {number} status
 * @property {number} [total] of a 200
 * @property {'GET' | 'HEAD'} method
 */

/**
 * @param {string} caller
 * @param {string} path
 * @param {number} [total]
 * @returns {Question}
 */
const page = (caller, path, total) => ({
  caller,
  path,
  status: 200,
  ...(total !== undefined && { total }),
  method: 'GET'
})

/**
 * @param {string} caller
 * @param {string} path
 * @param {number} status
 * @returns {Question}
 */
const error = (caller, path, status) => ({ caller, path, status, method: 'GET' })

const everyAssessment = '/assessment/list?search=&limit=100'
const everyPayment = '/payment/list?limit=100'

/** @type {Question[]} */
export const questions = [
  // each role
  page('Individual', everyAssessment, 3),
  page('Practitioner', everyAssessment, 9),
  page('Master Practitioner', everyAssessment, 9),
  page('Institutional', everyAssessment, 9),
  page('Admin', everyAssessment, 30),
  page('Super Admin', everyAssessment, 30),
  error('ordinary user', everyAssessment, 403),
  page('Individual', everyPayment, 3),
  page('Practitioner', everyPayment, 3),
  page('Institutional', everyPayment, 3),
  page('Admin', everyPayment, 31),
  page('ordinary user', everyPayment, 3),
  // search and filters
  page('Admin', '/assessment/list?search=BEN', 3),
  page('Admin', '/assessment/list?search=100%25@', 3),
  page('Admin', '/assessment/list?search=%5C&status=', 3),
  page('Practitioner', '/assessment/list?search=example.org&status=pending', 2),
  page('Admin', '/assessment/list?search=&status=reserved', 10),
  page('Admin', '/payment/list?search=pi_3_', 3),
  page('Admin', '/payment/list?search=guest&processor_status=pending', 1),
  page('Admin', '/payment/list?search=jane.doe&processor_status=complete', 1),
  page('Individual', '/payment/list?search=pi_1_', 0),
  // pages
  page('Admin', '/assessment/list?search=', 30),
  page('Admin', '/assessment/list?search=&page=3', 30),
  page('Admin', '/payment/list?page=5&limit=7', 31),
  page('Admin', '/payment/list?page=999', 31),
  page('Practitioner', '/assessment/list?search=&page=2&limit=4', 9),
  // errors
  error('nobody', everyAssessment, 401),
  error('stranger', everyPayment, 401),
  error('nobody', '/assessment/list?limit=0', 401),
  error('Admin', '/assessment/list', 400),
  error('Admin', '/assessment/list?search=&status=done', 400),
  error('Admin', '/payment/list?limit=101', 400),
  error('Admin', '/payment/list?page=1e3', 400),
  error('Admin', '/payment/list?serach=ben', 400),
  error('Admin', '/payment/list?page=1&page=2', 400),
  error('Admin', '/payment/list?search=%00', 400),
  error('Admin', '/payment/list?search=%E0%A4%A', 400),
  error('Admin', `/broken${everyPayment}`, 500),
  error('Admin', `/away${everyPayment}`, 503),
  error('Admin', `/slow${everyPayment}`, 504),
  // a Kysely with plugins, selects as tables
  page('Institutional', `/camel${everyAssessment}`, 9),
  page('Admin', '/camel/payment/list?search=jane', 3),
  { caller: 'Admin', path: everyAssessment, status: 200, method: 'HEAD' },
  { caller: 'nobody', path: everyPayment, status: 401, method: 'HEAD' }
]

/** @param {Question} question */
export const nameOf = ({ caller, method, path }) => `${method} ${path} as ${caller}`

/** The servers that are compared: how each is started, asked and read. */

/**
 * @typedef {object} Question what a request asks
 * @property {'assessments' | 'payments'} list
 * @property {{ id: number, role: 'Individual' | 'Practitioner' | 'Admin' }} caller
 * @property {string} [search]
 * @property {string} [status] of the assessment, or of the payment at the processor
 * @property {number} [page]
 */

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {string[]} script in `servers/`, and its arguments
 * @property {string[]} packages of which the version is told
 * @property {boolean} [sharing] only worth a look where requests are identical
 * @property {(question: Question) => string} path
 * @property {(body: any, question: Question) => Answer} read
 */

/** @typedef {{ ids: string[], total: number }} Answer */

const limit = 12

/** Our own API. @param {Question} question */
const ourPath = ({ list, search = '', status, page = 1 }) => {
  const parameters = new URLSearchParams({ search, page: String(page), limit: String(limit) })
  if (status) parameters.set(list === 'payments' ? 'processor_status' : 'status', status)
  return `${list === 'payments' ? '/payment/list' : '/assessment/list'}?${parameters}`
}

/** @type {Server['read']} */
const readOurs = ({ total, assessments, data }) => ({
  total,
  ids: (assessments ?? data).map((/** @type {any} */ item) => String(item.assessment_id ?? item.payment_id))
})

const ourApi = { path: ourPath, read: readOurs }

export const ours = 'ours'
export const oursSharing = 'ours, shareTotals'
export const handQuery = 'hand-written, query'
export const handExecute = 'hand-written, execute'
export const platformatic = 'Platformatic'
export const nest = 'NestJS, nestjs-paginate'
export const feathers = 'FeathersJS'
export const drizzle = 'Drizzle'

/** @type {Server[]} */
export const servers = [
  { name: ours, script: ['ours.mjs'], packages: ['fastify', 'kysely', 'mysql2'], ...ourApi },
  { name: oursSharing, script: ['ours.mjs', '--share-totals'], packages: [], sharing: true, ...ourApi },
  { name: handQuery, script: ['hand-written.mjs', 'query'], packages: ['fastify', 'mysql2'], ...ourApi },
  { name: handExecute, script: ['hand-written.mjs', 'execute'], packages: ['fastify', 'mysql2'], ...ourApi }
]

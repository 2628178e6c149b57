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
 * @property {import('./scenarios.mjs').Kind} [only] the kind of the scenarios in which it is asked
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

/**
 * The rivals' own API, which has no need of our names.
 *
 * @param {Question} question
 * @param {Record<string, string | number | undefined>} paging
 */
const rivalPath = ({ list, search, status }, paging) => {
  const given = Object.entries({ search, status, ...paging }).filter(([, value]) => value)
  return `/${list}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** @param {Question} question */
const pagePath = (question) => rivalPath(question, { page: question.page, limit })

/** @type {Server['read']} */
const readEntities = ({ total, assessments, payments }) => ({
  total,
  ids: (assessments ?? payments).map((/** @type {any} */ item) =>
    String(item.assessment_id ?? item.payment_id ?? item.assessmentId ?? item.paymentId)
  )
})

export const ours = 'ours'
export const oursSharing = 'ours, shareTotals'
export const oursCamelCase = 'ours, CamelCasePlugin'
export const oursSchema = 'ours, withSchema'
export const oursBoth = 'ours, both plugins'
export const handQuery = 'hand-written, query'
export const handExecute = 'hand-written, execute'
export const platformatic = 'Platformatic'
export const nest = 'NestJS, nestjs-paginate'
export const feathers = 'FeathersJS'
export const drizzle = 'Drizzle'

/** @type {Server[]} */
export const servers = [
  { name: ours, script: ['ours.mjs'], packages: ['fastify', 'kysely', 'mysql2'], ...ourApi },
  { name: oursSharing, script: ['ours.mjs', '--share-totals'], packages: [], only: 'identical', ...ourApi },
  { name: oursCamelCase, script: ['ours.mjs', '--camel-case'], packages: [], only: 'plugins', ...ourApi },
  { name: oursSchema, script: ['ours.mjs', '--schema'], packages: [], only: 'plugins', ...ourApi },
  { name: oursBoth, script: ['ours.mjs', '--camel-case', '--schema'], packages: [], only: 'plugins', ...ourApi },
  { name: handQuery, script: ['hand-written.mjs', 'query'], packages: ['fastify', 'mysql2'], ...ourApi },
  { name: handExecute, script: ['hand-written.mjs', 'execute'], packages: ['fastify', 'mysql2'], ...ourApi },
  {
    name: platformatic,
    script: ['platformatic.mjs'],
    packages: ['@platformatic/sql-mapper'],
    path: pagePath,
    read: readEntities
  },
  {
    name: nest,
    // compiled from servers/nest
    script: ['../dist/nest/main.js'],
    packages: ['@nestjs/core', 'typeorm', 'nestjs-paginate'],
    path: ({ status, ...question }) => {
      const path = pagePath(question)
      const column = question.list === 'payments' ? 'processorStatus' : 'status'
      return status ? `${path}&filter.${column}=${status}` : path
    },
    read: ({ data, meta }) => ({
      total: meta.totalItems,
      ids: data.map((/** @type {any} */ item) => String(item.assessmentId ?? item.paymentId))
    })
  },
  {
    name: feathers,
    script: ['feathers.mjs'],
    packages: ['@feathersjs/feathers', '@feathersjs/knex', 'knex'],
    path: (question) => rivalPath(question, { $limit: limit, $skip: ((question.page ?? 1) - 1) * limit }),
    read: ({ data, total }) => ({
      total,
      ids: data.map((/** @type {any} */ item) => String(item.assessment_id ?? item.payment_id))
    })
  },
  { name: drizzle, script: ['drizzle.mjs'], packages: ['drizzle-orm'], path: pagePath, read: readEntities }
]

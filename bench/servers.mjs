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
 */

const limit = 12

/** The ids and the total of any server's answer. @param {any} body @returns {{ ids: string[], total: number }} */
export const answerOf = ({ total, meta, assessments, payments, data }) => ({
  total: total ?? meta.totalItems,
  ids: (assessments ?? payments ?? data).map((/** @type {any} */ item) =>
    String(item.assessment_id ?? item.payment_id ?? item.assessmentId ?? item.paymentId)
  )
})

/** Our own API. @param {Question} question */
const ourPath = ({ list, search = '', status, page = 1 }) => {
  const parameters = new URLSearchParams({ search, page: String(page), limit: String(limit) })
  if (status) parameters.set(list === 'payments' ? 'processor_status' : 'status', status)
  return `${list === 'payments' ? '/payment/list' : '/assessment/list'}?${parameters}`
}

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
  { name: ours, script: ['ours.mjs'], packages: ['fastify', 'kysely', 'mysql2'], path: ourPath },
  { name: oursSharing, script: ['ours.mjs', '--share-totals'], packages: [], only: 'identical', path: ourPath },
  { name: oursCamelCase, script: ['ours.mjs', '--camel-case'], packages: [], only: 'plugins', path: ourPath },
  { name: oursSchema, script: ['ours.mjs', '--schema'], packages: [], only: 'plugins', path: ourPath },
  { name: oursBoth, script: ['ours.mjs', '--camel-case', '--schema'], packages: [], only: 'plugins', path: ourPath },
  { name: handQuery, script: ['hand-written.mjs', 'query'], packages: ['fastify', 'mysql2'], path: ourPath },
  { name: handExecute, script: ['hand-written.mjs', 'execute'], packages: ['fastify', 'mysql2'], path: ourPath },
  { name: platformatic, script: ['platformatic.mjs'], packages: ['@platformatic/sql-mapper'], path: pagePath },
  {
    name: nest,
    // compiled from servers/nest
    script: ['../dist/nest/main.js'],
    packages: ['@nestjs/core', 'typeorm', 'nestjs-paginate'],
    path: ({ status, ...question }) => {
      const path = pagePath(question)
      const column = question.list === 'payments' ? 'processorStatus' : 'status'
      return status ? `${path}&filter.${column}=${status}` : path
    }
  },
  {
    name: feathers,
    script: ['feathers.mjs'],
    packages: ['@feathersjs/feathers', '@feathersjs/knex', 'knex'],
    path: (question) => rivalPath(question, { $limit: limit, $skip: ((question.page ?? 1) - 1) * limit })
  },
  { name: drizzle, script: ['drizzle.mjs'], packages: ['drizzle-orm'], path: pagePath }
]

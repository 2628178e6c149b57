/**
 * Platformatic's sql-mapper. Its generated endpoints know no join, so this is a route composed from its
 * entities, as its documentation shows: ids of linked and of matching users first, then page and count.
 */
import { plugin } from '@platformatic/sql-mapper'
import { fastify, listen } from './fastify.mjs'
import { settings } from './serve.mjs'

const app = await fastify()
await app.register(plugin, {
  connectionString: settings().database,
  poolSize: 10,
  // ids of users are needed all, and the default would cut them off at a hundred
  .../** @type {object} */ ({ limit: { default: 12, max: 100_000_000 } })
})

const { platformatic } = /** @type {{ platformatic: { entities: Record<string, any> } }} */ (
  /** @type {unknown} */ (app)
)
const { assessment, payment, user, link, membership } = platformatic.entities
const everything = { limit: 100_000_000 }

/** @param {string[]} fields @param {string} search */
const like = (fields, search) => fields.map((field) => ({ [field]: { like: `%${search}%` } }))

/** @param {any[]} rows @param {string} key */
const idsOf = (rows, key) => [...new Set(rows.map((row) => row[key]).filter((id) => id !== null))]

/**
 * @param {any} entity
 * @param {any} where
 * @param {string[]} keys of users
 * @param {any} request
 */
async function pageOf(entity, where, keys, { query: { page = 1, limit = 12 } }) {
  const [id] = entity.primaryKeys
  const orderBy = ['created_at', id].map((name) => ({ field: entity.fields[name].camelcase, direction: 'desc' }))
  const paging = { limit: Number(limit), offset: (Number(page) - 1) * Number(limit) }
  const [rows, total] = await Promise.all([entity.find({ where, orderBy, ...paging }), entity.count({ where })])
  const ids = [...new Set(keys.flatMap((key) => idsOf(rows, key)))]
  const users = ids.length ? await user.find({ where: { userId: { in: ids } }, ...everything }) : []
  return { rows, total, users: new Map(users.map((/** @type {any} */ row) => [row.userId, row])) }
}

app.get('/assessments', { onRequest: (request) => request.jwtVerify() }, async (request) => {
  const { sub, role } = /** @type {import('./fastify.mjs').Token} */ (request.user)
  const { search, status } = /** @type {any} */ (request.query)
  /** @type {any} */
  const where = {}
  if (role === 'Individual') where.userId = { in: [sub] }
  if (role === 'Practitioner') {
    const links = await link.find({ where: { ownerId: { eq: sub } }, fields: ['userId'], ...everything })
    where.userId = { in: [sub, ...idsOf(links, 'userId')] }
  }
  if (search) {
    const matching = { ...where, or: like(['firstName', 'lastName', 'email'], search) }
    const users = await user.find({ where: matching, fields: ['userId'], ...everything })
    if (users.length === 0) return { total: 0, assessments: [] }
    where.userId = { in: idsOf(users, 'userId') }
  }
  if (status) where.status = { eq: status }

  const { rows, total, users } = await pageOf(assessment, where, ['userId', 'practitionerId'], request)
  const userIds = idsOf(rows, 'userId')
  /** @type {any[]} */
  const memberships = userIds.length ? await membership.find({ where: { userId: { in: userIds } }, ...everything }) : []
  return {
    total,
    assessments: rows.map((/** @type {any} */ row) => ({
      ...row,
      user: users.get(row.userId),
      practitioner: users.get(row.practitionerId),
      orgNames: memberships.filter(({ userId }) => userId === row.userId).map(({ orgName }) => orgName)
    }))
  }
})

app.get('/payments', { onRequest: (request) => request.jwtVerify() }, async (request) => {
  const { sub, role } = /** @type {import('./fastify.mjs').Token} */ (request.user)
  const { search, status } = /** @type {any} */ (request.query)
  /** @type {any} */
  const where = {}
  if (role !== 'Admin') where.userId = { eq: sub }
  if (search) {
    const users = await user.find({ where: { or: like(['email'], search) }, fields: ['userId'], ...everything })
    where.or = like(['paymentIntent'], search)
    if (users.length > 0) where.or.push({ userId: { in: idsOf(users, 'userId') } })
  }
  if (status) where.processorStatus = { eq: status }
  const { rows, total, users } = await pageOf(payment, where, ['userId'], request)
  return { total, payments: rows.map((/** @type {any} */ row) => ({ ...row, email: users.get(row.userId)?.email })) }
})

await listen(app)

/** Drizzle: joins and conditions as its documentation shows them, the organizations of a page in one more query. */
import { and, count, desc, eq, inArray, like, or } from 'drizzle-orm'
import { alias, bigint, datetime, decimal, int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import { createPool } from 'mysql2/promise'
import { fastify, listen } from './fastify.mjs'
import { settings } from './serve.mjs'

const id = () => bigint({ mode: 'number' })
const users = mysqlTable('users', {
  user_id: id().primaryKey(),
  first_name: varchar({ length: 100 }),
  last_name: varchar({ length: 100 }),
  email: varchar({ length: 255 }),
  avatar_url: varchar({ length: 500 })
})
const memberships = mysqlTable('memberships', { user_id: id(), org_name: varchar({ length: 200 }) })
const links = mysqlTable('links', { owner_id: id(), user_id: id() })
const assessments = mysqlTable('assessments', {
  assessment_id: id().primaryKey(),
  licence: varchar({ length: 100 }),
  assessment_type: varchar({ length: 100 }),
  user_id: id(),
  practitioner_id: id(),
  status: varchar({ length: 20 }),
  date_assignment: datetime({ mode: 'string' }),
  date_conclusion: datetime({ mode: 'string' }),
  created_at: datetime({ mode: 'string' })
})
const payments = mysqlTable('payments', {
  payment_id: id().primaryKey(),
  user_id: id(),
  amount: decimal({ precision: 12, scale: 2 }),
  quantity: int(),
  payment_intent: varchar({ length: 100 }),
  paid_at: datetime({ mode: 'string' }),
  payment_method: varchar({ length: 50 }),
  payment_status: varchar({ length: 50 }),
  processor_status: varchar({ length: 50 }),
  created_at: datetime({ mode: 'string' })
})
const practitioners = alias(users, 'practitioners')

const db = drizzle({ client: createPool({ uri: settings().database, connectionLimit: 10 }) })
const app = await fastify()

app.get('/assessments', { onRequest: (request) => request.jwtVerify() }, async (request) => {
  const { sub, role } = /** @type {import('./fastify.mjs').Token} */ (request.user)
  const { search, status, page = 1, limit = 12 } = /** @type {any} */ (request.query)
  const self = Number(sub)
  const linked = db.select({ user_id: links.user_id }).from(links).where(eq(links.owner_id, self))
  const term = `%${search}%`
  const where = and(
    role === 'Individual' ? eq(assessments.user_id, self) : undefined,
    role === 'Practitioner' ? or(eq(assessments.user_id, self), inArray(assessments.user_id, linked)) : undefined,
    search ? or(like(users.first_name, term), like(users.last_name, term), like(users.email, term)) : undefined,
    status ? eq(assessments.status, status) : undefined
  )
  const [rows, [found]] = await Promise.all([
    db
      .select()
      .from(assessments)
      .leftJoin(users, eq(users.user_id, assessments.user_id))
      .leftJoin(practitioners, eq(practitioners.user_id, assessments.practitioner_id))
      .where(where)
      .orderBy(desc(assessments.created_at), desc(assessments.assessment_id))
      .limit(Number(limit))
      .offset((Number(page) - 1) * Number(limit)),
    db.select({ total: count() }).from(assessments).leftJoin(users, eq(users.user_id, assessments.user_id)).where(where)
  ])
  const ids = [...new Set(rows.map(({ assessments }) => Number(assessments.user_id)))]
  const organizations = ids.length ? await db.select().from(memberships).where(inArray(memberships.user_id, ids)) : []
  return {
    total: found?.total,
    assessments: rows.map(({ assessments, users, practitioners }) => ({
      ...assessments,
      user: users,
      practitioner: practitioners,
      org_names: organizations.filter(({ user_id }) => user_id === assessments.user_id).map(({ org_name }) => org_name)
    }))
  }
})

app.get('/payments', { onRequest: (request) => request.jwtVerify() }, async (request) => {
  const { sub, role } = /** @type {import('./fastify.mjs').Token} */ (request.user)
  const { search, status, page = 1, limit = 12 } = /** @type {any} */ (request.query)
  const term = `%${search}%`
  const where = and(
    role === 'Admin' ? undefined : eq(payments.user_id, Number(sub)),
    search ? or(like(payments.payment_intent, term), like(users.email, term)) : undefined,
    status ? eq(payments.processor_status, status) : undefined
  )
  const [rows, [found]] = await Promise.all([
    db
      .select()
      .from(payments)
      .leftJoin(users, eq(users.user_id, payments.user_id))
      .where(where)
      .orderBy(desc(payments.created_at), desc(payments.payment_id))
      .limit(Number(limit))
      .offset((Number(page) - 1) * Number(limit)),
    db.select({ total: count() }).from(payments).leftJoin(users, eq(users.user_id, payments.user_id)).where(where)
  ])
  return { total: found?.total, payments: rows.map(({ payments, users }) => ({ ...payments, email: users?.email })) }
})

await listen(app)

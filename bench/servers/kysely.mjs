/** Own assessments with Kysely by hand: each request builds the statement of hand-written/assessments.mjs. */
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { fastify, listen } from './fastify.mjs'
import { item } from './hand-written/assessments.mjs'
import { assessmentPage, querystring } from './hand-written/schemas.mjs'
import { newestFirst, totalIn } from './hand-written/sql.mjs'
import { settings } from './serve.mjs'

const pool = createPool({ uri: settings().database, connectionLimit: 10, dateStrings: true })
/** @type {Kysely<any>} */
const db = new Kysely({ dialect: new MysqlDialect({ pool }) })

const app = await fastify()
app.get('/assessment/list', {
  schema: { querystring, response: { 200: assessmentPage } },
  onRequest: (request) => request.jwtVerify(),
  handler: async (request) => {
    const { sub } = /** @type {import('./fastify.mjs').Token} */ (request.user)
    const { page, limit } = /** @type {import('./hand-written/sql.mjs').Asked} */ (request.query)

    const own = db.selectFrom('assessments as a').where('a.user_id', '=', sub)
    const ids = own
      .select('a.assessment_id as id')
      .orderBy('a.created_at', 'desc')
      .orderBy('a.assessment_id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
    const total = own.select((eb) => eb.fn.countAll().as('total'))
    const rows = await db
      .selectFrom(ids.as('k'))
      .innerJoin('assessments as a', 'a.assessment_id', 'k.id')
      .leftJoin('users as u', 'u.user_id', 'a.user_id')
      .leftJoin('users as p', 'p.user_id', 'a.practitioner_id')
      .select(['a.assessment_id', 'a.licence', 'a.assessment_type', 'a.user_id', 'a.practitioner_id', 'a.status'])
      .select(['a.date_assignment', 'a.date_conclusion', 'a.created_at'])
      .select(['u.first_name', 'u.last_name', 'u.email', 'u.avatar_url'])
      .select(['p.first_name as practitioner_first_name', 'p.last_name as practitioner_last_name'])
      .select((eb) =>
        eb
          .selectFrom('memberships as m')
          .select(sql`json_arrayagg(m.org_name)`.as('names'))
          .whereRef('m.user_id', '=', 'a.user_id')
          .as('org_names')
      )
      .select(total.as('total'))
      .execute()
    // A page after the last one has no row with the total.
    const found = rows.length > 0 ? rows : await total.execute()
    return {
      ...{ status: 'success', message: 'Assessments retrieved successfully.', page, limit },
      total: totalIn(found),
      assessments: newestFirst(rows, 'assessment_id').map(item)
    }
  }
})
await listen(app)

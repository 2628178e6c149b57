/** FeathersJS with its knex adapter: services whose `createQuery` joins, and hooks that read the query and the caller. */
import { once } from 'node:events'
import { AuthenticationService, authenticate, JWTStrategy } from '@feathersjs/authentication'
import { feathers } from '@feathersjs/feathers'
import { KnexService } from '@feathersjs/knex'
import { bodyParser, errorHandler, koa, parseAuthentication, rest } from '@feathersjs/koa'
import knex from 'knex'
import { ready, settings } from './serve.mjs'

const { database, secret } = settings()
const Model = knex({ client: 'mysql2', connection: database, pool: { min: 0, max: 10 } })

class Assessments extends KnexService {
  /** @override @param {any} params */
  createQuery(params) {
    const query = super
      .createQuery(params)
      .leftJoin('users as user', 'user.user_id', 'assessments.user_id')
      .leftJoin('users as practitioner', 'practitioner.user_id', 'assessments.practitioner_id')
      .select('user.first_name', 'user.last_name', 'user.email', 'user.avatar_url')
      .select('practitioner.first_name as practitioner_first_name', 'practitioner.last_name as practitioner_last_name')
    const { linkedTo } = params
    if (linkedTo) {
      const linked = Model('links').select('user_id').where('owner_id', linkedTo)
      query.where((/** @type {any} */ where) =>
        where.where('assessments.user_id', linkedTo).orWhereIn('assessments.user_id', linked)
      )
    }
    return query
  }
}

class Payments extends KnexService {
  /** @override @param {any} params */
  createQuery(params) {
    return super.createQuery(params).leftJoin('users as user', 'user.user_id', 'payments.user_id').select('user.email')
  }
}

/** @param {string} table @param {string} id @param {string[]} searched */
const readQuery = (table, id, searched) => async (/** @type {any} */ context) => {
  const { search, status, $limit, $skip } = context.params.query
  const { sub, role } = context.params.authentication.payload
  context.params.linkedTo = table === 'assessments' && role === 'Practitioner' ? sub : undefined
  context.params.query = {
    $limit,
    $skip,
    $sort: { [`${table}.created_at`]: -1, [`${table}.${id}`]: -1 },
    ...(role === 'Individual' && { [`${table}.user_id`]: sub }),
    ...(status && { [`${table}.${table === 'payments' ? 'processor_status' : 'status'}`]: status }),
    ...(search && { $or: searched.map((column) => ({ [column]: { $like: `%${search}%` } })) })
  }
}

/** @param {any} context */
async function addOrganizations({ result }) {
  const ids = result.data.map((/** @type {any} */ row) => row.user_id)
  const memberships = await Model('memberships').whereIn('user_id', ids)
  for (const row of result.data) {
    row.org_names = memberships
      .filter((/** @type {any} */ { user_id }) => user_id === row.user_id)
      .map((/** @type {any} */ { org_name }) => org_name)
  }
}

/** @type {any} */
const app = koa(feathers())
app.set('authentication', {
  secret,
  entity: null,
  authStrategies: ['jwt'],
  jwtOptions: { header: { typ: 'JWT' }, issuer: 'bench', audience: 'bench', algorithm: 'HS256', expiresIn: '1d' }
})
app.use(errorHandler())
app.use(parseAuthentication())
app.use(bodyParser())
app.configure(rest())

const authentication = new AuthenticationService(app)
authentication.register('jwt', new JWTStrategy())
app.use('authentication', authentication)

const paginate = { default: 12, max: 100 }
app.use('assessments', new Assessments({ Model, name: 'assessments', id: 'assessment_id', paginate }), {
  methods: ['find']
})
app.service('assessments').hooks({
  before: {
    find: [
      authenticate('jwt'),
      readQuery('assessments', 'assessment_id', ['user.first_name', 'user.last_name', 'user.email'])
    ]
  },
  after: { find: [addOrganizations] }
})
app.use('payments', new Payments({ Model, name: 'payments', id: 'payment_id', paginate }), { methods: ['find'] })
app.service('payments').hooks({
  before: {
    find: [authenticate('jwt'), readQuery('payments', 'payment_id', ['payments.payment_intent', 'user.email'])]
  }
})

const server = await app.listen(0, '127.0.0.1')
if (!server.listening) await once(server, 'listening')
ready(server.address().port)

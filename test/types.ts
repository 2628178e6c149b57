/**
 * What compiles in a host's TypeScript, and what does not. `npm run typecheck` checks it, and nobody calls its functions.
 * test/package/editor.test.ts has what the compiler says of the usual mistakes.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type * as fastify from 'fastify'
import Fastify from 'fastify'
import { type ColumnType, type Expression, type Generated, type Kysely, sql } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import type { Kysely as Kysely28, Migration as Migration28 } from 'kysely-0.28'
import * as current from 'typebox'
import { conformance } from '../src/conformance/index.js'
import listing, * as lib from '../src/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only where both are the very same type. */
const exact = <A, B>(..._proof: Equal<A, B> extends true ? [] : ['the types differ']) => undefined

/** Compiles only where each of the values fits. */
const fit = <Wanted>(..._values: Wanted[]) => undefined

/** Compiles only where none of the values fits. */
const noneFits =
  <Wanted>() =>
  <const Values extends readonly unknown[]>(
    _values: Values,
    ..._proof: Extract<Values[number], Wanted> extends never ? [] : [fitting: Extract<Values[number], Wanted>]
  ) =>
    undefined

const options = (given: lib.ListingOptions) => given

/** The types of Kysely 0.28 that a host with CommonJS sees. */
type CommonKysely28 = import('kysely-0.28', { with: { 'resolution-mode': 'require' }}).Kysely<Host>
type CommonMigration28 = import('kysely-0.28', { with: { 'resolution-mode': 'require' }}).Migration

/** A host's tables, with generated and literal types, and with columns that no list knows. */
interface Host {
  members: {
    id: Generated<number>
    given_name: string
    family_name: string | null
    mail: string
    photo: string | null
    level: number
  }
  bookings: Omit<lib.AssessmentColumns, 'assessment_id' | 'status' | 'date_conclusion'> & {
    assessment_id: Generated<bigint>
    status: 'completed' | 'pending' | 'reserved'
    date_conclusion: ColumnType<Date | null, string, string>
    level: number
  }
  orders: Omit<lib.PaymentColumns, 'amount'> & { amount: ColumnType<string, number, number> }
  companies: { id: number; name: string }
  company_members: { company_id: number; member_id: number }
  clients: { coach_id: string; member_id: string }
}

const linkColumns = ['coach_id as owner_id', 'member_id as user_id'] as const
const names = ['id as user_id', 'given_name as first_name', 'family_name as last_name'] as const
const userColumns = [...names, 'mail as email', 'photo as avatar_url'] as const

export function selects(db: Kysely<Host>, untyped: Kysely<Record<string, Record<string, unknown>>>, some: boolean) {
  const members = db.selectFrom('members')
  const users = members.select(userColumns)
  const columns = untyped.selectFrom('x').select(['owner_id', 'user_id'])
  const joined = db.selectFrom('company_members').leftJoin('companies', 'companies.id', 'company_members.company_id')
  const computed = members.select((eb) => [
    ...names,
    eb.fn.coalesce('mail', eb.val('')).as('email'),
    eb.case().when('level', '>', 5).then('star.png').else(null).end().as('avatar_url')
  ])
  fit<lib.ListingTables>(
    {},
    { users: 'members', payments: 'shop.orders' },
    { users: some ? users : undefined, links: some ? 'clients' : undefined },
    { users: db.withSchema('crm').selectFrom('members as m').select(userColumns).distinct() },
    { users: users.unionAll(members.select(userColumns).where('level', '=', 0)) },
    { users: db.selectFrom(users.as('inner')).selectAll() },
    { users: computed },
    { users: members.select('id').$castTo<lib.UserColumns>() },
    { assessments: db.selectFrom('bookings').selectAll(), payments: db.selectFrom('orders').selectAll() },
    { memberships: joined.select(['member_id as user_id', 'companies.name as org_name']) },
    { links: columns.$castTo<{ owner_id: number; user_id: number }>() }
  )
  const links = members.select(['id as owner_id'])
  // A column that may not be selected, `sql` without its type argument, and columns of an untyped database.
  const maybe = links.$if(some, (query) => query.select('id as user_id'))
  noneFits<lib.ListingTables['links']>()([maybe, links.select(sql`mail`.as('user_id')), columns])
  const raw = sql<lib.UserColumns>`select * from members`
  noneFits<lib.ListingTables['users']>()([members, users.as('u'), users.compile(), users.execute(), raw])
  noneFits<lib.ListingTables['users']>()([() => users, null])
  noneFits<lib.ListingTables['payments']>()([users])
}

/** Every union of words is a `string`. The words are compared where the host asks for it. */
export function statuses(db: Kysely<Host>) {
  const columns = db.selectFrom('bookings').select(['level']).$castTo<Omit<lib.AssessmentColumns, 'status'>>()
  const assessments = columns.select(sql<'pending' | 'open'>`state`.as('status'))
  fit<lib.ListingTables>({ assessments })
  type Fitting = Expression<Pick<lib.AssessmentItem, 'status'>>
  fit<Fitting>(db.selectFrom('bookings').select('status'))
  noneFits<Fitting>()([assessments])
}

export function databases(db: Kysely<Host>, readonly: ReadonlyKysely<Host>, tenants: Map<string, lib.KyselyInstance>) {
  const maybe = (request: fastify.FastifyRequest) => tenants.get(request.hostname)
  fit<lib.ListingOptions['db']>(db, readonly, (request) => maybe(request) ?? db.withSchema('crm'))
  noneFits<lib.ListingOptions['db']>()([maybe, async () => db, 'mysql://localhost/host', db.selectFrom('members')])
}

export function tablesByFunction(
  app: fastify.FastifyInstance,
  db: Kysely<Host>,
  readonly: ReadonlyKysely<Host>,
  other: Kysely<{ others: { id: number } }>
) {
  const resolveRole = () => null
  const links = (instance: Kysely<Host>) => ({ links: instance.selectFrom('clients').select(linkColumns) })
  const made: lib.ListingOptions<Kysely<Host>>['tables'] = links

  // Through `register`, with the type of the parameter written.
  app.register(listing, { prefix: '/api', db: () => db.withSchema('crm'), resolveRole, tables: made })
  app.register(listing, { db, resolveRole, tables: () => ({ users: 'members' }) })
  app.register(listing, { db, resolveRole, tables: app.prefix ? links : undefined })

  // By the type of the options, with nothing written.
  const tables: lib.ListingOptions<typeof db>['tables'] = (instance) => {
    exact<typeof instance, Kysely<Host>>()
    return { users: instance.selectFrom('members').select(userColumns), links: 'clients' }
  }
  const tenants: lib.ListingOptions<Kysely<Host>> = { db: () => db.withSchema('crm'), resolveRole, tables }
  const replica: lib.ListingOptions<typeof readonly> = {
    db: readonly,
    resolveRole,
    tables: (instance) => ({ users: instance.selectFrom('members').select(userColumns) })
  }
  app.register(listing, tenants)
  app.register(listing, replica)

  type OfBoth = readonly [typeof lib.assessments, typeof lib.payments]
  noneFits<lib.OptionsOf<Kysely<Host>, OfBoth>['tables']>()([
    (instance: Kysely<Host>) => ({ userz: instance.selectFrom('members').selectAll() })
  ])
  noneFits<lib.ListingOptions['tables']>()([
    async () => ({ users: 'members' }),
    (request: fastify.FastifyRequest) => ({ users: request.hostname })
  ])
  const typed = (given: lib.ListingOptions<typeof other>) => given
  // @ts-expect-error the instance has other tables than the function expects
  typed({ db: other, resolveRole, tables: links })
}

type Member = { id: number; role: 'Admin' | 'Individual' }

export function resolvers(db: Kysely<Host>, find: (sub: string) => Promise<Member | undefined>, { id, role }: Member) {
  const row = db.selectFrom('members').select(['id as userId', sql<string>`if(level > 5, 'Admin', 'User')`.as('role')])
  fit<lib.ListingOptions['resolveRole']>(
    () => ({ userId: 1n, role: 'Admin' }),
    () => ({ userId: 'b1f0', role, name: 'more than asked' }),
    () => undefined,
    async () => null,
    (request) => (request.headers.host ? { userId: id, role } : null),
    async (request) => {
      exact<typeof request, fastify.FastifyRequest>()
      const found = await find(request.user.sub)
      return found && { userId: found.id, role: found.role }
    },
    // What the database answers, as it is.
    () => row.executeTakeFirst(),
    ({ headers }: fastify.FastifyRequest<{ Headers: { 'x-id': string } }>) => ({ userId: headers['x-id'], role })
  )
  noneFits<lib.ListingOptions['resolveRole']>()([
    () => ({ userId: id }),
    () => ({ userId: id, role: [7] }),
    () => ({ userId: null, role }),
    { sub: { userId: id, role } }
  ])
}

export function authentication(
  callback: fastify.onRequestHookHandler,
  promise: fastify.onRequestAsyncHookHandler,
  later: fastify.preSerializationHookHandler
) {
  fit<lib.ListingOptions['authenticate']>(
    callback,
    promise,
    [callback, promise, (request) => request.jwtVerify()] as const,
    (request, reply, done) => {
      exact<typeof request, fastify.FastifyRequest>()
      exact<typeof reply, fastify.FastifyReply>()
      exact<typeof done, fastify.HookHandlerDoneFunction>()
      done(new Error('No.'))
    }
  )
  // A hook of a later step is given a payload, too.
  noneFits<lib.ListingOptions['authenticate']>()(['jwt', [promise, 'jwt'], later])
}

export function otherOptions(db: Kysely<Host>, reach: lib.Reach) {
  const required = { db, resolveRole: () => null }
  const texts: Partial<lib.ListingMessages> = { timeout: 'Zu spät.' }
  options({
    ...required,
    tables: {},
    roles: {
      assessments: { Auditor: 'all', Practitioner: 'none' },
      payments: { Auditor: reach, Admin: 'linked' }
    },
    defaultLimit: 20,
    maxLimit: 500,
    timeout: 5000,
    messages: texts,
    unknownParameters: 'ignore',
    checkOnReady: 'warn'
  })
  options({ ...required, unknownParameters: ['utm_source'] as const, roles: { payments: undefined } })
  lib.defineOptions({ ...required, lists: [lib.payments], roles: { payments: undefined } })
  // As a host with `exactOptionalPropertyTypes` writes it, which this project is.
  const undefineds = {} as { [Name in Exclude<keyof lib.ListingOptions, 'db' | 'resolveRole'>]: undefined }
  options({ ...required, ...undefineds })
  noneFits<lib.ListingOptions['messages']>()([{ unauthorized: () => 'Ungültiges Token.' }])
  noneFits<lib.ListingOptions['unknownParameters']>()(['allow'])
}

interface HostLogger extends fastify.FastifyBaseLogger {
  audit(message: string): void
}

interface HostTypes extends fastify.FastifyTypeProvider {
  validator: this['schema'] extends { host: infer Value } ? Value : unknown
  serializer: this['schema'] extends { host: infer Value } ? Value : unknown
}

export async function registration(app: fastify.FastifyInstance, db: Kysely<Host>, loggerInstance: HostLogger) {
  exact<typeof listing, fastify.FastifyPluginAsync<lib.ListingOptions>>()
  exact<typeof lib.listing, typeof listing>()
  const all: lib.ListingOptions = { db, resolveRole: () => null }
  app.register(listing, { ...all, prefix: '/api', logLevel: 'warn', logSerializers: { req: () => 'request' } })
  app.register(listing, () => all)
  app.register(listing, {
    db,
    resolveRole(request) {
      exact<typeof request, fastify.FastifyRequest>()
      return { userId: request.user.sub, role: request.user.role }
    },
    async authenticate(request, reply) {
      exact<typeof request, fastify.FastifyRequest>()
      exact<typeof reply, fastify.FastifyReply>()
    }
  })
  // @ts-expect-error there are options that are required
  app.register(listing)

  await Fastify().register(listing, all).after()
  Fastify({ http2: true, https: {} }).register(listing, { prefix: '/api', ...all })
  Fastify({ https: {} }).register(listing, all)
  Fastify({ loggerInstance }).register(listing, { prefix: '/api', ...all })
  Fastify({ loggerInstance, http2: true }).register(listing, all)
  Fastify().withTypeProvider<HostTypes>().register(listing, all)
}

/** An intersection as one object. */
type Flat<Type> = { [Name in keyof Type]: Type[Name] }

/** The types that explain themselves in an editor are those of the schemas. */
export function answers() {
  exact<lib.AssessmentItem, Static<typeof lib.AssessmentItem>>()
  exact<Flat<lib.AssessmentPage>, Static<typeof lib.AssessmentPage>>()
  exact<Flat<lib.AssessmentQuery>, Static<typeof lib.AssessmentQuery>>()
  exact<lib.PaymentItem, Static<typeof lib.PaymentItem>>()
  exact<Flat<lib.PaymentPage>, Static<typeof lib.PaymentPage>>()
  exact<Flat<lib.PaymentQuery>, Static<typeof lib.PaymentQuery>>()
  exact<lib.ListErrorBody, Static<typeof lib.ListErrorBody>>()
  exact<lib.PaymentItem, current.Static<typeof lib.PaymentItem>>()
  exact<Flat<lib.PaymentPage>, current.Static<typeof lib.PaymentPage>>()
  exact<lib.ListingError['body'], lib.ListErrorBody>()
  // @ts-expect-error `exact` itself: null is missing
  exact<lib.AssessmentItem['avatarUrl'], string>()
  // @ts-expect-error `exact` itself: page is optional
  exact<lib.AssessmentQuery['page'], number>()
  // @ts-expect-error `noneFits` itself
  noneFits<lib.ListingTables['users']>()([null, 'members'])
}

/** The schemas within those of a host, with @sinclair/typebox. test/commonjs.cts has the same for CommonJS. */
export function typebox() {
  const nested = Type.Object({ first: lib.PaymentItem, more: Type.Array(lib.PaymentItem) })
  exact<Static<typeof nested>, { first: lib.PaymentItem; more: lib.PaymentItem[] }>()
  const picked = Type.Pick(lib.PaymentItem, ['payment_id', 'amount'])
  exact<Static<typeof picked>, { payment_id: string; amount: number }>()
  const partial = Type.Partial(lib.PaymentItem)
  exact<Static<typeof partial>, Partial<lib.PaymentItem>>()
  const query = Type.Pick(lib.PaymentQuery, ['page', 'search'])
  exact<Static<typeof query>, { page?: number; search?: string }>()
}

/** The same with `typebox` 1.x, whose optional properties can be undefined, and with the type provider that needs it. */
export function typebox1(payment: lib.PaymentItem) {
  const { Type } = current
  const nested = Type.Object({ first: lib.PaymentItem, more: Type.Array(lib.PaymentItem) })
  exact<current.Static<typeof nested>, { first: lib.PaymentItem; more: lib.PaymentItem[] }>()
  const picked = Type.Pick(lib.PaymentItem, ['payment_id', 'amount'])
  exact<current.Static<typeof picked>, { payment_id: string; amount: number }>()
  const partial = Type.Partial(lib.PaymentItem)
  fit<current.Static<typeof partial>>({ amount: 9.5 }, {})
  const query = Type.Pick(lib.PaymentQuery, ['page', 'search'])
  fit<current.Static<typeof query>>({ page: 2 }, {})

  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>()
  const schema = { querystring: lib.PaymentQuery, response: { 200: nested } }
  app.get('/', { schema }, async ({ query }) => {
    exact<typeof query.limit, number | undefined>()
    return { first: payment, more: [] }
  })
  // @ts-expect-error a payment without its other fields
  app.get('/first', { schema }, async () => ({ first: { payment_id: '1' }, more: [] }))
}

export function kysely28(db: Kysely28<Host>, common: CommonKysely28) {
  const resolveRole = () => null
  options({ db, resolveRole, tables: { users: db.selectFrom('members').select(userColumns) } })
  options({ db: () => common, resolveRole, tables: { links: common.selectFrom('clients').select(linkColumns) } })
  const all: Record<string, Migration28> = lib.listingMigrations
  const common28: Record<string, CommonMigration28> = lib.listingMigrations
  return [all, common28]
}

const visits = lib.defineList({
  ...{ name: 'visits', path: '/visit/list', key: 'visits', id: 'id', order: '-at' },
  openapi: { name: 'Visit', operationId: 'listVisits', summary: 'Visits', description: 'The visits.' },
  fields: {
    id: lib.column.id({ examples: ['1'] }),
    clinic_id: lib.column.id({ examples: ['1'] }),
    notes: lib.column.text({ whenNull: 'null', roles: ['Lead'], examples: ['a'] }),
    state: lib.column.enum(['open', 'done'], { roles: ['Lead'], examples: ['open'] }),
    place: { column: 'room', roles: ['Lead'], examples: ['a'] }
  },
  columns: { is_late: lib.column.boolean(), room: lib.column.text(), at: lib.column.utcTime({ whenNull: 'error' }) },
  roles: {
    Desk: { linked: 'clinic_id', by: 'clinic_staff' },
    Lead: [{ own: 'id' }, { linked: 'clinic_id', by: 'clinic_leads' }, { linked: 'clinic_id' }],
    Night: { where: { state: ['open', 'done'], notes: null, clinic_id: [4n, 5, '6'], is_late: true } },
    Guard: { own: 'clinic_id', callerId: 'clinic', where: { state: 'open' } }
  },
  within: { clinic_id: 'clinic' },
  messages: { found: 'Found.', forbidden: 'No.' }
})

export function reaches(db: Kysely<Host>) {
  type Item = { id: string; clinic_id: string; notes?: string | null; state?: 'open' | 'done'; place?: string }
  exact<lib.ItemOf<typeof visits>, Item>()
  const required = { db, resolveRole: () => null, lists: [visits] } as const
  const links = db.selectFrom('clients').select(['coach_id as owner_id', 'member_id as linked_id'])
  lib.defineOptions({ ...required, tables: { clinic_staff: links, clinic_leads: 'leads' } })
  const roles = { visits: { Desk: [{ own: 'id' }, { linked: 'clinic_id', by: 'clinic_staff' }] } } as const
  lib.defineOptions({ ...required, roles })
  const satisfied = { clinic_staff: links, clinic_leads: 'leads', payments: 'orders' } satisfies lib.TablesOf<
    [typeof lib.payments, typeof visits]
  >
  lib.defineOptions({ db, resolveRole: required.resolveRole, lists: [lib.payments, visits], tables: satisfied })
  // @ts-expect-error ListingTables has the default lists only
  ;({ clinic_staff: links }) satisfies lib.ListingTables
  // @ts-expect-error a mistake is reported where the table is
  ;({ clinic_staff: 5 }) satisfies lib.TablesOf<[typeof visits]>
  // @ts-expect-error a table of links has the column linked_id
  lib.defineOptions({ ...required, tables: { clinic_staff: db.selectFrom('clients').select(linkColumns) } })
  // @ts-expect-error no role names the table
  lib.defineOptions({ ...required, tables: { clinic_stuff: links } })
  // @ts-expect-error a note is no id
  lib.defineOptions({ ...required, roles: { visits: { Desk: { linked: 'notes' } } } })
  lib.defineOptions({ ...required, roles: { visits: { Desk: { own: 'id', where: { state: 'open' } } } } })
  // @ts-expect-error no such state
  lib.defineOptions({ ...required, roles: { visits: { Desk: { own: 'id', where: { state: 'opened' } } } } })
  // @ts-expect-error a condition compares no times
  lib.defineOptions({ ...required, roles: { visits: { Desk: { own: 'id', where: { at: '2026-01-01' } } } } })
  // @ts-expect-error a boolean is no text
  lib.defineOptions({ ...required, roles: { visits: { Desk: { where: { is_late: 'true' } } } } })
  // @ts-expect-error a condition that is undefined by mistake would reach more
  lib.defineOptions({ ...required, roles: { visits: { Desk: { where: { state: undefined } } } } })
  // @ts-expect-error an array has parts
  lib.defineOptions({ ...required, roles: { visits: { Desk: [{ own: 'id' }, 'all'] } } })
}

/** `unshown` names columns of the list's table, and texts of the users. */
export function unshownColumns() {
  const read = {
    filters: { state: { examples: ['open'] } },
    search: { columns: ['users.email'], examples: ['a'] }
  } as const
  const jobs = {
    name: 'jobs',
    path: '/job/list',
    key: 'jobs',
    openapi: { name: 'Job', operationId: 'listJobs', summary: 'Jobs', description: 'The jobs.' },
    fields: { id: lib.column.id({ examples: ['1'] }) },
    columns: {
      user_id: lib.column.id(),
      state: lib.column.enum(['open', 'done']),
      at: lib.column.utcTime({ whenNull: 'error' })
    },
    joined: { users: { team: lib.column.text() } },
    id: 'id',
    owner: 'user_id',
    order: '-at',
    roles: { Admin: 'all' },
    messages: { found: 'Found.', forbidden: 'No.' }
  } as const
  const list = lib.defineList({ ...jobs, ...read, unshown: ['state', 'users.email', 'users.team'] })
  // @ts-expect-error a column that is misspelt
  lib.defineList({ ...jobs, ...read, unshown: ['stat', 'users.email'] })
  // @ts-expect-error a column of the users that is misspelt
  lib.defineList({ ...jobs, ...read, unshown: ['state', 'users.mail'] })
  // @ts-expect-error no parameter reads a practitioner
  lib.defineList({ ...jobs, ...read, unshown: ['state', 'practitioners.last_name'] })
  // @ts-expect-error a column without an array
  lib.defineList({ ...jobs, ...read, unshown: 'state' })
  list.extend({ columns: { price: lib.column.decimal() }, sort: ['price'], unshown: ['price', 'users.last_name'] })
  // @ts-expect-error a column that is misspelt
  list.extend({ columns: { price: lib.column.decimal() }, sort: ['price'], unshown: ['prise'] })
}

/** A property that is undefined is left out, also with `exactOptionalPropertyTypes`, which this project has. */
export function leftOut(db: Kysely<Host>, isOpen: boolean) {
  const undefineds = { description: undefined, roles: undefined, whenNull: undefined }
  const examples = ['a']
  const goods = lib.defineList({
    ...{ name: 'goods', path: '/goods/list', key: 'goods', id: 'id', order: '-at' },
    openapi: { name: 'Goods', operationId: 'listGoods', summary: 'Goods', description: 'The goods.' },
    fields: {
      id: lib.column.id({ examples: ['1'] }),
      title: lib.column.text({ ...undefineds, examples }),
      state: lib.column.enum(['open', 'done'], { ...undefineds, examples: ['open'] }),
      named: { column: 'title', description: undefined, roles: undefined, examples },
      maybe: isOpen ? lib.column.text({ examples }) : undefined,
      never: undefined
    },
    columns: {
      at: lib.column.utcTime({ ...undefineds, whenNull: 'error', examples: undefined }),
      never: undefined
    },
    joined: { users: undefined, practitioners: undefined },
    ...{ practitioner: undefined, owner: undefined, sort: undefined },
    search: { columns: ['title'], examples, description: undefined, required: undefined, term: undefined },
    filters: {
      title: { ...undefineds, several: undefined, range: undefined, present: undefined, examples },
      at: { range: true, examples: undefined },
      never: undefined
    },
    unshown: ['at'],
    roles: { Admin: 'all', Desk: { linked: 'id', by: undefined }, Guest: undefined },
    otherRoles: isOpen ? 'all' : undefined,
    messages: { found: 'Found.', forbidden: 'No.' }
  })
  exact<
    lib.ItemOf<typeof goods>,
    { id: string; title: string; state: 'open' | 'done'; named: string; maybe?: string }
  >()
  exact<keyof lib.RowOf<typeof goods>, 'id' | 'title' | 'state' | 'maybe' | 'at'>()
  exact<
    lib.QueryOf<typeof goods>,
    {
      search?: string
      title?: string
      at_from?: string
      at_to?: string
      page?: number
      limit?: number
    }
  >()
  const users = db.selectFrom('members').select(userColumns)
  lib.defineOptions({ db, resolveRole: () => null, lists: [goods], tables: { users, links: undefined } })
  const added = goods.extend({
    ...{ columns: undefined, joined: undefined, filters: undefined, search: undefined, sort: undefined },
    ...{ unshown: undefined, path: undefined, key: undefined, openapi: undefined },
    fields: { price: lib.column.decimal({ examples: [1] }), never: undefined }
  })
  exact<lib.ItemOf<typeof added>['price'], number>()
}

const more = lib.payments.extend({ fields: { currency: lib.column.text({ examples: ['EUR'] }) } })

export async function withoutHttp(db: Kysely<Host>) {
  const caller = { userId: 7, role: 'User' }
  const resolveRole = () => null
  const options = lib.defineOptions({ db, resolveRole })
  for (const listings of [lib.createListings(options), lib.createListings({ db, resolveRole })]) {
    const found = await listings.find('payments', { caller, query: { search: 'pi_', page: 2 } })
    exact<typeof found.items, lib.PaymentItem[]>()
    for await (const item of listings.each('assessments', { caller, query: { search: '' } })) {
      exact<typeof item, lib.AssessmentItem>()
    }
    await Fastify().register(listings.plugin, { prefix: '/api' })
    listings.find('assessments', { caller, query: { search: '', status: found.total ? 'pending' : undefined } })
    // @ts-expect-error there is no list payment
    listings.find('payment', { caller })
    // @ts-expect-error the caller is missing
    listings.find('payments', {})
    // @ts-expect-error there is no parameter serch
    listings.find('payments', { caller, query: { serch: 'a' } })
    // @ts-expect-error a status is completed, pending or reserved
    listings.find('assessments', { caller, query: { search: '', status: 'open' } })
    // @ts-expect-error all records have no pages
    listings.each('payments', { caller, query: { page: 2 } })
    // @ts-expect-error the search of assessments is required
    listings.find('assessments', { caller })
    // @ts-expect-error the search of assessments is required
    listings.each('assessments', { caller, query: { status: 'pending' } })
    // @ts-expect-error a caller has no reach
    listings.find('payments', { caller, reach: 'all' })
  }

  const own = lib.createListings(lib.defineOptions({ db, resolveRole, lists: [more] }))
  const { items } = await own.find('payments', { caller })
  exact<(typeof items)[0]['currency'], string>()
  // @ts-expect-error this server has no assessments
  await own.find('assessments', { caller })
  const ofHost = lib.createListings({ db, resolveRole, lists: [more] })
  exact<typeof ofHost, typeof own>()
  // A type that does not know the lists takes any, and the items have no type.
  const any: lib.ListingOptions = { db, resolveRole, lists: [more], tables: { payments: 'orders' } }
  exact<Awaited<ReturnType<lib.Listings<readonly lib.List[]>['find']>>['items'], unknown[]>()
  await lib.createListings(any).find('payments', { caller, query: { currency: 'EUR' } })
}

/** `checkDatabase` and `conformance` take the options of the registration as they are. */
export function checks(db: Kysely<Host>, app: fastify.FastifyInstance, given: lib.ListingOptions<Kysely<Host>>) {
  const resolveRole = () => null
  const ann = { name: 'Ann', userId: 1, headers: {} }
  const both = () => ({ app, callers: [{ ...ann, reach: { assessments: 'own', payments: 'none' } }] }) as const
  const one = () => ({ app, callers: [{ ...ann, reach: { payments: 'all' } }] }) as const
  const roles: lib.ListingOptions['roles'] = { assessments: { Auditor: 'all' } }
  const tables = (instance: Kysely<Host>) => ({ users: instance.selectFrom('members').select(userColumns) })
  const own = lib.defineOptions({ db, resolveRole, lists: [lib.payments], tables, maxLimit: 500 })
  exact<typeof own.db, lib.ListingOptions<Kysely<Host>>['db']>()

  conformance(both, { prefix: '/api', logLevel: 'warn', ...given })
  conformance(both, lib.defineOptions({ db, resolveRole, roles }))
  conformance(one, { lists: [lib.payments] })
  conformance(one, own)
  conformance(one, given)
  const counted = { ...ann, reach: { payments: 'own', assessments: 'none' } } as const
  conformance(() => ({ app, callers: [{ ...counted, totals: { payments: 12n, assessments: undefined } }] }))
  // @ts-expect-error there is no list payment
  conformance(() => ({ app, callers: [{ ...counted, totals: { payment: 12 } }] }))
  // @ts-expect-error a caller has a reach on each list
  conformance(one, own.lists ? { lists: [lib.assessments, lib.payments] } : {})
  // @ts-expect-error there is no list payment
  conformance(both, { roles: { payment: { Auditor: 'all' } } })
  // @ts-expect-error there is no option prefx
  conformance(both, { prefx: '/api' })

  void lib.checkDatabase({ db })
  void lib.checkDatabase({ ...given, db })
  void lib.checkDatabase({ ...own, db })
  void lib.checkDatabase({ db, tables: (instance) => tables(instance) })
  void lib.checkDatabase({
    db,
    lists: [more],
    tables: { payments: 'orders' },
    roles: { payments: { Auditor: 'all' } }
  })
  void lib.checkDatabase({ db, lists: [more], tables: (instance) => tables(instance) })
  // @ts-expect-error the extended list has no assessments
  void lib.checkDatabase({ db, lists: [more], roles: { assessments: { Auditor: 'all' } } })
  // @ts-expect-error there is no option maxLimits
  void lib.checkDatabase({ db, maxLimits: 500 })
  // @ts-expect-error the check has no request for a function
  void lib.checkDatabase(given)
}

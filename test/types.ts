/**
 * What must compile in a host's TypeScript, and what must not. Checked by `npm run typecheck` and never
 * run: everything stands in functions that nobody calls.
 */
import type { Static } from '@sinclair/typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type FastifyTypeProvider,
  type HookHandlerDoneFunction,
  type onRequestAsyncHookHandler,
  type onRequestHookHandler,
  type preSerializationHookHandler
} from 'fastify'
import { type ColumnType, type Generated, type Kysely, sql } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import type { Kysely as Kysely28, Migration as Migration28 } from 'kysely-0.28'
import { conformance } from '../src/conformance/index.js'
import listing, {
  type AssessmentColumns,
  type AssessmentItem,
  type AssessmentPage,
  type AssessmentQuery,
  checkDatabase,
  column,
  createListings,
  defineOptions,
  type GetDatabase,
  type GetTables,
  type KyselyInstance,
  type KyselySelect,
  type ListErrorBody,
  type ListingCaller,
  type ListingError,
  type ListingMessages,
  type ListingOptions,
  type ListingTables,
  listingMigrations,
  type listing as named,
  type PaymentItem,
  type PaymentPage,
  type PaymentQuery,
  payments,
  type Reach,
  type UserColumns
} from '../src/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only where both are the very same type. */
const exact = <A, B>(..._proof: Equal<A, B> extends true ? [] : ['the types differ']) => undefined

/** Compiles only where the tables fit. */
const tables = (given: ListingTables) => given

/** Compiles only where the options fit. */
const options = (given: ListingOptions) => given

/** The types of Kysely 0.28 that a host with CommonJS sees. */
type CommonKysely28 = import('kysely-0.28', { with: { 'resolution-mode': 'require' }}).Kysely<Host>
type CommonMigration28 = import('kysely-0.28', { with: { 'resolution-mode': 'require' }}).Migration

/** A host's tables, named as no table expects it. */
interface Host {
  members: {
    id: Generated<number>
    given_name: string
    family_name: string | null
    mail: string
    photo: string | null
    level: number
    boss_id: number | null
  }
  /** A view that has the columns of `users`, and one more. */
  member_view: {
    user_id: Generated<bigint>
    first_name: ColumnType<string, string | undefined, never>
    last_name: string
    email: string
    avatar_url: null
    level: number
  }
  bookings: {
    assessment_id: Generated<bigint>
    licence: string
    assessment_type: 'personality' | 'aptitude'
    user_id: number
    practitioner_id: number | null
    status: 'completed' | 'pending' | 'reserved'
    date_assignment: Date
    date_conclusion: ColumnType<Date | null, string, string>
    created_at: ColumnType<Date, string | undefined, never>
  }
  orders: {
    payment_id: string
    user_id: number | null
    amount: ColumnType<string, number, number>
    quantity: number
    payment_intent: string
    paid_at: string | null
    payment_method: 'card' | 'cash'
    payment_status: 'open' | 'paid'
    processor_status: string
    created_at: string
  }
  companies: { id: number; name: string }
  company_members: { company_id: number; member_id: number }
  clients: { coach_id: string; member_id: string }
}

const userColumns = [
  'id as user_id',
  'given_name as first_name',
  'family_name as last_name',
  'mail as email',
  'photo as avatar_url'
] as const

export function fittingRelations(db: Kysely<Host>, some: boolean) {
  tables({})
  tables({ users: 'members', payments: 'shop.orders' })

  const renamed = db.selectFrom('members').select(userColumns)
  tables({ users: renamed })
  // as a host with `exactOptionalPropertyTypes` writes it, which this project is
  tables({ users: some ? renamed : undefined, links: some ? 'clients' : undefined })
  tables({ users: db.withSchema('crm').selectFrom('member_view as v').selectAll('v') })
  tables({
    users: db
      .with('seniors', (cte) => cte.selectFrom('members').selectAll().where('level', '>', 5))
      .selectFrom('seniors')
      .select(userColumns)
  })
  tables({
    users: renamed.unionAll(db.selectFrom('members').select(userColumns).where('level', '=', 0))
  })
  tables({
    users: db.selectFrom(renamed.as('inner')).selectAll()
  })
  tables({
    users: db
      .selectFrom('members')
      .select((eb) => [
        'id as user_id',
        sql<string>`upper(given_name)`.as('first_name'),
        eb.val(null).as('last_name'),
        eb.fn.coalesce('mail', eb.val('')).as('email'),
        eb.case().when('level', '>', 5).then('https://cdn.example.org/star.png').else(null).end().as('avatar_url')
      ])
  })
  tables({ users: db.selectFrom('members').select('id').$castTo<UserColumns>() })

  // literal unions, Generated, ColumnType, null where it is allowed
  tables({
    assessments: db.selectFrom('bookings').selectAll(),
    payments: db.selectFrom('orders').selectAll(),
    practitioners: db
      .selectFrom('bookings')
      .innerJoin('members', 'members.id', 'bookings.practitioner_id')
      .select(['members.id as practitioner_id', 'given_name as first_name', 'family_name as last_name'])
      .distinct(),
    memberships: db
      .selectFrom('company_members')
      .leftJoin('companies', 'companies.id', 'company_members.company_id')
      .select(['member_id as user_id', 'companies.name as org_name']),
    links: db.selectFrom('clients').select(['coach_id as owner_id', 'member_id as user_id'])
  })
}

/** test/editor.test.ts has more mistakes, each with the message of the compiler. */
export function misfittingRelations(db: Kysely<Host>, untyped: Kysely<Record<string, Record<string, unknown>>>) {
  const members = db.selectFrom('members')
  const fitting = members.select(userColumns)
  tables({ users: fitting })

  // @ts-expect-error user_id is a boolean
  tables({ links: members.select(['id as owner_id', sql<boolean>`level > 5`.as('user_id')]) })
  const joined = db
    .selectFrom('bookings')
    .leftJoin('members', 'members.id', 'bookings.practitioner_id')
    .select(['members.id as practitioner_id', 'given_name as first_name', 'family_name as last_name'])
  // @ts-expect-error practitioner_id may be null, from a left join
  tables({ practitioners: joined })
  // @ts-expect-error nothing is selected
  tables({ users: members })
  // @ts-expect-error user_id may not be selected
  tables({ links: members.select(['id as owner_id']).$if(true, (query) => query.select('id as user_id')) })
  // @ts-expect-error org_name is of an unknown type: `sql` needs its type argument
  tables({ memberships: members.select(['id as user_id', sql`mail`.as('org_name')]) })

  const columns = untyped.selectFrom('x').select(['owner_id', 'user_id'])
  // @ts-expect-error columns of an untyped database are unknown: $castTo says what they are
  tables({ links: columns })
  tables({ links: columns.$castTo<{ owner_id: number; user_id: number }>() })

  // @ts-expect-error an aliased select is for a from clause
  tables({ users: fitting.as('u') })
  // @ts-expect-error a compiled query has no row type
  tables({ users: fitting.compile() })
  // @ts-expect-error the rows themselves are no table
  tables({ users: fitting.execute() })
  // @ts-expect-error a raw expression is no select
  tables({ users: sql<UserColumns>`select * from members` })
  // @ts-expect-error a function is no table
  tables({ users: () => fitting })
  // @ts-expect-error null is no table; undefined is
  tables({ users: null })

  // @ts-expect-error a fitting select under the name of another table
  tables({ payments: fitting })
}

interface Statuses {
  tests: {
    id: number
    union: 'completed' | 'pending'
    generated: Generated<'pending'>
    column: ColumnType<'completed' | 'reserved', string, string>
    oneOther: 'pending' | 'open'
  }
}

export function statuses(db: Kysely<Statuses>) {
  const select = db.selectFrom('tests').select('id').$castTo<Omit<AssessmentColumns, 'status'>>()
  const oneOther = select.select('oneOther as status')
  // `string` is accepted, and every union of words is a `string`
  tables({ assessments: oneOther })

  // the words are compared where the host asks for it
  type Fitting = KyselySelect<Pick<AssessmentItem, 'status'>>
  tables({ assessments: select.select('union as status') satisfies Fitting })
  tables({ assessments: select.select('generated as status') satisfies Fitting })
  tables({ assessments: select.select('column as status') satisfies Fitting })
  // @ts-expect-error open is no status
  tables({ assessments: oneOther satisfies Fitting })
}

export function databases(db: Kysely<Host>, readonly: ReadonlyKysely<Host>, tenants: Map<string, KyselyInstance>) {
  const resolveRole = () => null
  options({ db, resolveRole })
  options({ db: readonly, resolveRole })
  options({ db: (request) => tenants.get(request.hostname) ?? db.withSchema('crm'), resolveRole })

  // @ts-expect-error the function may give no database
  options({ db: (request) => tenants.get(request.hostname), resolveRole })
  // @ts-expect-error the function must not be async
  options({ db: async () => db, resolveRole })
  // @ts-expect-error an address is no Kysely instance
  options({ db: 'mysql://localhost/host', resolveRole })
  // @ts-expect-error a select is no Kysely instance
  options({ db: db.selectFrom('members'), resolveRole })
}

/** Tables by a function of the instance. */
export function relationsByFunction(
  app: FastifyInstance,
  db: Kysely<Host>,
  readonly: ReadonlyKysely<Host>,
  other: Kysely<{ others: { id: number } }>
) {
  const resolveRole = () => null
  const links = (instance: Kysely<Host>) => ({
    links: instance.selectFrom('clients').select(['coach_id as owner_id', 'member_id as user_id'])
  })
  const made: GetTables<Kysely<Host>> = links

  // through `register`, with the type of the parameter written
  app.register(listing, { db, resolveRole, tables: made })
  app.register(listing, { prefix: '/api', db: () => db.withSchema('crm'), resolveRole, tables: links })
  app.register(listing, {
    db: (request) => {
      exact<typeof request, FastifyRequest>()
      return db
    },
    resolveRole: (request) => ({ userId: request.user.sub, role: request.user.role }),
    tables: (instance: Kysely<Host>) => ({
      users: instance.selectFrom('members').select(userColumns),
      payments: 'shop.orders'
    })
  })
  app.register(listing, { db, resolveRole, tables: () => ({ users: 'members' }) })
  app.register(listing, { db, resolveRole, tables: app.prefix ? links : undefined })

  // by the type of the options, with nothing written
  const options = {
    db,
    resolveRole,
    tables: (instance) => {
      exact<typeof instance, Kysely<Host>>()
      return { users: instance.selectFrom('members').select(userColumns), links: 'clients' }
    }
  } satisfies ListingOptions<typeof db>
  app.register(listing, { prefix: '/api', ...options })
  const tenants: ListingOptions<Kysely<Host>> = { ...options, db: (request) => db.withSchema(request.hostname) }
  app.register(listing, tenants)
  const replica = {
    db: readonly,
    resolveRole,
    tables: (instance) => ({ users: instance.selectFrom('members').select(userColumns) })
  } satisfies ListingOptions<typeof readonly>
  app.register(listing, replica)

  // the check takes the type from `db`
  void checkDatabase({ db, tables: (instance) => links(instance) })
  void checkDatabase({ db, tables: { users: 'members' } })
  void checkDatabase({ db })

  const unknown = (instance: Kysely<Host>) => ({ userz: instance.selectFrom('members').selectAll() })
  // @ts-expect-error there is no table userz
  app.register(listing, { db, resolveRole, tables: unknown })
  // @ts-expect-error the function must not be async
  app.register(listing, { db, resolveRole, tables: async () => ({ users: 'members' }) })
  const ofRequest = (request: FastifyRequest) => ({ users: request.hostname })
  // @ts-expect-error the function is given an instance, and no request
  app.register(listing, { db, resolveRole, tables: ofRequest })
  const typed = (given: ListingOptions<typeof other>) => given
  // @ts-expect-error the instance has other tables than the function expects
  typed({ db: other, resolveRole, tables: links })
}

interface Member {
  id: number
  role: 'Admin' | 'Individual'
}

export function resolvers(db: Kysely<Host>, find: (sub: string) => Promise<Member | undefined>, { id, role }: Member) {
  options({ db, resolveRole: () => ({ userId: 1n, role: 'Admin' }) })
  options({ db, resolveRole: () => ({ userId: 'b1f0', role, name: 'more than asked' }) })
  options({ db, resolveRole: () => null })
  options({ db, resolveRole: () => undefined })
  options({ db, resolveRole: async () => null })
  options({ db, resolveRole: (request) => (request.headers.host ? { userId: id, role } : null) })
  options({
    db,
    async resolveRole(request) {
      exact<typeof request, FastifyRequest>()
      const found = await find(request.user.sub)
      return found && { userId: found.id, role: found.role }
    }
  })
  // what the database answers, as it is
  const row = db
    .selectFrom('members')
    .select(['id as userId', sql<string>`if(level > 5, 'Admin', 'Individual')`.as('role')])
  options({ db, resolveRole: () => row.executeTakeFirst() })
  const answer: ListingCaller | null = role === 'Admin' ? { userId: id, role } : null
  options({ db, resolveRole: () => answer })
  options({
    db,
    resolveRole: ({ headers }: FastifyRequest<{ Headers: { 'x-id': string } }>) => ({ userId: headers['x-id'], role })
  })

  // @ts-expect-error the role is missing
  options({ db, resolveRole: () => ({ userId: id }) })
  // @ts-expect-error the role is a list
  options({ db, resolveRole: () => ({ userId: id, role: [role] }) })
  // @ts-expect-error a caller without an id is null
  options({ db, resolveRole: () => ({ userId: null, role }) })
  // @ts-expect-error a request has no such property
  options({ db, resolveRole: (request) => ({ userId: request.nosuch, role }) })
  // @ts-expect-error a list of callers is no function
  options({ db, resolveRole: { sub: { userId: id, role } } })
}

export function authentication(
  db: Kysely<Host>,
  callback: onRequestHookHandler,
  promise: onRequestAsyncHookHandler,
  later: preSerializationHookHandler
) {
  const resolveRole = () => null
  options({ db, resolveRole, authenticate: callback })
  options({ db, resolveRole, authenticate: promise })
  options({ db, resolveRole, authenticate: (request) => request.jwtVerify() })
  options({ db, resolveRole, authenticate: [callback, promise, (request) => request.jwtVerify()] as const })
  options({
    db,
    resolveRole,
    authenticate(request, reply, done) {
      exact<typeof request, FastifyRequest>()
      exact<typeof reply, FastifyReply>()
      exact<typeof done, HookHandlerDoneFunction>()
    }
  })
  options({ db, resolveRole, authenticate: (_request, _reply, done) => done(new Error('No.')) })

  // @ts-expect-error the name of a strategy in an array is no hook
  options({ db, resolveRole, authenticate: [promise, 'jwt'] })
  // @ts-expect-error the name of a strategy is no hook
  options({ db, resolveRole, authenticate: 'jwt' })
  // @ts-expect-error a hook of a later step, which is given a payload too
  options({ db, resolveRole, authenticate: later })
}

export function otherOptions(db: Kysely<Host>, some: boolean, reach: Reach) {
  const resolveRole = () => null
  const required = { db, resolveRole }
  options({
    ...required,
    tables: {},
    visibility: {
      assessments: { Auditor: 'all', Practitioner: 'none' },
      payments: { Auditor: reach, Admin: 'linked' }
    },
    defaultLimit: 20,
    maxLimit: 500,
    timeout: 5000,
    messages: { unauthorized: 'Ungültiges Token.' },
    unknownParameters: 'ignore',
    checkOnReady: 'warn'
  })
  options({ ...required, unknownParameters: ['utm_source'] as const, visibility: { payments: undefined } })
  defineOptions({ ...required, lists: [payments], visibility: { payments: undefined } })
  options({
    ...required,
    authenticate: some ? (request) => request.jwtVerify() : undefined,
    tables: some ? {} : undefined,
    visibility: some ? {} : undefined,
    defaultLimit: some ? 20 : undefined,
    maxLimit: some ? 500 : undefined,
    timeout: some ? 5000 : undefined,
    messages: some ? {} : undefined,
    unknownParameters: some ? 'reject' : undefined,
    checkOnReady: some ? 'off' : undefined
  })
  const texts: Partial<ListingMessages> = { timeout: 'Zu spät.' }
  options({ ...required, messages: texts })

  // test/editor.test.ts has more mistakes, each with the message of the compiler
  // @ts-expect-error a message is a text
  options({ ...required, messages: { unauthorized: () => 'Ungültiges Token.' } })
  // @ts-expect-error 'allow' is said with 'ignore', or with the names
  options({ ...required, unknownParameters: 'allow' })
  // @ts-expect-error a misspelt option
  options({ ...required, timeOut: 1000 })
}

export function registration(app: FastifyInstance, db: Kysely<Host>) {
  const resolveRole = () => null
  exact<typeof listing, FastifyPluginAsync<ListingOptions>>()
  exact<typeof named, typeof listing>()

  app.register(listing, { prefix: '/api', logLevel: 'warn', db, resolveRole, maxLimit: 50 })
  app.register(listing, { prefix: '/api', logSerializers: { req: () => 'request' }, db, resolveRole })
  app.register(listing, () => ({ db, resolveRole }))
  const kept = {
    db,
    resolveRole: (request) => ({ userId: request.user.sub, role: request.user.role }),
    tables: { users: 'members' }
  } satisfies ListingOptions
  app.register(listing, { ...kept, prefix: '/v2' })
  app.register(listing, {
    db,
    resolveRole(request) {
      exact<typeof request, FastifyRequest>()
      return { userId: request.user.sub, role: request.user.role }
    },
    async authenticate(request, reply) {
      exact<typeof request, FastifyRequest>()
      exact<typeof reply, FastifyReply>()
    }
  })

  // @ts-expect-error there are options that are required
  app.register(listing)
  // @ts-expect-error resolveRole is not optional
  options({ db, resolveRole: undefined })
}

interface HostLogger extends FastifyBaseLogger {
  audit(message: string): void
}

interface HostTypes extends FastifyTypeProvider {
  validator: this['schema'] extends { host: infer Value } ? Value : unknown
  serializer: this['schema'] extends { host: infer Value } ? Value : unknown
}

export async function hosts(db: Kysely<Host>, loggerInstance: HostLogger) {
  const all: ListingOptions = { db, resolveRole: () => null }
  const http = Fastify()
  await http.register(listing, all).after()
  Fastify({ http2: true }).register(listing, { prefix: '/api', ...all })
  Fastify({ http2: true, https: {} }).register(listing, all)
  Fastify({ https: {} }).register(listing, all)
  Fastify({ loggerInstance }).register(listing, { prefix: '/api', ...all })
  Fastify({ loggerInstance, http2: true }).register(listing, all)
  Fastify()
    .withTypeProvider<HostTypes>()
    .register(listing, { prefix: '/api', ...all })
}

/** An intersection as one object. */
type Flat<Type> = { [Name in keyof Type]: Type[Name] }

export function answers() {
  // the types that explain themselves in an editor are those of the schemas
  exact<AssessmentItem, Static<typeof AssessmentItem>>()
  exact<Flat<AssessmentPage>, Static<typeof AssessmentPage>>()
  exact<Flat<AssessmentQuery>, Static<typeof AssessmentQuery>>()
  exact<PaymentItem, Static<typeof PaymentItem>>()
  exact<ListingError['body'], ListErrorBody>()
  exact<Flat<PaymentPage>, Static<typeof PaymentPage>>()
  exact<Flat<PaymentQuery>, Static<typeof PaymentQuery>>()
  exact<ListErrorBody, Static<typeof ListErrorBody>>()
  // @ts-expect-error `exact` itself: null is missing
  exact<AssessmentItem['avatarUrl'], string>()
  // @ts-expect-error `exact` itself: page is optional
  exact<AssessmentQuery['page'], number>()
}

export function kysely28(db: Kysely28<Host>, common: CommonKysely28) {
  const resolveRole = () => null
  options({ db, resolveRole })
  options({ db: () => common, resolveRole })
  tables({
    users: db.selectFrom('member_view').selectAll(),
    links: common.selectFrom('clients').select(['coach_id as owner_id', 'member_id as user_id'])
  })
  const all: Record<string, Migration28> = listingMigrations
  const common28: Record<string, CommonMigration28> = listingMigrations
  return [all, common28]
}

export async function withoutHttp(db: Kysely<Host>, options: ListingOptions) {
  const caller = { userId: 7, role: 'User' }
  const resolveRole = () => null
  for (const listings of [createListings(options), createListings(defineOptions({ db, resolveRole }))]) {
    const found = await listings.find('payments', { caller, query: { search: 'pi_', page: 2 } })
    exact<typeof found.items, PaymentItem[]>()
    for await (const item of listings.each('assessments', { caller, query: { search: '' } })) {
      exact<typeof item, AssessmentItem>()
    }
    const app = Fastify()
    await app.register(listings.plugin, { prefix: '/api' })
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
    listings.find('assessments', { caller, query: { search: '', status: found.total ? 'pending' : undefined } })
    // @ts-expect-error a caller has no reach
    listings.find('payments', { caller, reach: 'all' })
  }

  const more = payments.extend({ fields: { currency: column.text({ examples: ['EUR'] }) } })
  const own = createListings(defineOptions({ db, resolveRole, lists: [more] }))
  const { items } = await own.find('payments', { caller })
  exact<(typeof items)[0]['currency'], string>()
  // @ts-expect-error this server has no assessments
  await own.find('assessments', { caller })
  // @ts-expect-error the option lists needs defineOptions
  createListings({ db, resolveRole, lists: [more] })
}

/** `checkDatabase` and `conformance` take the options of the registration as they are. */
export function checks(db: Kysely<Host>, app: FastifyInstance, given: ListingOptions<Kysely<Host>>) {
  const resolveRole = () => null
  const ann = { name: 'Ann', userId: 1, headers: {} }
  const both = () => ({ app, callers: [{ ...ann, reach: { assessments: 'own', payments: 'none' } }] }) as const
  const one = () => ({ app, callers: [{ ...ann, reach: { payments: 'all' } }] }) as const
  const visibility: ListingOptions['visibility'] = { assessments: { Auditor: 'all' } }
  const own = defineOptions({
    db,
    resolveRole,
    lists: [payments],
    tables: (db) => ({ users: db.selectFrom('members').select(userColumns) })
  })
  exact<typeof own.db, Kysely<Host> | GetDatabase<Kysely<Host>>>()

  conformance(both, { prefix: '/api', logLevel: 'warn', ...given })
  conformance(both, defineOptions({ db, resolveRole, visibility }))
  conformance(one, { lists: [payments] })
  conformance(one, own)
  // @ts-expect-error a caller has a reach on each list
  conformance(one, given)
  // @ts-expect-error there is no list payment
  conformance(both, { visibility: { payment: { Auditor: 'all' } } })
  // @ts-expect-error there is no option prefx
  conformance(both, { prefx: '/api' })

  void checkDatabase({ ...given, db })
  void checkDatabase({ ...own, db })
  const extended = payments.extend({ fields: { currency: column.text({ examples: ['€'] }) } })
  const visible = { payments: { Auditor: 'all' } } as const
  const tables = { payments: 'orders' }
  void checkDatabase({ ...defineOptions({ db, resolveRole, lists: [extended], tables, maxLimit: 500 }), db })
  void checkDatabase({ db, lists: [extended], tables, visibility: visible, maxLimit: 500 })
  void checkDatabase({
    db,
    lists: [extended],
    tables: (instance) => ({ users: instance.selectFrom('members').select(userColumns) })
  })
  // @ts-expect-error the extended list has no assessments
  void checkDatabase({ db, lists: [extended], visibility: { assessments: { Auditor: 'all' } } })
  // @ts-expect-error there is no option maxLimits
  void checkDatabase({ db, maxLimits: 500 })
  // @ts-expect-error the check has no request for a function
  void checkDatabase(given)
}

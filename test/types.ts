/**
 * What compiles in a host's TypeScript, and what does not. `npm run typecheck` checks it, and nobody calls its functions.
 * test/editor.test.ts has what the compiler says of the usual mistakes.
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
  type ListingError,
  type ListingMessages,
  type ListingOptions,
  type ListingTables,
  listingMigrations,
  type listing as named,
  type PaymentColumns,
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

/** Compiles only where none of the values fits. */
const noneFits =
  <Wanted>() =>
  <const Values extends readonly unknown[]>(
    _values: Values,
    ..._proof: Extract<Values[number], Wanted> extends never ? [] : [fitting: Extract<Values[number], Wanted>]
  ) =>
    undefined

const options = (given: ListingOptions) => given

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
  bookings: Omit<AssessmentColumns, 'assessment_id' | 'status' | 'date_conclusion'> & {
    assessment_id: Generated<bigint>
    status: 'completed' | 'pending' | 'reserved'
    date_conclusion: ColumnType<Date | null, string, string>
    level: number
  }
  orders: Omit<PaymentColumns, 'amount'> & { amount: ColumnType<string, number, number> }
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
const linkColumns = ['coach_id as owner_id', 'member_id as user_id'] as const

export function selects(db: Kysely<Host>, untyped: Kysely<Record<string, Record<string, unknown>>>, some: boolean) {
  const members = db.selectFrom('members')
  const users = members.select(userColumns)
  const columns = untyped.selectFrom('x').select(['owner_id', 'user_id'])
  const joined = db.selectFrom('company_members').leftJoin('companies', 'companies.id', 'company_members.company_id')
  const computed = members.select((eb) => [
    'id as user_id',
    sql<string>`upper(given_name)`.as('first_name'),
    eb.val(null).as('last_name'),
    eb.fn.coalesce('mail', eb.val('')).as('email'),
    eb.case().when('level', '>', 5).then('star.png').else(null).end().as('avatar_url')
  ])
  const fitting: ListingTables[] = [
    {},
    { users: 'members', payments: 'shop.orders' },
    // As a host with `exactOptionalPropertyTypes` writes it, which this project is.
    { users: some ? users : undefined, links: some ? 'clients' : undefined },
    { users: db.withSchema('crm').selectFrom('members as m').select(userColumns).distinct() },
    {
      users: db
        .with('seniors', () => users)
        .selectFrom('seniors')
        .selectAll()
    },
    { users: users.unionAll(members.select(userColumns).where('level', '=', 0)) },
    { users: db.selectFrom(users.as('inner')).selectAll() },
    { users: computed },
    { users: members.select('id').$castTo<UserColumns>() },
    { assessments: db.selectFrom('bookings').selectAll(), payments: db.selectFrom('orders').selectAll() },
    { memberships: joined.select(['member_id as user_id', 'companies.name as org_name']) },
    { links: columns.$castTo<{ owner_id: number; user_id: number }>() }
  ]

  const links = members.select(['id as owner_id'])
  noneFits<ListingTables['links']>()([
    // The column may not be selected.
    links.$if(some, (query) => query.select('id as user_id')),
    // `sql` needs its type argument, and columns of an untyped database a cast.
    links.select(sql`mail`.as('user_id')),
    columns
  ])
  const raw = sql<UserColumns>`select * from members`
  noneFits<ListingTables['users']>()([members, users.as('u'), users.compile(), users.execute(), raw, () => users, null])
  noneFits<ListingTables['payments']>()([users])
  return fitting
}

/** Every union of words is a `string`. The words are compared where the host asks for it. */
export function statuses(db: Kysely<Host>) {
  const columns = db.selectFrom('bookings').select(['level']).$castTo<Omit<AssessmentColumns, 'status'>>()
  const assessments = columns.select(sql<'pending' | 'open'>`state`.as('status'))
  type Fitting = KyselySelect<Pick<AssessmentItem, 'status'>>
  noneFits<Fitting>()([assessments])
  const tables: ListingTables = { assessments }
  return [tables, db.selectFrom('bookings').select('status') satisfies Fitting]
}

export function databases(db: Kysely<Host>, readonly: ReadonlyKysely<Host>, tenants: Map<string, KyselyInstance>) {
  const fitting: ListingOptions['db'][] = [
    db,
    readonly,
    (request) => tenants.get(request.hostname) ?? db.withSchema('crm')
  ]
  noneFits<ListingOptions['db']>()([
    (request: FastifyRequest) => tenants.get(request.hostname),
    async () => db,
    'mysql://localhost/host',
    db.selectFrom('members')
  ])
  return fitting
}

export function tablesByFunction(
  app: FastifyInstance,
  db: Kysely<Host>,
  readonly: ReadonlyKysely<Host>,
  other: Kysely<{ others: { id: number } }>
) {
  const resolveRole = () => null
  const links = (instance: Kysely<Host>) => ({ links: instance.selectFrom('clients').select(linkColumns) })
  const made: GetTables<Kysely<Host>> = links

  // Through `register`, with the type of the parameter written.
  app.register(listing, { prefix: '/api', db: () => db.withSchema('crm'), resolveRole, tables: made })
  app.register(listing, { db, resolveRole, tables: () => ({ users: 'members' }) })
  app.register(listing, { db, resolveRole, tables: app.prefix ? links : undefined })

  // By the type of the options, with nothing written.
  const options = {
    db,
    resolveRole,
    tables: (instance) => {
      exact<typeof instance, Kysely<Host>>()
      return { users: instance.selectFrom('members').select(userColumns), links: 'clients' }
    }
  } satisfies ListingOptions<typeof db>
  const tenants: ListingOptions<Kysely<Host>> = { ...options, db: (request) => db.withSchema(request.hostname) }
  app.register(listing, tenants)
  const replica = {
    db: readonly,
    resolveRole,
    tables: (instance) => ({ users: instance.selectFrom('members').select(userColumns) })
  } satisfies ListingOptions<typeof readonly>
  app.register(listing, replica)

  noneFits<ListingOptions['tables']>()([
    (instance: Kysely<Host>) => ({ userz: instance.selectFrom('members').selectAll() }),
    async () => ({ users: 'members' }),
    (request: FastifyRequest) => ({ users: request.hostname })
  ])
  const typed = (given: ListingOptions<typeof other>) => given
  // @ts-expect-error the instance has other tables than the function expects
  typed({ db: other, resolveRole, tables: links })
}

interface Member {
  id: number
  role: 'Admin' | 'Individual'
}

export function resolvers(db: Kysely<Host>, find: (sub: string) => Promise<Member | undefined>, { id, role }: Member) {
  const row = db.selectFrom('members').select(['id as userId', sql<string>`if(level > 5, 'Admin', 'User')`.as('role')])
  const fitting: ListingOptions['resolveRole'][] = [
    () => ({ userId: 1n, role: 'Admin' }),
    () => ({ userId: 'b1f0', role, name: 'more than asked' }),
    () => null,
    () => undefined,
    async () => null,
    (request) => (request.headers.host ? { userId: id, role } : null),
    async (request) => {
      exact<typeof request, FastifyRequest>()
      const found = await find(request.user.sub)
      return found && { userId: found.id, role: found.role }
    },
    // What the database answers, as it is.
    () => row.executeTakeFirst(),
    ({ headers }: FastifyRequest<{ Headers: { 'x-id': string } }>) => ({ userId: headers['x-id'], role })
  ]
  noneFits<ListingOptions['resolveRole']>()([
    () => ({ userId: id }),
    () => ({ userId: id, role: [role] }),
    () => ({ userId: null, role }),
    { sub: { userId: id, role } }
  ])
  return fitting
}

export function authentication(
  callback: onRequestHookHandler,
  promise: onRequestAsyncHookHandler,
  later: preSerializationHookHandler
) {
  const fitting: ListingOptions['authenticate'][] = [
    callback,
    promise,
    (request) => request.jwtVerify(),
    [callback, promise, (request) => request.jwtVerify()] as const,
    (request, reply, done) => {
      exact<typeof request, FastifyRequest>()
      exact<typeof reply, FastifyReply>()
      exact<typeof done, HookHandlerDoneFunction>()
      done(new Error('No.'))
    }
  ]
  // A hook of a later step is given a payload, too.
  noneFits<ListingOptions['authenticate']>()(['jwt', [promise, 'jwt'], later])
  return fitting
}

export function otherOptions(db: Kysely<Host>, some: boolean, reach: Reach) {
  const required = { db, resolveRole: () => null }
  const texts: Partial<ListingMessages> = { timeout: 'Zu spät.' }
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
    messages: texts,
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
  noneFits<ListingOptions['messages']>()([{ unauthorized: () => 'Ungültiges Token.' }])
  noneFits<ListingOptions['unknownParameters']>()(['allow'])
}

interface HostLogger extends FastifyBaseLogger {
  audit(message: string): void
}

interface HostTypes extends FastifyTypeProvider {
  validator: this['schema'] extends { host: infer Value } ? Value : unknown
  serializer: this['schema'] extends { host: infer Value } ? Value : unknown
}

export async function registration(app: FastifyInstance, db: Kysely<Host>, loggerInstance: HostLogger) {
  exact<typeof listing, FastifyPluginAsync<ListingOptions>>()
  exact<typeof named, typeof listing>()
  const all: ListingOptions = { db, resolveRole: () => null }
  app.register(listing, { ...all, prefix: '/api', logLevel: 'warn', logSerializers: { req: () => 'request' } })
  app.register(listing, () => all)
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
  exact<AssessmentItem, Static<typeof AssessmentItem>>()
  exact<Flat<AssessmentPage>, Static<typeof AssessmentPage>>()
  exact<Flat<AssessmentQuery>, Static<typeof AssessmentQuery>>()
  exact<PaymentItem, Static<typeof PaymentItem>>()
  exact<Flat<PaymentPage>, Static<typeof PaymentPage>>()
  exact<Flat<PaymentQuery>, Static<typeof PaymentQuery>>()
  exact<ListErrorBody, Static<typeof ListErrorBody>>()
  exact<ListingError['body'], ListErrorBody>()
  // @ts-expect-error `exact` itself: null is missing
  exact<AssessmentItem['avatarUrl'], string>()
  // @ts-expect-error `exact` itself: page is optional
  exact<AssessmentQuery['page'], number>()
  // @ts-expect-error `noneFits` itself
  noneFits<ListingTables['users']>()([null, 'members'])
}

export function kysely28(db: Kysely28<Host>, common: CommonKysely28) {
  const resolveRole = () => null
  options({ db, resolveRole, tables: { users: db.selectFrom('members').select(userColumns) } })
  options({ db: () => common, resolveRole, tables: { links: common.selectFrom('clients').select(linkColumns) } })
  const all: Record<string, Migration28> = listingMigrations
  const common28: Record<string, CommonMigration28> = listingMigrations
  return [all, common28]
}

const more = payments.extend({ fields: { currency: column.text({ examples: ['EUR'] }) } })

export async function withoutHttp(db: Kysely<Host>, options: ListingOptions) {
  const caller = { userId: 7, role: 'User' }
  const resolveRole = () => null
  for (const listings of [createListings(options), createListings(defineOptions({ db, resolveRole }))]) {
    const found = await listings.find('payments', { caller, query: { search: 'pi_', page: 2 } })
    exact<typeof found.items, PaymentItem[]>()
    for await (const item of listings.each('assessments', { caller, query: { search: '' } })) {
      exact<typeof item, AssessmentItem>()
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
  const tables = (instance: Kysely<Host>) => ({ users: instance.selectFrom('members').select(userColumns) })
  const own = defineOptions({ db, resolveRole, lists: [payments], tables, maxLimit: 500 })
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

  void checkDatabase({ db })
  void checkDatabase({ ...given, db })
  void checkDatabase({ ...own, db })
  void checkDatabase({ db, tables: (instance) => tables(instance) })
  void checkDatabase({
    db,
    lists: [more],
    tables: { payments: 'orders' },
    visibility: { payments: { Auditor: 'all' } }
  })
  void checkDatabase({ db, lists: [more], tables: (instance) => tables(instance) })
  // @ts-expect-error the extended list has no assessments
  void checkDatabase({ db, lists: [more], visibility: { assessments: { Auditor: 'all' } } })
  // @ts-expect-error there is no option maxLimits
  void checkDatabase({ db, maxLimits: 500 })
  // @ts-expect-error the check has no request for a function
  void checkDatabase(given)
}

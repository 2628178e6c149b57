/** The documented options: checked once, defaulted, frozen. Nothing below sees what the host handed over. */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { defaultMessages, type Messages } from './messages.js'
import { type Rule, rules } from './option-rules.js'
import { defaultPaging } from './page.js'
import type { Database, RecordName, Relations } from './relations.js'

/** Whom the host says is calling. */
export interface CallerAnswer {
  /** The caller's id in the host's database: a safe integer, a bigint or a non-empty string without control characters. */
  userId: number | bigint | string
  /** The caller's role, by its exact name. */
  role: string
}

type Maybe<Value> = Value | null | undefined

/** The host's callbacks, as methods, so that a host may narrow the type of its requests. */
interface Callbacks {
  databaseOf(request: FastifyRequest): Database
  resolveRole(request: FastifyRequest): Maybe<CallerAnswer> | Promise<Maybe<CallerAnswer>>
  authenticate(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): unknown
}

/** Gives the Kysely instance for a request. */
export type DatabaseOf = Callbacks['databaseOf']

/** Tells who is calling; null or undefined when the host does not know. May be async. */
export type ResolveRole = Callbacks['resolveRole']

/** Any Fastify `onRequest` hook, callback or promise style. */
export type Authenticate = Callbacks['authenticate']

/** The reach of roles, by list and role name. Written out, so that the compiler's messages show what is allowed. */
export type Reaches = { [List in RecordName]?: Record<string, 'own' | 'linked' | 'all' | 'none'> | undefined }

/** Some of the texts that a client can read. */
export type OwnMessages = { [Name in keyof Messages]?: string | undefined }

/** What the lists are registered with. The README's table of options says the same, and a test that it does. */
export interface ListingOptions {
  /**
   * The host's own Kysely instance, or a function that gives the one for a request: a database per tenant, a
   * replica. MySQL, MariaDB, PostgreSQL and SQLite, found out by itself.
   *
   * @example
   * db: new Kysely({ dialect: new MysqlDialect({ pool }) })
   */
  db: Database | DatabaseOf
  /**
   * Tells who is calling, once the request is authenticated; null or undefined when the host does not
   * know this caller, which is a 401. An error thrown with a 4xx or 5xx `statusCode` keeps that status,
   * one that says that a server cannot be reached is a 503, any other a 500.
   *
   * @example
   * async resolveRole (request) {
   *   const member = await members.find(request.user.sub)
   *   return member && { userId: member.id, role: member.role }
   * }
   */
  resolveRole: ResolveRole
  /**
   * Any Fastify `onRequest` hook that refuses whom it does not know: by throwing, by `done(error)` or by
   * replying itself. A hook that swallows its failure has let the request through; then only a null from
   * `resolveRole` protects.
   *
   * @default `request.jwtVerify()`, Bearer header only
   * @example
   * authenticate: (request) => request.jwtVerify({ onlyCookie: true })
   */
  authenticate?: Authenticate | undefined
  /**
   * Where the host's data is: a table or view name, or a Kysely select, for each relation that is called otherwise
   * or has other columns.
   *
   * @default tables with the relations' names
   * @example
   * relations: {
   *   users: 'crm.members',
   *   links: db.selectFrom('clients').select(['coach_id as owner_id', 'id as user_id'])
   * }
   */
  relations?: Relations | undefined
  /**
   * More roles, or another reach for a role: `'own'`, `'linked'`, `'all'` or `'none'`. Role names match exactly.
   *
   * @default the table of roles
   * @example
   * visibility: { assessments: { Auditor: 'all' }, payments: { Practitioner: 'none' } }
   */
  visibility?: Reaches | undefined
  /**
   * Records on a page when the client does not say.
   *
   * @default 12, or `maxLimit` where that is less
   * @example
   * defaultLimit: 25
   */
  defaultLimit?: number | undefined
  /**
   * The largest `limit` that a client may ask for; more is a 400.
   *
   * @default 100
   * @example
   * maxLimit: 500
   */
  maxLimit?: number | undefined
  /**
   * Milliseconds for one request, authentication and role resolving included; then 504. MySQL, MariaDB and
   * PostgreSQL stop working on it too.
   *
   * @default 10000
   * @example
   * timeout: 5000
   */
  timeout?: number | undefined
  /**
   * Texts that a client can read, in place of the English ones; `{name}` and the like are filled in.
   *
   * @default English
   * @example
   * messages: { unauthorized: 'Ungültiges oder abgelaufenes Token.' }
   */
  messages?: OwnMessages | undefined
  /**
   * What to do with a query parameter that the list does not have: `'reject'` it with a 400, `'ignore'`
   * it, or allow only the names of this array beside the list's own.
   *
   * @default 'reject'
   * @example
   * unknownParameters: ['utm_source']
   */
  unknownParameters?: 'reject' | 'ignore' | readonly string[] | undefined
  /**
   * Lets identical concurrent counts share the next one that starts. Safe only where everyone with the
   * same reach reads the same database.
   *
   * @default false
   * @example
   * shareTotals: true
   */
  shareTotals?: boolean | undefined
  /**
   * What the start-up check of the database does when answers would be wrong or missing: `'error'` stops
   * the boot, `'warn'` logs, `'off'` does not look. A database that cannot be reached is logged and never
   * stops the boot; a `db` function is not looked at. See `checkDatabase`.
   *
   * @default 'error'
   * @example
   * checkOnReady: 'warn'
   */
  checkOnReady?: 'error' | 'warn' | 'off' | undefined
}

/** The options as the inside sees them: complete. */
export type Settings = Readonly<{
  [Name in Exclude<keyof ListingOptions, 'authenticate' | 'messages'>]-?: NonNullable<ListingOptions[Name]>
}> & {
  readonly authenticate: ListingOptions['authenticate']
  readonly messages: Readonly<Messages>
}

/** Fastify hands its own `register` options to the plugin in the same object. */
const registerOptions = ['prefix', 'logLevel', 'logSerializers']

/**
 * Checks the options and fills in the defaults; the host's object stays as it is.
 *
 * @throws TypeError that names the option, says the rule and shows what came.
 */
export function readOptions(given: ListingOptions): Settings {
  const names = Object.keys(rules) as (keyof typeof rules)[]
  for (const name of Object.keys(given)) {
    if (!names.some((known) => known === name) && !registerOptions.includes(name)) {
      throw new TypeError(`Unknown option '${name}'; the options are: ${names.join(', ')}.`)
    }
  }
  for (const name of names) {
    const value = given[name]
    if (value === undefined && name !== 'db' && name !== 'resolveRole') continue
    const { expected, wrong }: Rule = rules[name]
    const problem = wrong(value)
    if (problem) throw new TypeError(`Option '${name}': expected ${expected}; got ${problem}.`)
  }
  const { maxLimit = defaultPaging.maxLimit } = given
  const { defaultLimit = Math.min(defaultPaging.defaultLimit, maxLimit) } = given
  const { unknownParameters = 'reject', visibility = {} } = given
  if (defaultLimit > maxLimit) {
    throw new TypeError(`Option 'defaultLimit': expected at most maxLimit (${maxLimit}); got ${defaultLimit}.`)
  }
  return Object.freeze({
    db: given.db,
    resolveRole: given.resolveRole,
    authenticate: given.authenticate,
    relations: Object.freeze({ ...given.relations }),
    visibility: Object.freeze(
      Object.fromEntries(Object.entries(visibility).map(([list, roles]) => [list, Object.freeze({ ...roles })]))
    ),
    defaultLimit,
    maxLimit,
    timeout: given.timeout ?? 10_000,
    messages: Object.freeze({ ...defaultMessages, ...withoutUndefined(given.messages) }),
    unknownParameters:
      typeof unknownParameters === 'string' ? unknownParameters : Object.freeze([...unknownParameters]),
    shareTotals: given.shareTotals ?? false,
    checkOnReady: given.checkOnReady ?? 'error'
  })
}

const withoutUndefined = (messages: ListingOptions['messages'] = {}): Partial<Messages> =>
  Object.fromEntries(Object.entries(messages).filter(([, text]) => text !== undefined))

/** The options as the host writes them, with their documentation. */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Database, RecordName, Tables, TablesOf } from '../database/tables.js'
import type { Messages } from '../lists/messages.js'

/** Whom the host says is calling. */
export interface CallerAnswer {
  /** The caller's id in the host's database: a safe integer, a bigint or a non-empty string without control characters. */
  userId: number | bigint | string
  /** The caller's role, by its exact name. */
  role: string
}

type Maybe<Value> = Value | null | undefined

/** The host's callbacks, as methods, so that a host may narrow the type of its requests. */
interface Callbacks<Db> {
  databaseOf(request: FastifyRequest): Db
  resolveRole(request: FastifyRequest): Maybe<CallerAnswer> | Promise<Maybe<CallerAnswer>>
  authenticate(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): unknown
}

/** Gives the Kysely instance for a request. */
export type DatabaseOf<Db extends Database = Database> = Callbacks<Db>['databaseOf']

/** Tells who is calling; null or undefined when the host does not know. May be async. */
export type ResolveRole = Callbacks<Database>['resolveRole']

/** Any Fastify `onRequest` hook, callback or promise style. */
export type Authenticate = Callbacks<Database>['authenticate']

/** The reach of roles, by list and role name. Written out, so that the compiler's messages show what is allowed. */
export type Reaches = { [List in RecordName]?: Record<string, 'own' | 'linked' | 'all' | 'none'> | undefined }

/** Some of the texts that a client can read. */
export type OwnMessages = { [Name in keyof Messages]?: string | undefined }

/**
 * What the lists are registered with, beside Fastify's own `prefix`.
 *
 * @typeParam Db the type of the host's Kysely instance. With it, TypeScript knows the parameter of `tables`:
 * `const options = { db, resolveRole, tables: (db) => ({ … }) } satisfies ListingOptions<typeof db>`.
 */
export interface ListingOptions<Db extends Database = Database> {
  /**
   * The host's own Kysely instance, or a function that gives the one for a request: a database per tenant, a
   * replica. It should give the same instance for the same database: a new one is first asked of what kind its
   * columns are. MySQL, MariaDB, PostgreSQL and SQLite, found out by itself.
   *
   * @example
   * db: new Kysely({ dialect: new MysqlDialect({ pool }) })
   */
  db: Db | DatabaseOf<Db>
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
   * Where the host's data is: a table or view name, or a Kysely select, for each table that has another name
   * or other columns.
   *
   * A select belongs to the Kysely instance that it is made from, and obeys the plugins of that instance only. So
   * give selects by a function of the instance, `(db: Kysely<DB>) => ({ … })`. The lists call the function once
   * for each instance. Where `db` is a function, selects in an object stop the boot. Where `db` is one instance with
   * plugins, nothing can tell whether a select in an object was made from that instance: the function is the safe form.
   *
   * Write the type of the parameter. Fastify's `register` does not carry the type of `db` to it.
   *
   * @default the tables `assessments`, `payments`, `users`, `memberships` and `links`
   * @example
   * tables: (db: Kysely<DB>) => ({
   *   users: 'crm.members',
   *   links: db.selectFrom('clients').select(['coach_id as owner_id', 'id as user_id'])
   * })
   */
  tables?: Tables | TablesOf<Db> | undefined
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

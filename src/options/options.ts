/** The options of the plugin, as the host writes them. */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { KyselyInstance } from '../database/tables.js'
import type { SharedMessages } from '../errors/client-texts.js'
import type { List } from '../lists/list.js'
import type { defaultLists } from '../lists/ready/index.js'
import type { RoleReach } from '../lists/roles.js'
import type { IdOf, WhereOf } from '../lists/types/names.js'
import type { TablesOf } from './tables.js'

/** The caller of a request, as `resolveRole` returns it. */
export interface ListingCaller {
  /**
   * The caller's id in the host's database: a safe integer, a bigint or a non-empty string without control characters.
   * Ids match character by character: `abc` is not `ABC` (contract 69).
   */
  userId: number | bigint | string
  /**
   * The caller's role, or a non-empty array of roles, which reach what any of them would reach alone. Role names match
   * exactly: `ADMIN` is not `Admin` (contract 68).
   */
  role: string | readonly string[]
  /**
   * More ids, by the names that `callerId` and `within` use. Null and undefined mean no such id. A part of a reach
   * gives nothing without its id, and a list whose `within` names a missing id is a 500.
   */
  ids?: Readonly<Record<string, number | bigint | string | null | undefined>> | undefined
}

type Maybe<Value> = Value | null | undefined

// TypeScript lets a host narrow the parameter types of methods, but not of function types.
interface Callbacks<Db, Tables = unknown> {
  databaseOf(request: FastifyRequest): Db
  tablesOf(db: Db): Tables
  resolveRole(request: FastifyRequest): Maybe<ListingCaller> | Promise<Maybe<ListingCaller>>
  authenticate(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): unknown
}

/** Returns the Kysely instance for a request. Not async. */
type GetDatabase<Db extends KyselyInstance> = Callbacks<Db>['databaseOf']

/** Returns the tables for a Kysely instance, with selects of that instance. Called once per instance. */
type GetTables<Db extends KyselyInstance, Tables> = Callbacks<Db, Tables>['tablesOf']

/** Returns the caller of a request. Null or undefined means that the caller is unknown. May be async. */
export type ResolveRole = Callbacks<KyselyInstance>['resolveRole']

/** A Fastify `onRequest` hook, in callback or promise style. */
export type Authenticate = Callbacks<KyselyInstance>['authenticate']

/**
 * The options for lists. `defineOptions` returns them, and `ListingOptions` has them for unknown lists.
 *
 * @typeParam Lists The lists, whose names and columns some options have.
 */
export interface OptionsOf<Db extends KyselyInstance, Lists extends readonly List[]> {
  /**
   * The host's Kysely instance for MySQL, MariaDB, PostgreSQL or SQLite. The plugin never closes the instance.
   *
   * A synchronous function selects the instance for each request, such as a database per tenant. Return the same
   * instance for the same database, because the plugin queries the column types of each instance.
   *
   * @example
   * db: new Kysely({ dialect: new MysqlDialect({ pool }) })
   */
  db: Db | GetDatabase<Db>
  /**
   * Returns the ids and the roles of the caller of an authenticated request. May be async.
   *
   * Null or undefined means an unknown caller, which is a 401. A thrown error keeps its 4xx or 5xx `statusCode`. The
   * error of an unreachable server is a 503. Any other error, or an invalid result, is a 500.
   *
   * @example
   * async resolveRole (request) {
   *   const user = await members.find(request.user.sub)
   *   // A counsellor who is also a parent, in one of the schools of this database.
   *   return user && { userId: user.id, role: user.roles, ids: { parent: user.parentId, tenant: user.school } }
   * }
   */
  resolveRole: ResolveRole
  /**
   * A Fastify `onRequest` hook that authenticates the request, or several hooks that run in the order of the array. A
   * hook refuses a request by throwing, by `done(error)` or by a reply, and the hooks after it do not run. A hook that
   * swallows its error accepts the request, and only `resolveRole` can still refuse the request. The default requires
   * `@fastify/jwt`.
   *
   * @default `request.jwtVerify()`, Bearer header only
   * @example
   * authenticate: (request) => request.jwtVerify({ onlyCookie: true })
   */
  authenticate?: Authenticate | readonly Authenticate[] | undefined
  /**
   * The host's tables with other names or other columns. Each value is a table or view name, or a Kysely select with
   * the default column names. `practitioners` defaults to the value of `users`.
   *
   * Make selects in a function, which runs once for each Kysely instance. Write the type of the parameter, because
   * `app.register` cannot infer the type from `db`. An object may have selects only of the instance `db`, which the
   * plugin cannot verify, and none if `db` is a function. A select applies only the plugins of its own instance.
   *
   * @default the tables `assessments`, `payments`, `users`, `memberships` and `links`
   * @example
   * tables: (db: Kysely<DB>): ListingTables => ({
   *   users: 'crm.members',
   *   links: db.selectFrom('clients').select(['coach_id as owner_id', 'id as user_id'])
   * })
   */
  tables?: TablesOf<Lists> | GetTables<Db, TablesOf<Lists>> | undefined
  /**
   * The lists to mount: one of the plugin's lists, both, or lists of the host. With the function `defineOptions`,
   * TypeScript checks the options that depend on `lists`. Without it, the boot does.
   *
   * @default [assessments, payments]
   * @example
   * lists: [payments]
   */
  lists?: Lists | undefined
  /**
   * Adds roles, or changes the reach of a role: `'own'`, `'linked'` (own records and those of linked users), `'all'` or
   * `'none'` (a 403). `{ own: 'practitioner_id' }` are the records whose column `practitioner_id` is the caller's id,
   * `{ linked: 'clinic_id', by: 'clinic_staff' }` those of the clinics that the table `clinic_staff` links to the
   * caller, and an array of such objects the records of any of them. `callerId` names another of the caller's `ids`,
   * and `where` narrows each of them, or stands alone. Role names match exactly.
   *
   * @default the table of roles
   * @example
   * roles: { assessments: { Auditor: 'all' }, payments: { Practitioner: 'none' } }
   */
  // The values are spelled out, because a compiler error shows the name of an alias instead of its values.
  roles?:
    | {
        [Of in Lists[number] as Of['name']]?:
          | Record<
              string,
              | 'own'
              | 'linked'
              | 'all'
              | 'none'
              | Exclude<RoleReach<IdOf<Of['columns']>, WhereOf<Of['columns']>>, string>
            >
          | undefined
      }
    | undefined
  /**
   * Number of records on a page, for a request without `limit`.
   *
   * @default 12, or `maxLimit` where that is less
   * @example
   * defaultLimit: 25
   */
  defaultLimit?: number | undefined
  /**
   * Maximum `limit` of a request. A larger `limit` is a 400 (contract 19).
   *
   * @default 100
   * @example
   * maxLimit: 500
   */
  maxLimit?: number | undefined
  /**
   * Milliseconds until the 504 answer, including `authenticate` and `resolveRole`. MySQL, MariaDB and PostgreSQL also
   * stop the query.
   *
   * @default 10000
   * @example
   * timeout: 5000
   */
  timeout?: number | undefined
  /**
   * Client texts that replace the English texts. `ListingMessages` lists the names and the placeholders.
   *
   * @default English
   * @example
   * messages: { unauthorized: 'Ungültiges oder abgelaufenes Token.' }
   */
  messages?:
    | ({ [Name in keyof SharedMessages]?: string | undefined } & {
        [Name in `${Lists[number]['name']}${'Found' | 'Forbidden' | 'RecordFound' | 'RecordNotFound'}`]?:
          | string
          | undefined
      })
    | undefined
  /**
   * How to handle a query parameter that the list does not have.
   *
   * - `'reject'`: the answer is a 400.
   * - `'ignore'`: the parameter has no effect.
   * - An array of names: these have no effect, and any other is a 400.
   *
   * @default 'reject'
   * @example
   * unknownParameters: ['utm_source']
   */
  unknownParameters?: 'reject' | 'ignore' | readonly string[] | undefined
  /**
   * What the start-up check of the database does when answers would be wrong or missing.
   *
   * - `'error'`: the check stops the boot.
   * - `'warn'`: the check logs a warning.
   * - `'off'`: the check does not run.
   *
   * An unreachable database never stops the boot. The check does not run if `db` is a function. `checkDatabase` runs
   * the check in a script.
   *
   * @default 'error'
   * @example
   * checkOnReady: 'warn'
   */
  checkOnReady?: 'error' | 'warn' | 'off' | undefined
}

/**
 * The options of the plugin. `app.register` also takes Fastify's `prefix`. An invalid option stops the boot.
 *
 * @typeParam Db The type of the host's Kysely instance, and of the parameter of the function `tables`.
 * @example
 * const options: ListingOptions<typeof db> = { db, resolveRole, tables: (db) => ({ … }) }
 */
export interface ListingOptions<Db extends KyselyInstance = KyselyInstance> extends OptionsOf<Db, readonly List[]> {}

/**
 * Checks the options by the lists, which `app.register` does not: the names in `tables`, `roles` and `messages`, and
 * the columns of the tables. An error of the compiler is short, and the parameter of the function `tables` has the type
 * of `db`.
 *
 * @returns the same object
 * @example
 * app.register(listing, defineOptions({ db, resolveRole, lists: [payments, certificates] }))
 */
export const defineOptions = <Db extends KyselyInstance, const Lists extends readonly List[] = typeof defaultLists>(
  options: OptionsOf<Db, Lists>
): OptionsOf<Db, Lists> => options

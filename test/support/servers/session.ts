/** Sessions and questions for tests of `src/question`, without a server. */
import {
  type Dialect,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  MysqlDialect,
  PostgresDialect,
  type QueryCompiler,
  SqliteDialect
} from 'kysely'
import type { Deadline } from '../../../src/database/deadline.js'
import { openSession as open, type Session, type Timed } from '../../../src/database/session.js'
import { type Source, sourceOf as sourceFor, type Tables } from '../../../src/database/source.js'
import type { HostTables, KyselyInstance } from '../../../src/database/tables.js'
import { measured, type Thresholds } from '../../../src/limits.js'
import type { List, Order } from '../../../src/lists/list.js'
import { defaultLists } from '../../../src/lists/ready/index.js'
import { payments } from '../../../src/lists/ready/payments.js'
import type { RoleReach } from '../../../src/lists/roles.js'
import { readTablesOf } from '../../../src/options/tables.js'
import { batch } from '../../../src/question/answers/batch.js'
import { page } from '../../../src/question/answers/page.js'
import { type Matches, type Question, shapeOf } from '../../../src/question/asked/question.js'
import { finder as finderOn } from '../../../src/question/find.js'
import { type Fitted, fittedOf } from '../../../src/question/fitted/fitted-sql.js'
import { knownTables as knownTablesOn } from '../../../src/question/fitted/known-tables.js'
import { look as lookAt } from '../../../src/question/fitted/look-at-columns.js'
import { type PageOptions, pageSql } from '../../../src/question/sql/page.js'
import { totalOf } from '../../../src/question/sql/records.js'
import { reachOf } from '../../../src/visibility/reach-of-role.js'
import type { DatabaseName, Db } from './databases.js'

/** The deadline of a request with ten seconds left. */
const patient: Deadline = { timeLeft: () => 10_000 }

/** The source of lists. The tables need no types. */
export const sourceOf = (db: object, tables: object = {}, lists: readonly List[] = defaultLists): Source =>
  sourceFor(db as KyselyInstance, tables as HostTables, readTablesOf(lists))

type OnLateError = Parameters<typeof open>[3]

interface Opening extends Partial<Deadline> {
  tables?: object
  timed?: Timed | undefined
  onLateError?: OnLateError
}

/** A session with the tables of its request. */
export interface Opened extends Session {
  readonly tables: Tables
}

/** A session with all tables of the source. */
export const openSession = (source: Source, deadline = patient, timed?: Timed, onLateError?: OnLateError): Opened => ({
  ...open(source, deadline, timed, onLateError),
  tables: source.tables(source.names)
})

/** The session of a database whose plans change at other numbers. */
function planned(session: Opened, thresholds: Thresholds): Opened {
  const { planning } = session.dialect
  return planning ? { ...session, dialect: { ...session.dialect, planning: { ...planning, thresholds } } } : session
}

/** Finds on the tables of the session. */
export function finder(thresholds = measured) {
  const find = finderOn(10_000)
  return {
    find: (question: Question, session: Opened) => find(page, question, session.tables, planned(session, thresholds)),
    findBatch: (question: Question, session: Opened) => find(batch, question, session.tables, session)
  }
}

export const look = (list: List, session: Opened) => lookAt(list, session.tables, session)

export function knownTables(ttl?: number) {
  const known = knownTablesOn(ttl)
  return (list: List, session: Opened) => known(list, session.tables, session)
}

/** The session of a request, with ten seconds left. The tables need no types. */
export const sessionOf = (db: object, { tables = {}, timed, onLateError, ...deadline }: Opening = {}): Opened =>
  openSession(sourceOf(db, tables), { ...patient, ...deadline }, timed, onLateError)

interface Asking {
  list: List
  reach: RoleReach
  userId: string
  ids: Readonly<Record<string, string>>
  page: number
  limit: number
  search: string | undefined
  /** The term and the filters, by parameter name. */
  parameters: Readonly<Record<string, string | readonly string[]>>
  order: Order
}

/** Question of user 20 for the first page of all payments. */
export const questionFor = ({
  list = payments,
  reach = 'all',
  userId = '20',
  ids = {},
  page = 1,
  limit = 12,
  search,
  parameters: { search: term = search, ...filters } = {},
  order = list.order
}: Partial<Asking> = {}): Question => ({
  list,
  reach: reachOf(reach, list),
  order,
  caller: { userId, ids },
  page,
  limit,
  term: term === undefined ? undefined : String(term),
  filters: Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, [value].flat()]))
})

/** Finds records of the default lists without a server. */
export function findIn(db: object, tables?: object) {
  const source = sourceOf(db, tables)
  const { find } = finder()
  return async (name: 'assessments' | 'payments', asking?: Partial<Asking>) => {
    const list = defaultLists.find((list) => list.name === name) as List
    const { total, items } = await find(questionFor({ list, ...asking }), openSession(source))
    return { total, items: items as Record<string, unknown>[] }
  }
}

/** The SQL of a list before a look at its columns. */
export const unfittedFor = ({ tables, dialect }: Opened, list: List = payments): Fitted =>
  fittedOf(list, tables, dialect)

/** The SQL of a question with its texts, as the start-up check asks it. */
export function queriesFor(question: Question, fitted: Fitted) {
  const shape = shapeOf(question)
  return {
    page: (options: PageOptions<unknown>) => pageSql(shape, fitted, options),
    total: (matches?: Matches) => totalOf(matches).sql(shape, fitted)
  }
}

/** An instance that compiles the SQL of a database, and has no database. */
export function withoutDatabase(name: DatabaseName, plugins: KyselyPlugin[] = [], compiler?: QueryCompiler): Db {
  const of = dialects[name]
  const dialect: Dialect = {
    createAdapter: () => of.createAdapter(),
    createQueryCompiler: () => compiler ?? of.createQueryCompiler(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => of.createIntrospector(db)
  }
  return new Kysely({ dialect, plugins })
}

const dialects: Record<DatabaseName, Dialect> = {
  mysql: new MysqlDialect({} as never),
  postgres: new PostgresDialect({} as never),
  sqlite: new SqliteDialect({} as never)
}

/** Runs a callback after each step. */
export const afterEach =
  (after: (step: string) => unknown): Timed =>
  async (step, run) => {
    const result = await run()
    await after(step)
    return result
  }

/** The start-up check for tests: its findings as texts, and databases with a user who may only read. */
import { sql } from 'kysely'
import type { Test } from 'tap'
import { checkDatabase, type DatabaseFinding, type ListingTables } from '../../../src/index.js'
import { createTables } from '../fixtures/world.js'
import { until } from '../running/until.js'
import { type DatabaseName, type Db, mysqlPool, openDatabase, postgresPool } from '../servers/databases.js'
import { openMysql, openPostgres } from '../servers/pools.js'

export async function execute(db: Db, ...statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** A foreign table that nothing reads, so that a PostgreSQL database has one. */
export const createForeignTable = (db: Db) =>
  execute(
    db,
    'create extension postgres_fdw',
    'create server shard foreign data wrapper postgres_fdw',
    'create foreign table of_shard (id integer) server shard'
  )

/**
 * The findings, one line each: `error tables: users needs …`. A busy machine can exceed the time of a query, so the check
 * runs until it has seen everything.
 */
export async function findings(db: Db, tables?: ListingTables): Promise<string[]> {
  let found: DatabaseFinding[] = []
  await until(async () => {
    found = await checkDatabase({ db, tables })
    return !found.some(({ text }) => text.includes('it took longer than'))
  }, 30_000)
  return textsOf(found)
}

export const textsOf = (found: readonly DatabaseFinding[]) =>
  found.map(({ level, remedy, text }) => `${level} ${remedy}: ${text}`)

/** The texts of the errors alone. */
export const errorsIn = (found: readonly DatabaseFinding[]) =>
  found.filter(({ level }) => level === 'error').map(({ text }) => text)

/** Whole texts, and patterns. */
export type Expected = readonly (string | RegExp)[]

/** Asserts that these are all texts, in their order. */
export const areAll = (t: Test, texts: readonly string[], expected: Expected, name = texts.join()) =>
  t.strictSame(
    texts.map((text, place) => {
      const wanted = expected[place]
      return wanted instanceof RegExp && wanted.test(text) ? wanted : text
    }),
    expected,
    name
  )

/** Asserts that the check finds this, and nothing else but what a test is not about. */
export async function finds(t: Test, db: Db, expected: Expected, tables: object = {}, others?: RegExp): Promise<void> {
  const found = await findings(db, tables)
  areAll(
    t,
    found.filter((text) => !others?.test(text)),
    expected
  )
}

/** What is found in the default tables after these statements, which end with semicolons. */
type Change = readonly [name: DatabaseName, statements: string, ...expected: Expected]

export function findsAfter(t: Test, changes: Record<string, Change>): void {
  for (const [title, [name, statements, ...expected]] of Object.entries(changes)) {
    t.test(title, async (t) => {
      const db = await openDatabase(t, name)
      await createTables(db)
      await execute(db, ...statements.split(/;\s*/).filter(Boolean))
      await finds(t, db, expected)
    })
  }
}

/** The name of an index begins with its table, which MySQL must be told. */
export const dropIndex = (name: DatabaseName, index: string) =>
  `drop index ${index}${name === 'mysql' ? ` on ${index.split('_')[0]}` : ''}`

interface Account {
  user?: string
  password?: string
}

/** A database, and the same database for a user who may only read its tables, or only the given columns. */
export async function openForReader(t: Test, name: 'mysql' | 'postgres') {
  const user = `reader_${process.pid}`
  const password = 'Reader-1'
  const open = await openers[name](t)
  const owner = open({})
  return {
    owner,
    async reader(columns?: Record<string, readonly string[]>) {
      const [by, all, drop] =
        name === 'mysql'
          ? ['identified by', 'on *', 'drop user']
          : ['password', 'on all tables in schema public', `drop owned by ${user}; drop user`]
      const rights = columns ? Object.entries(columns).map(([table, names]) => `(${names.join()}) on ${table}`) : [all]
      await execute(
        owner,
        `create user ${user} ${by} '${password}'`,
        ...rights.map((right) => `grant select ${right} to ${user}`)
      )
      t.teardown(() => execute(owner, `${drop} ${user}`))
      return open({ user, password })
    }
  }
}

/** What opens one database for several accounts. */
const openers: Record<'mysql' | 'postgres', (t: Test) => Promise<(account: Account) => Db>> = {
  async mysql(t) {
    const pool = await mysqlPool(t)
    return (account) => openMysql(t, { ...pool, ...account })
  },
  async postgres(t) {
    const { connectionString } = await postgresPool(t)
    return ({ user, password }) => {
      const url = Object.assign(new URL(String(connectionString)), user && { username: user, password })
      return openPostgres(t, { connectionString: url.href, max: 4 })
    }
  }
}

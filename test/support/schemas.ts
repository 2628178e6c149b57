/**
 * Checks the lists on the tables of an example of `examples/schemas`: against the oracle, with the conformance checks,
 * and with EXPLAIN.
 */
import { type Kysely, type KyselyPlugin, sql } from 'kysely'
import type { Test } from 'tap'
import { conformance } from '../../src/conformance/index.js'
import type { GetTables, ListingTables } from '../../src/index.js'
import { type Clinic, dataOf, makeClinic, type Person, type Shape } from './clinic.js'
import { type DatabaseName, type Db, databases, dateTime, openDatabase } from './databases.js'
import { type Read, readsOf } from './explain.js'
import { expected, reachesOf } from './oracle.js'
import { type Caller, serve, shown } from './server.js'

export interface Schema<DB> {
  databases?: DatabaseName[]
  shape?: Shape
  /** The settings of the session that creates the tables. */
  session?: string[]
  /** The clinic with what the tables can hold. */
  fit?(clinic: Clinic): Clinic
  /** The statements of the tables and indexes. `datetime` stands for the type without a time zone. */
  tables: string[] | ((name: DatabaseName) => string[])
  /** Indexes of single databases. */
  indexes?: Partial<Record<DatabaseName, string[]>>
  /** The rows of the clinic by table. */
  rows(clinic: Clinic): Record<string, object[]>
  /** The Kysely plugins of a host. */
  plugins?(name: DatabaseName): KyselyPlugin[]
  tablesOf(db: Kysely<DB>): ListingTables
  /** The tables with the records of the lists. */
  records: { assessments: string; payments: string }
  /** The lists whose pages an index serves. The default is both. */
  indexed?: ('assessments' | 'payments')[]
  /** Aliases of large tables in the statements. */
  aliases?: string[]
  /** Small tables, which may be scanned. */
  small?: string[]
  /** Tables of a join that SQLite scans, because the join is on the right of a left join. */
  joined?: string[]
}

const lists = {
  assessments: { url: '/assessment/list', filter: 'status', states: ['completed', 'reserved'] },
  payments: { url: '/payment/list', filter: 'processor_status', states: ['succeeded', 'failed'] }
} as const

const terms = ['zo', "O'", 'la cruz', '100%', '_', '.12@', 'PI_1', 'no such person']

export function checkSchema<DB>(t: Test, schema: Schema<DB>): void {
  const names = databases.filter((name) => schema.databases?.includes(name) ?? true)
  for (const name of names) {
    t.test(name, async (t) => {
      const statements: { sql: string; parameters: readonly unknown[] }[] = []
      const opening = schema.plugins && { plugins: schema.plugins(name) }
      const db = await openDatabase(t, name, { ...opening, onQuery: (query) => statements.push(query) })
      const made = makeClinic(schema.shape)
      const clinic = schema.fit?.(made) ?? made
      const data = dataOf(clinic)
      await db.connection().execute((connection) => create(connection, name, schema, clinic))
      const { app, get } = await serve(t, { db, tables: schema.tablesOf as GetTables, checkOnReady: 'error' })

      // The checks send hundreds of requests, and their result seldom depends on the database.
      const chosen = names.find((each) => each === 'mysql') ?? names[0]
      await t.test('the conformance checks', { skip: name !== chosen && 'on one database' }, async (t) => {
        const callers = callersOf(clinic).map(({ role, userId, linked }) => ({
          name: role,
          headers: { authorization: `Bearer ${app.jwt.sign({ sub: String(userId), role })}` },
          userId,
          reach: reachesOf(role),
          linked
        }))
        for (const { name, run } of conformance(() => ({ app, callers }))) await t.resolves(run(), name)
      })

      for (const list of ['assessments', 'payments'] as const) {
        const { url, filter, states: usual } = lists[list]
        const words: Record<string, string> = schema.shape?.processorStatus ?? {}
        const [state, other] = usual
        const states = [words[state] ?? state, words[other] ?? other] as const
        const questions: Record<string, string>[] = [
          { search: '' },
          { search: '', page: '2', limit: '100' },
          ...states.map((state) => ({ search: '', [filter]: state })),
          ...terms.map((search) => ({ search })),
          { search: 'j', [filter]: states[0], limit: '3' }
        ]
        for (const caller of callersOf(clinic)) {
          for (const question of questions) {
            const asked = `${url}?${new URLSearchParams(question)}`
            const answer = shown(await get(asked, caller))
            t.strictSame(answer, expected(asked, caller, data), `${caller.role} ${caller.userId}: ${asked}`)
          }
        }

        if (schema.indexed?.includes(list) === false) continue
        await t.test(`${list}: the query plans`, async (t) => {
          const readsFor = async (caller: Caller, parameters: Record<string, string>) => {
            statements.length = 0
            await get(`${url}?${new URLSearchParams({ search: '', ...parameters })}`, caller)
            const sent = statements.filter(({ sql }) => /sort key|count\(\*\)/.test(sql))
            return Promise.all(
              sent.map(async (statement) => {
                const names = namesIn(statement.sql)
                const reads = await readsOf(db, name, statement)
                return reads.map((read) => ({ ...read, table: plain(names.get(read.table) ?? read.table) }))
              })
            )
          }
          const records = plain(schema.records[list])
          const small = [...(schema.small ?? []), ...((name === 'sqlite' && schema.joined) || [])]
          const tables = [...Object.keys(schema.rows(clinic)), ...(schema.aliases ?? [])]
          const large = tables.filter((table) => !small.includes(table)).map(plain)
          const isLarge = ({ table }: Read) => large.includes(table)
          for (const state of ['', states[0]]) {
            for (const caller of callersOf(clinic)) {
              const { role } = caller
              const reach = reachesOf(role)[list]
              const { total } = expected(`${url}?search=&${filter}=${state}`, caller, data)
              const [page = []] = await readsFor(caller, { [filter]: state })
              // A full page needs a count. For own records, the count is part of the page's statement.
              const [, count = [], ...tries] = await readsFor(caller, { [filter]: state, limit: '1' })
              t.equal(tries.length, 0, `${role} ${state}: one statement each`)
              // MySQL knows that no unsigned id is negative.
              t.ok(Number(total) === 0 || page.some(({ table }) => table === records))
              t.equal(count.length > 0, reach !== 'own' && Number(total) > 0)
              for (const reads of reach === 'all' ? [page] : [page, count]) {
                // PostgreSQL may scan the newest records for those of linked users.
                const newest = name === 'postgres' && reads === page
                const wrong = reads.filter(isLarge).filter(({ access, sorted }) => {
                  if (access === 'table') return true
                  return reach === 'all' ? sorted : access === 'index' && !(newest && !sorted)
                })
                t.strictSame(wrong, [], `${role} ${state}: read by an index`)
              }
            }
          }
        })
      }
    })
  }
}

/** The tables by their aliases. A select that only names columns is read as its table. */
const namesIn = (text: string) =>
  new Map(
    [...text.matchAll(/(?:from|join) (?:["`]\w+["`]\.)?["`](\w+)["`] as ["`]?(\w+)/g)].map(
      ([, table = '', alias = '']) => [alias, table]
    )
  )

/** The name of a table without the case that a plugin of Kysely gives it. */
const plain = (table: string) => table.replaceAll('_', '').toLowerCase()

/** An Individual, and two members of the staff. */
const callersOf = ({ clients, staff }: Clinic) => [
  { ...(clients[6] as Person), role: 'Individual' },
  { ...(staff[6] as Person), role: 'Practitioner' },
  { ...(staff[9] as Person), role: 'Admin' }
]

async function create(
  db: Db,
  name: DatabaseName,
  { session = [], tables, indexes = {}, rows }: Pick<Schema<never>, 'session' | 'tables' | 'indexes' | 'rows'>,
  clinic: Clinic
): Promise<void> {
  const created = typeof tables === 'function' ? tables(name) : tables
  for (const statement of [...session, ...created, ...(indexes[name] ?? [])]) {
    await sql.raw(statement.replace(/\bdatetime\b/g, dateTime(name))).execute(db)
  }
  for (const [table, values] of Object.entries(rows(clinic))) {
    for (let start = 0; start < values.length; start += 500) {
      await db
        .insertInto(table)
        .values(values.slice(start, start + 500) as Record<string, unknown>[])
        .execute()
    }
    // The plan depends on the statistics of the tables.
    await (name === 'mysql' ? sql`analyze table ${sql.table(table)}` : sql`analyze ${sql.table(table)}`).execute(db)
  }
}

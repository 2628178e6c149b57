/** Checks the lists on the tables of an example of `examples/schemas`: against the oracle, and with EXPLAIN. */
import { type Kysely, type KyselyPlugin, sql } from 'kysely'
import type { Test } from 'tap'
import type { ListingOptions, ListingTables } from '../../src/index.js'
import { execute } from './check.js'
import { type Clinic, dataOf, makeClinic, type Person, type Shape } from './clinic.js'
import { type DatabaseName, type Db, databases, dateTime, openDatabase } from './databases.js'
import { type Read, readsOf } from './explain.js'
import { expected, reachesOf } from './oracle.js'
import { type Caller, serve, shown } from './server.js'
import { insert } from './world.js'

export interface Schema<DB> {
  databases?: DatabaseName[]
  shape?: Shape
  /** The clinic with what the tables can hold. */
  fit?(clinic: Clinic): Clinic
  /** The statements of one session for tables and indexes. `datetime` stands for the type without a time zone. */
  tables: (name: DatabaseName) => string[]
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
  const { shape = {}, records, small = [], aliases = [], joined = [] } = schema
  const names = databases.filter((name) => schema.databases?.includes(name) ?? true)
  for (const name of names) {
    t.test(name, async (t) => {
      const statements: { sql: string; parameters: readonly unknown[] }[] = []
      const plugins = schema.plugins?.(name) ?? []
      const db = await openDatabase(t, name, { plugins, onQuery: (query) => statements.push(query) })
      const made = makeClinic(shape)
      const clinic = schema.fit?.(made) ?? made
      const data = dataOf(clinic)
      const rows = schema.rows(clinic)
      const tables = await db.connection().execute((connection) => create(connection, name, schema, rows))
      const { get } = await serve(t, { db, tables, checkOnReady: 'error' })

      for (const list of ['assessments', 'payments'] as const) {
        const { url, filter, states: usual } = lists[list]
        const words: Record<string, string> = shape.processorStatus ?? {}
        const states = usual.map((state) => words[state] ?? state)
        const questions: Record<string, string>[] = [
          { search: '' },
          { search: '', page: '2', limit: '100' },
          ...states.map((state) => ({ search: '', [filter]: state })),
          ...terms.map((search) => ({ search })),
          { search: 'j', [filter]: String(states[0]), limit: '3' }
        ]
        for (const caller of callersOf(clinic)) {
          for (const question of questions) {
            const asked = `${url}?${new URLSearchParams(question)}`
            const answer = shown(await get(asked, caller))
            t.strictSame(answer, expected(asked, caller, data), `${caller.role} ${caller.userId}: ${asked}`)
          }
        }
        if (schema.indexed?.includes(list) === false) continue

        const readsFor = async (caller: Caller, parameters: Record<string, string>) => {
          statements.length = 0
          await get(`${url}?${new URLSearchParams({ search: '', ...parameters })}`, caller)
          const sent = statements.filter(({ sql }) => /sort key|count\(\*\)/.test(sql))
          const reads = await Promise.all(
            sent.map(async (statement) => {
              const names = namesIn(statement.sql)
              const reads = await readsOf(db, name, statement)
              return reads.map((read) => ({ ...read, table: plain(names.get(read.table) ?? read.table) }))
            })
          )
          const [one = [], ...others] = reads
          // One statement of PostgreSQL reads the page and the total.
          return name === 'postgres'
            ? [one.filter(({ part }) => part !== 'total'), one.filter(({ part }) => part === 'total'), ...others]
            : reads
        }
        const scanned = [...small, ...(name === 'sqlite' ? joined : [])]
        const large = [...Object.keys(rows), ...aliases].filter((table) => !scanned.includes(table)).map(plain)
        const isLarge = ({ table }: Read) => large.includes(table)
        for (const state of ['', String(states[0])]) {
          for (const caller of callersOf(clinic)) {
            const what = `${list} of ${caller.role} ${state}`
            const reach = reachesOf(caller.role)[list]
            const { total } = expected(`${url}?search=&${filter}=${state}`, caller, data)
            const [page = []] = await readsFor(caller, { [filter]: state })
            // A full page needs a count. For own records, the count is part of the page's statement.
            const [, count = [], ...tries] = await readsFor(caller, { [filter]: state, limit: '1' })
            t.equal(tries.length, 0, `${what}: one statement each`)
            // MySQL knows that no unsigned id is negative.
            t.ok(Number(total) === 0 || page.some(({ table }) => table === plain(records[list])))
            t.equal(count.length > 0, name === 'postgres' || (reach !== 'own' && Number(total) > 0))
            for (const reads of reach === 'all' ? [page] : [page, count]) {
              // PostgreSQL may scan the newest records for those of linked users.
              const newest = name === 'postgres' && reads === page
              const wrong = reads.filter(isLarge).filter(({ access, sorted }) => {
                if (access === 'table') return true
                return reach === 'all' ? sorted : access === 'index' && !(newest && !sorted)
              })
              t.strictSame(wrong, [], `${what}: read by an index`)
            }
          }
        }
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

/** Creates and fills the tables, and gives the option `tables`. */
async function create<DB>(db: Db, name: DatabaseName, schema: Schema<DB>, rows: Record<string, object[]>) {
  await execute(db, ...schema.tables(name).map((statement) => statement.replace(/\bdatetime\b/g, dateTime(name))))
  await insert(db, rows)
  // The plan depends on the statistics of the tables.
  for (const table of Object.keys(rows)) {
    await sql`${sql.raw(name === 'mysql' ? 'analyze table' : 'analyze')} ${sql.table(table)}`.execute(db)
  }
  return schema.tablesOf as unknown as ListingOptions['tables']
}

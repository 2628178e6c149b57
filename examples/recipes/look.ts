import { createListings } from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'

const pool = createPool({ uri: String(process.env.DATABASE_URL), dateStrings: true })
const db = new Kysely<Record<string, Record<string, unknown>>>({ dialect: new MysqlDialect({ pool }) })
// The mapping of your server.
const listings = createListings({ db, tables: { users: 'users' }, resolveRole: () => null })

// A caller of each role.
const callers = [
  { role: 'Individual', userId: 1 },
  { role: 'Practitioner', userId: 10 },
  { role: 'Admin', userId: 20 }
]
// The tables with the stored values, and their ids.
const tables = { assessments: ['assessments', 'assessment_id'], payments: ['payments', 'payment_id'] } as const

for (const list of ['assessments', 'payments'] as const) {
  for (const caller of callers) {
    const { items, total } = await listings.find(list, { caller, query: { search: '', limit: 10 } })
    console.log(`${list} as ${caller.role}: ${total} in total`)
    const [table, id] = tables[list]
    const rows: Record<string, Record<string, unknown>> = {}
    for (const item of items.map((item): Record<string, unknown> => ({ ...item }))) {
      const stored = await db.selectFrom(table).selectAll().where(id, '=', item[id]).executeTakeFirst()
      const shown = new Set(Object.values(item).map(String))
      const computed = Object.entries(stored ?? {}).filter(([, value]) => value !== null && !shown.has(String(value)))
      rows[`${id} ${item[id]}`] = {
        ...item,
        ...Object.fromEntries(computed.map(([name, value]) => [`stored ${name}`, value]))
      }
    }
    console.table(rows)
  }
}
await db.destroy()

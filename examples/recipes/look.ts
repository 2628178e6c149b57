import { assessments, createListings, type List, payments } from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'

const pool = createPool({ uri: String(process.env.DATABASE_URL), dateStrings: true })
const db = new Kysely<Record<string, Record<string, unknown>>>({ dialect: new MysqlDialect({ pool }) })
// The mapping of your server.
const listings = createListings({ db, tables: { users: 'users' }, resolveRole: () => null })

// A caller of each role, and people who have several.
const callers = [
  { role: ['Individual'], userId: 1, ids: {} },
  { role: ['Practitioner'], userId: 10, ids: {} },
  { role: ['Individual', 'Practitioner'], userId: 10, ids: {} },
  { role: ['Admin'], userId: 20, ids: {} }
]
// Your tables with the stored values, and the columns of their ids.
const stored = {
  assessments: { table: 'assessments', id: 'assessment_id' },
  payments: { table: 'payments', id: 'payment_id' }
}

/** The names of the callers' ids that a list compares. */
function idsOf({ roles, otherRoles, within }: List): string[] {
  const parts = [...Object.values(roles), otherRoles].flat()
  const named = parts.flatMap((part) => (typeof part === 'object' && 'callerId' in part ? (part.callerId ?? []) : []))
  return [...new Set([...named, ...Object.values(within)])]
}

for (const list of [assessments, payments]) {
  const missing = idsOf(list).filter((name) => !callers.some(({ ids }) => Object.hasOwn(ids, name)))
  if (missing.length > 0) console.log(`${list.name}: no caller has the id ${missing.join(' or ')}`)
}

for (const list of ['assessments', 'payments'] as const) {
  for (const caller of callers) {
    const { items, total } = await listings.find(list, { caller, query: { search: '', limit: 10 } })
    console.log(`${list} as ${caller.role.join(' and ')}: ${total} in total`)
    const { table, id } = stored[list]
    const rows: object[] = []
    for (const item of items) {
      const itemId = 'payment_id' in item ? item.payment_id : item.assessment_id
      const found = await sql<Record<string, unknown>>`
        select * from ${sql.table(table)} where ${sql.ref(id)} = ${itemId}`.execute(db)
      const shown: Record<string, unknown> = { ...item }
      // A value can be in another field by chance, such as 1 as the amount, the quantity and the user.
      const others = Object.entries(found.rows[0] ?? {}).filter(
        ([name, value]) => value !== null && String(value) !== String(shown[name])
      )
      rows.push({ ...item, ...Object.fromEntries(others.map(([name, value]) => [`stored ${name}`, value])) })
    }
    console.table(rows)
  }
}
await db.destroy()

/** The data of the run: a large clinic in the default tables, the same on every engine. */
import { sql } from 'kysely'
import { dataOf, makeClinic } from '../support/fixtures/clinic.js'
import { createTables, insert, links } from '../support/fixtures/world.js'
import type { DatabaseName, Db } from '../support/servers/databases.js'

const counts = {
  short: { clients: 980, staff: 20, assessments: 5_000, payments: 3_000 },
  long: { clients: 19_960, staff: 40, assessments: 100_000, payments: 60_000 }
}
export type Size = keyof typeof counts

export type EngineData = ReturnType<typeof makeData>

export function makeData(size: Size) {
  const clinic = makeClinic({ guests: true, counts: counts[size] })
  const { users, memberships, links: linked, assessments, payments } = dataOf(clinic)
  // The clinic has names with `%`, `_` and a quote already.
  const oddly = users.map((user, index) => (index % 50 === 7 ? { ...user, last_name: 'Back\\slash!' } : user))
  return {
    clinic,
    counts: counts[size],
    // The second answers are timed.
    rounds: size === 'long' ? 2 : 1,
    // The practitioners of the small world have their links here too.
    tables: { users: oddly, memberships, links: [...linked, ...links], assessments, payments }
  }
}

/** A condition that a database needs long to check: for each row, or once where nothing else can stop it. */
const slowly: Record<DatabaseName, string> = {
  mysql: 'sleep(1) = 0',
  postgres: 'pg_sleep(1) is not null',
  sqlite:
    '(with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000000) select count(*) from n) > 0'
}

/** The payments, so slow that no request for them is in time. */
export const slowPayments = 'slow_payments'

export async function createSlowPayments(db: Db, name: DatabaseName, condition = slowly[name]): Promise<void> {
  await sql.raw(`create view ${slowPayments} as select * from payments where ${condition}`).execute(db)
}

/** Writes the rows into the tables. */
export async function writeRows(db: Db, name: DatabaseName, { tables }: EngineData): Promise<void> {
  await insert(db, tables)
  // The plans depend on the statistics of the tables.
  for (const table of Object.keys(tables)) {
    await sql.raw(name === 'mysql' ? `analyze table ${table}` : `analyze ${table}`).execute(db)
  }
}

/** Creates the default tables, and fills them. */
export async function fill(db: Db, name: DatabaseName, data: EngineData, slowCondition?: string): Promise<void> {
  await createTables(db)
  await writeRows(db, name, data)
  await createSlowPayments(db, name, slowCondition)
}

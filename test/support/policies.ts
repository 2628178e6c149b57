/** Row-level security of PostgreSQL. */
import type { Test } from 'tap'
import { execute } from './check.js'
import type { Db } from './databases.js'

let readers = 0

/** Shows a new role only the payments that the policy shows, and all of the other tables. Returns the name of the role. */
export async function readerUnder(t: Test, db: Db, policy: string): Promise<string> {
  const reader = `lists_reader_${process.pid}_${++readers}`
  await execute(
    db,
    'alter table payments enable row level security',
    `create policy own_tenant on payments using (${policy})`,
    `create role ${reader}`,
    `grant select on all tables in schema public to ${reader}`
  )
  t.teardown(() => execute(db, `drop owned by ${reader}`, `drop role ${reader}`))
  return reader
}

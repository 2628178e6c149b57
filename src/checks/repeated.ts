/** Finds rows that a join in the option `tables` repeats. */
import { type RawBuilder, sql } from 'kysely'
import { type Row, textOf } from '../database/driver-samples.js'
import type { List } from '../lists/list.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

export async function repeatedRows(database: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const ids = await repeatedIds(database, list)
  // Repeated records would repeat their people.
  return ids.length > 0 ? ids : repeatedPeople(database, list)
}

async function repeatedIds(database: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  if (!(await isRepeated(database, `repeated ${list.name}`, newestOf(database, list, list.owner)))) return []
  const text = `${list.name} has records several times, so totals are wrong: remove the join that multiplies rows, or use a subquery in its place.`
  return [finding('error', 'tables', text)]
}

async function repeatedPeople(database: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  const people = [
    ['users', 'user_id', list.owner],
    ['practitioners', 'practitioner_id', list.practitioner]
  ] as const
  for (const [table, id, reference] of people) {
    if (!reference || !database.names.includes(table)) continue
    const joined = sql`${newestOf(database, list, reference)} inner join ${database.tables.of(table)} as u
      on ${sql.ref(`u.${id}`)} = ${sql.ref('x.person')}`
    if (!(await isRepeated(database, `repeated ${table}`, joined))) continue
    const text = `${table} has the same ${id} in several rows, of which a page shows any: remove the join that multiplies rows, or select one row for each ${id}.`
    findings.push(finding('warning', 'tables', text))
  }
  return findings
}

/** The newest records, with the id of a person. */
function newestOf({ dialect, tables }: CheckedDatabase, { name, id, newest }: List, reference: string) {
  const [recordId, person] = [dialect.bytes(sql.ref(`r.${id}`)), sql.ref(`r.${reference}`)]
  return sql`(select ${recordId} as id, ${person} as person from ${tables.of(name)} as r
      order by ${sql.ref(`r.${newest}`)} desc limit 100) as x`
}

async function isRepeated(
  { dialect, ask }: CheckedDatabase,
  what: string,
  rows: RawBuilder<unknown>
): Promise<boolean> {
  const repeated = dialect.text(sql`count(x.id) - count(distinct x.id)`)
  const [row] = (await ask(what, sql<Row>`select ${repeated} as repeated from ${rows}`, dataTimeout)) ?? []
  return Number(textOf(row?.repeated)) > 0
}

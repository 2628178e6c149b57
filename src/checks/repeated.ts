/** Finds rows that a join in the option `tables` repeats. */
import { sql } from 'kysely'
import type { List } from '../lists/list.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

export async function repeatedRows(
  { dialect, tables, names, ask }: CheckedDatabase,
  { name, id, owner, practitioner, order, within }: List
): Promise<DatabaseFinding[]> {
  // The ids of two tenants can be the same.
  const identity = [id, ...Object.keys(within)].map((column, place) => {
    const cell = sql.id(`id ${place}`)
    return { cell, selected: sql`${dialect.bytes(sql.ref(`r.${column}`))} as ${cell}` }
  })
  const cells = sql.join(identity.map(({ cell }) => cell))
  /** Among the newest records, each with the id of a person. */
  const isRepeated = async (table: string, reference: string, join = sql``) => {
    const rows = sql`(select ${sql.join(identity.map(({ selected }) => selected))}, ${sql.ref(`r.${reference}`)} as person
      from ${tables.of(name).select} as r
      order by ${sql.ref(`r.${order.column}`)} desc ${dialect.limit(sql.lit(100))}) as x ${join}`
    const repeated = sql`(select 1 as one from ${rows} where ${identity[0]?.cell} is not null
      group by ${cells} having count(*) > 1) as y`
    const count = dialect.text(sql`count(*)`)
    const found = await ask(`repeated ${table}`, sql`select ${count} as repeated from ${repeated}`, dataTimeout)
    return Number(found?.[0]?.repeated) > 0
  }
  if (await isRepeated(name, owner ?? id)) {
    const text = `${name} returns some records more than once, so totals are wrong: remove the join that multiplies rows, or use a subquery in its place.`
    // Repeated records would repeat their people.
    return [finding('error', 'tables', text)]
  }
  const findings: DatabaseFinding[] = []
  for (const [table, id, reference] of [
    ['users', 'user_id', owner],
    ['practitioners', 'practitioner_id', practitioner]
  ] as const) {
    if (!reference || !names.includes(table)) continue
    const join = sql`inner join ${tables.of(table).select} as u on ${sql.ref(`u.${id}`)} = ${sql.ref('x.person')}`
    if (!(await isRepeated(table, reference, join))) continue
    const text = `${table} has the same ${id} in several rows, and pages show an arbitrary one of them: remove the join that multiplies rows, or select one row for each ${id}.`
    findings.push(finding('warning', 'tables', text))
  }
  return findings
}

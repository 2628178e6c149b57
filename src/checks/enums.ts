/** Checks the values of enum columns. */
import { sql } from 'kysely'
import { type Row, type Text, textOf } from '../database/cells.js'
import type { List } from '../lists/list.js'
import { everyRow } from '../question/queries.js'
import { type CheckedDatabase, dataTimeout, textFor } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

export async function enumValues({ dialect, tables, ask }: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const [name, { values: allowed, whenNull }] of Object.entries(list.columns)) {
    if (!allowed) continue
    const maxRows = allowed.length + 5
    const values = sql`select distinct ${sql.ref(`r.${name}`)} as value from ${tables.of(list.name).select} as r limit ${sql.lit(maxRows)}`
    const text = sql<Row>`select ${textFor(dialect)(sql.ref('x.value'))} as value from (${values}) as x ${everyRow}`
    const rows = (await ask(`the values of ${list.name}.${name}`, text, dataTimeout)) ?? []
    const isOther = (value: Text) => (value === null ? whenNull === 'error' : !allowed.includes(value))
    const others = rows.map(({ value }) => textOf(value)).filter(isOther)
    if (others.length === 0) continue
    // An allowed value can follow the first values.
    const isAlike = (value: Text) => value !== null && allowed.includes(value.trim().toLowerCase())
    // A collation may show `Completed` alone for all of the records that are `completed`.
    const isNeverAllowed = others.length === rows.length && rows.length < maxRows && !others.some(isAlike)
    // A column that is mapped by mistake can hold personal data, such as `Jane Doe`.
    const show = (value: string) => (/^(\w*|[a-z -]*)$/.test(value) ? `"${value.slice(0, 32)}"` : '"…"')
    const shown = others.map((value) => (value === null ? 'null' : show(value))).join(', ')
    const is = `${list.name}.${name} is ${isNeverAllowed ? '' : 'also '}${shown}`
    const advice = `and pages with such records fail: map it to ${allowed.join(', ')}, or leave such records out.`
    findings.push(finding(isNeverAllowed ? 'error' : 'warning', 'data', `${is}, ${advice}`))
  }
  return findings
}

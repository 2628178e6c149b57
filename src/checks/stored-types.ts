/** Compares the types of the ids and of the filtered texts that SQLite has stored. Any column can hold values of any type. */
import { sql } from 'kysely'
import { type Row, textOf } from '../database/driver-samples.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { referenceOf } from './known-columns.js'

export async function checkStoredTypes(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const { dialect, names, tables, lists, columns, attempt } = database
  if (dialect.name !== 'sqlite') return []
  const findings: DatabaseFinding[] = []
  const ids: { path: string; isNumber: boolean; of: string }[] = []
  for (const name of names) {
    const filters = Object.values(lists.find((list) => list.name === name)?.filters ?? {})
    const compared = Object.entries(columns(name))
      .filter(([column, { kind }]) => kind === 'id' || filters.some((filter) => filter.column === column))
      .map(([column]) => column)
    // A BLOB is greater than a text, and a text is greater than a number. An index finds the greatest value at once.
    const types = compared.map(
      (column) => sql`(select typeof(max(${sql.ref(`x.${column}`)})) from ${tables.of(name)} as x) as ${sql.id(column)}`
    )
    const [row = {}] =
      (await attempt(`stored types of ${name}`, sql<Row>`select ${sql.join(types)}`, dataTimeout)) ?? []
    for (const column of compared) {
      const type = textOf(row[column])
      const reference = referenceOf(lists, name, column)
      const path = `${name}.${column}`
      if (type === 'blob') {
        const text = `${path} has texts that are stored as BLOBs, which no text equals: select cast(${column} as text).`
        findings.push(finding('error', 'data', text))
      } else if (reference && type !== 'null') {
        const of = names.includes('practitioners') ? reference : 'users'
        ids.push({ path, isNumber: type !== 'text', of })
      }
    }
  }
  for (const of of ['users', 'practitioners']) {
    const [numbers, texts] = [true, false].map((isNumber) =>
      ids.filter((id) => id.of === of && id.isNumber === isNumber).map(({ path }) => path)
    )
    if (!numbers?.length || !texts?.length) continue
    const text = `Ids of two types may match nothing: numbers in ${numbers.join(', ')}, texts in ${texts.join(', ')}. Cast them to one type.`
    findings.push(finding('warning', 'tables', text))
  }
  return findings
}

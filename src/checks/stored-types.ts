/** Finds ids and filtered values of SQLite that equal no text, because a column of SQLite holds values of any type. */
import { type Expression, sql } from 'kysely'
import { type Row, textOf } from '../database/cells.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { referenceOf } from './known-columns.js'

/** A BLOB is greater than a text, and a text is greater than a number. An index finds the greatest value at once. */
const typeOf = (column: Expression<unknown>) =>
  sql`case when typeof(max(${column})) <> 'blob' then typeof(max(${column}))
    when typeof(min(${column})) = 'blob' then 'blob' else 'some' end`

export async function checkStoredTypes(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const { dialect, names, tables, lists, columns, attempt } = database
  if (dialect.name !== 'sqlite') return []
  const findings: DatabaseFinding[] = []
  const ids: { path: string; isText: boolean; of: string }[] = []
  for (const name of names) {
    const { filters = {}, orders = {} } = lists.find((list) => list.name === name) ?? {}
    const read = [...Object.values(filters), ...Object.values(orders)].map(({ column }) => column)
    const compared = Object.keys(columns(name)).filter(
      (column) => columns(name)[column]?.kind === 'id' || read.includes(column)
    )
    const types = compared.map(
      (column) =>
        sql`(select ${typeOf(sql.ref(`x.${column}`))} from ${tables.of(name).select} as x) as ${sql.id(column)}`
    )
    const rows = await attempt(`stored types of ${name}`, sql<Row>`select ${sql.join(types)}`, dataTimeout)
    for (const column of compared) {
      const type = textOf(rows?.[0]?.[column])
      const path = `${name}.${column}`
      const of = names.includes('practitioners') ? referenceOf(lists, name, column) : 'users'
      if (type === 'blob' || type === 'some') {
        const text = `${path} has values that equal no text, as a BLOB does: select cast(${column} as text).`
        findings.push(finding(type === 'some' ? 'warning' : 'error', 'data', text))
      } else if (type && type !== 'null' && of && referenceOf(lists, name, column)) {
        ids.push({ path, isText: type === 'text', of })
      }
    }
  }
  for (const of of ['users', 'practitioners']) {
    const [numbers = [], texts = []] = [false, true].map((isText) =>
      ids.filter((id) => id.of === of && id.isText === isText)
    )
    if (numbers.length === 0 || texts.length === 0) continue
    const [one, other] = [numbers, texts].map((these) => these.map(({ path }) => path).join(', '))
    const text = `Ids of two types may match nothing: numbers in ${one}, texts in ${other}. Cast them to one type.`
    findings.push(finding('warning', 'tables', text))
  }
  return findings
}

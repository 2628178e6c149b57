/** Finds numbers that are texts, and in SQLite, whose columns hold values of any type, what equals no text. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Row, textOf } from '../database/cells.js'
import type { Dialect } from '../database/dialect.js'
import { type CheckedDatabase, dataTimeout, textFor } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { referenceOf } from './known-columns.js'

type TypeOf = (column: Expression<unknown>, from: RawBuilder<unknown>) => RawBuilder<unknown>

/** The type of a column, of a view and an expression too. In SQLite, it is that of its values. */
const typesOf: Record<Dialect['name'], TypeOf> = {
  mysql: (column, from) =>
    sql`(select if(charset(max(${column})) = 'binary', 'number', 'text') from ${from} where 1 = 0)`,
  postgres: (column, from) => sql`pg_typeof((select ${column} from ${from} where 1 = 0))`,
  // A BLOB is greater than a text, and a text is greater than a number. An index finds the greatest value at once.
  sqlite: (column, from) => sql`(select case when typeof(max(${column})) <> 'blob' then typeof(max(${column}))
    when typeof(min(${column})) = 'blob' then 'blob' else 'some' end from ${from})`
}

export async function checkStoredTypes(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const { dialect, names, tables, lists, columns, attempt } = database
  const findings: DatabaseFinding[] = []
  const ids: { path: string; isText: boolean; of: string }[] = []
  for (const name of names) {
    const { filters = {}, orders = {} } = lists.find((list) => list.name === name) ?? {}
    const read = [...Object.values(filters), ...Object.values(orders)].map(({ column }) => column)
    const kindOf = (column: string) => String(columns(name)[column]?.kind)
    const isNumber = (column: string) =>
      ['decimal', 'integer'].includes(kindOf(column)) && Object.values(orders).some((order) => order.column === column)
    const compared = Object.keys(columns(name)).filter(
      (column) => (read.includes(column) || kindOf(column) === 'id') && (dialect.name === 'sqlite' || isNumber(column))
    )
    if (compared.length === 0) continue
    const from = sql`${tables.of(name).select} as x`
    const typeOf = (column: string) => textFor(dialect)(typesOf[dialect.name](sql.ref(`x.${column}`), from))
    const types = compared.map((column) => sql`${typeOf(column)} as ${sql.id(column)}`)
    const rows = await attempt(`stored types of ${name}`, sql<Row>`select ${sql.join(types)}`, dataTimeout)
    for (const column of compared) {
      const type = textOf(rows?.[0]?.[column])
      const path = `${name}.${column}`
      const of = names.includes('practitioners') ? referenceOf(lists, name, column) : 'users'
      if (isNumber(column) && /^(text|citext|name|character.*)$/.test(String(type))) {
        const text = `${path} is text, which sorts 101 before 13.4: select cast(… as decimal(30, 10)) as ${column}.`
        findings.push(finding('error', 'tables', text))
      } else if (type === 'blob' || type === 'some') {
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

/** Finds ids and filtered values that equal no text: a BLOB of SQLite, whose columns hold values of any type, and JSON of MySQL. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Row, textOf } from '../database/cells.js'
import type { Dialect } from '../database/dialect.js'
import type { Column } from '../lists/columns.js'
import type { Filter } from '../lists/list.js'
import { isNumber } from './columns.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { referenceOf } from './known-columns.js'

type TypeOf = (column: Expression<unknown>, table: Expression<unknown>, dialect: Dialect) => RawBuilder<unknown>

const typesOf: Partial<Record<Dialect['name'], TypeOf>> = {
  // A BLOB is greater than a text, and a text is greater than a number. An index finds the greatest value at once.
  sqlite: (column, table) =>
    sql`select case when typeof(max(${column})) <> 'blob' then typeof(max(${column}))
      when typeof(min(${column})) = 'blob' then 'blob' else 'some' end from ${table} as x`,
  mysql: (
    column,
    table,
    { bytes, text }
  ) => sql`select ${bytes(sql`case when min(y.v = ${text(sql`y.v`)} collate utf8mb4_bin) = 0 then 'other' end`)}
    from (select ${column} as v from ${table} as x where ${column} is not null limit 100) as y`
}

const asBlob = 'as a BLOB does: select cast(… as text)'

const remedies: Readonly<Record<string, string>> = {
  blob: asBlob,
  // Some of the values.
  some: asBlob,
  other: 'as JSON and FLOAT do: select json_unquote(…), or another text'
}

export async function checkStoredTypes(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const { dialect, names, tables, lists, columns, attempt } = database
  const typeOf = typesOf[dialect.name]
  if (!typeOf) return []
  const findings: DatabaseFinding[] = []
  const ids: { path: string; isNumber: boolean; of: string }[] = []
  for (const name of names) {
    const list = lists.find((list) => list.name === name)
    const filters = Object.values(list?.filters ?? {})
    // A BLOB stands behind every time that is a text.
    const isCompared = ({ column, operator }: Filter) =>
      dialect.name === 'sqlite' || (['=', 'in'].includes(operator) && list?.columns[column]?.kind !== 'boolean')
    const filtered = filters.filter(isCompared).map(({ column }) => column)
    const sorted = Object.values(list?.orders ?? {}).map(({ column }) => column)
    if (dialect.name === 'sqlite') filtered.push(...sorted)
    const compared = Object.entries(columns(name))
      .filter(([column, { kind }]) => kind === 'id' || filtered.includes(column))
      .map(([column]) => column)
    const types = compared.map(
      (column) => sql`(${typeOf(sql.ref(`x.${column}`), tables.select(name), dialect)}) as ${sql.id(column)}`
    )
    const [row = {}] =
      (await attempt(`stored types of ${name}`, sql<Row>`select ${sql.join(types)}`, dataTimeout)) ?? []
    for (const column of compared) {
      const type = textOf(row[column])
      const reference = referenceOf(lists, name, column)
      const path = `${name}.${column}`
      const remedy = type && remedies[type]
      const { kind } = columns(name)[column] as Column
      if (type === 'text' && isNumber(kind) && sorted.includes(column)) {
        const text = `${path} has texts, and its numbers sort as texts: use cast(${column} as numeric).`
        findings.push(finding('error', 'data', text))
      } else if (remedy) {
        const text = `${path} has values that equal no text, ${remedy.replace('…', column)}.`
        findings.push(finding(type === 'some' ? 'warning' : 'error', 'data', text))
      } else if (reference && type && type !== 'null') {
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

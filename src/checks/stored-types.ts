/** Finds numbers that sort as texts, and ids and filtered values that equal no text. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Row, textOf } from '../database/cells.js'
import type { Dialect } from '../database/dialect.js'
import { type CheckedDatabase, dataTimeout, textFor } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { comparedIds } from './known-columns.js'

type TypeOf = (column: Expression<unknown>, from: RawBuilder<unknown>) => RawBuilder<unknown>

/** The type of a column that sorts as a number, which can be an expression, or a column of a view. */
const typesOfNumbers: Partial<Record<Dialect['name'], TypeOf>> = {
  mysql: (column, from) =>
    sql`(select if(charset(max(${column})) = 'binary', 'number', 'text') from ${from} where 1 = 0)`,
  postgres: (column, from) => sql`pg_typeof((select ${column} from ${from} where 1 = 0))`
}

/** The type of the values, because JSON of MySQL equals no text, and a column of SQLite holds values of any type. */
const typesOfValues: Partial<Record<Dialect['name'], TypeOf>> = {
  mysql: (column, from) => sql`(select case when min(y.v = concat(convert(y.v using utf8mb4)) collate utf8mb4_bin) = 0
    then 'other' end from (select ${column} as v from ${from} where ${column} is not null limit 100) as y)`,
  // A BLOB is greater than a text, and a text is greater than a number. An index finds the greatest value at once.
  sqlite: (column, from) => sql`(select case when typeof(max(${column})) <> 'blob' then typeof(max(${column}))
    when typeof(min(${column})) = 'blob' then 'blob' else 'some' end from ${from})`
}

export async function checkStoredTypes(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const { dialect, names, tables, lists, columns, attempt } = database
  const isSqlite = dialect.name === 'sqlite'
  const findings: DatabaseFinding[] = []
  const stored = new Map<string, 'numbers' | 'texts'>()
  for (const name of names) {
    const { filters = {}, orders = {} } = lists.find((list) => list.name === name) ?? {}
    const kindOf = (column: string) => String(columns(name)[column]?.kind)
    const sorted = Object.values(orders).map(({ column }) => column)
    const isNumber = (column: string) => ['decimal', 'integer'].includes(kindOf(column)) && sorted.includes(column)
    // In SQLite, a BLOB can stand behind every time that is a text.
    const filtered = Object.values(filters)
      .filter(({ column, operator }) => isSqlite || (/^(=|in)$/.test(operator) && kindOf(column) !== 'boolean'))
      .map(({ column }) => column)
    const isCompared = (column: string) =>
      kindOf(column) === 'id' || filtered.includes(column) || (isSqlite && sorted.includes(column))
    const from = sql`${tables.of(name).select} as x`
    const types = Object.keys(columns(name)).flatMap((column) => {
      const ofNumber = isNumber(column) ? typesOfNumbers[dialect.name] : undefined
      const typeOf = ofNumber ?? (isCompared(column) ? typesOfValues[dialect.name] : undefined)
      return typeOf ? [sql`${textFor(dialect)(typeOf(sql.ref(`x.${column}`), from))} as ${sql.id(column)}`] : []
    })
    if (types.length === 0) continue
    const rows = await attempt(`stored types of ${name}`, sql<Row>`select ${sql.join(types)}`, dataTimeout)
    for (const [column, cell] of Object.entries(rows?.[0] ?? {})) {
      const type = textOf(cell)
      const path = `${name}.${column}`
      if (isNumber(column) && /^(text|citext|name|character.*)$/.test(String(type))) {
        const text = `${path} is text, which sorts 101 before 13.4: select cast(… as decimal(30, 10)) as ${column}.`
        findings.push(finding('error', 'tables', text))
      } else if (type === 'other') {
        const text = `${path} has values that equal no text, as JSON and FLOAT do: select json_unquote(${column}), or another text.`
        findings.push(finding('error', 'data', text))
      } else if (type === 'blob' || type === 'some') {
        const text = `${path} has values that equal no text, as a BLOB does: select cast(${column} as text).`
        findings.push(finding(type === 'some' ? 'warning' : 'error', 'data', text))
      } else if (type && type !== 'null') {
        stored.set(path, type === 'text' ? 'texts' : 'numbers')
      }
    }
  }
  for (const ids of comparedIds(database)) {
    const of = (type: string) => [...stored.keys()].filter((path) => ids.includes(path) && stored.get(path) === type)
    const [numbers, texts] = [of('numbers'), of('texts')]
    if (numbers.length === 0 || texts.length === 0) continue
    const text = `Ids of two types may match nothing: numbers in ${numbers.join(', ')}, texts in ${texts.join(', ')}. Cast them to one type.`
    findings.push(finding('warning', 'tables', text))
  }
  return findings
}

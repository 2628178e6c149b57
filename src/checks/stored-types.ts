/** Finds numbers that sort as texts, and ids and filtered values that equal no text. */
import { sql } from 'kysely'
import { type Row, textOf } from '../database/cells.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { comparedIds } from './known-columns.js'

export async function checkStoredTypes(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const { dialect, names, tables, lists, columns, attempt } = database
  const { typeOfNumber, typeOfValues, holdsAnyType, plainText } = dialect.check
  const findings: DatabaseFinding[] = []
  const stored = new Map<string, 'numbers' | 'texts'>()
  for (const name of names) {
    const { filters = {}, orders = {} } = lists.find((list) => list.name === name) ?? {}
    const storedOf = (column: string) => columns(name)[column]?.rules.stored
    const sorted = Object.values(orders).map(({ column }) => column)
    const isNumber = (column: string) => storedOf(column)?.isNumber && sorted.includes(column)
    // Where a column holds values of any type, a BLOB can stand behind every time that is a text.
    const filtered = Object.values(filters)
      .filter(
        ({ column, operator }) =>
          holdsAnyType || (/^(=|in)$/.test(operator) && !storedOf(column)?.computed?.includes(operator))
      )
      .map(({ column }) => column)
    const isCompared = (column: string) =>
      storedOf(column)?.as === 'id' || filtered.includes(column) || (holdsAnyType && sorted.includes(column))
    const from = sql`${tables.of(name).select} as x`
    const types = Object.keys(columns(name)).flatMap((column) => {
      const ofNumber = isNumber(column) ? typeOfNumber : undefined
      const typeOf = ofNumber ?? (isCompared(column) ? typeOfValues : undefined)
      return typeOf ? [sql`${plainText(typeOf(sql.ref(`x.${column}`), from))} as ${sql.id(column)}`] : []
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

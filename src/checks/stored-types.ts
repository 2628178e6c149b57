/** Finds numbers that sort as texts, and ids and filtered values that equal no text. */
import { sql } from 'kysely'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { comparedIds } from './known-columns.js'

export async function checkStoredTypes(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const { dialect, names, tables, lists, columns, attempt } = database
  const { typeOfNumber, typeOfValues, holdsAnyType, plainText } = dialect.check
  const findings: DatabaseFinding[] = []
  const types = new Map<string, string>()
  for (const name of names) {
    const { filters = {}, orders = {} } = lists.find((list) => list.name === name) ?? {}
    const from = sql`${tables.of(name).select} as x`
    const isSorted = (column: string) => Object.values(orders).some((order) => order.column === column)
    const isNumber = (column: string) => isSorted(column) && columns(name)[column]?.rules.stored.isNumber === true
    const cells = Object.entries(columns(name)).flatMap(([column, { rules }]) => {
      const { as, computed = [] } = rules.stored
      const operators = Object.values(filters).flatMap((filter) => (filter.column === column ? filter.operator : []))
      // Where a column holds values of any type, a BLOB can stand behind every time that is a text.
      const isCompared = holdsAnyType
        ? operators.length > 0 || isSorted(column)
        : operators.some((operator) => /^(=|in)$/.test(operator) && !computed.includes(operator))
      const typeOf = (isNumber(column) && typeOfNumber) || ((as === 'id' || isCompared) && typeOfValues)
      return typeOf ? [sql`${plainText(typeOf(sql.ref(`x.${column}`), from))} as ${sql.id(column)}`] : []
    })
    if (cells.length === 0) continue
    const [row = {}] = (await attempt(`stored types of ${name}`, sql`select ${sql.join(cells)}`, dataTimeout)) ?? []
    for (const [column, type] of Object.entries(row)) {
      if (type) types.set(`${name}.${column}`, type)
      findings.push(...misfits(`${name}.${column}`, column, String(type), isNumber(column)))
    }
  }
  for (const ids of comparedIds(database)) {
    const of = (form: RegExp) =>
      [...types].flatMap(([path, type]) => (ids.includes(path) && form.test(type) ? path : []))
    const [numbers, texts] = [of(/^(integer|real)$/), of(/^text$/)]
    if (numbers.length === 0 || texts.length === 0) continue
    const text = `Ids of two types may match nothing: numbers in ${numbers.join(', ')}, texts in ${texts.join(', ')}. Cast them to one type.`
    findings.push(finding('warning', 'tables', text))
  }
  return findings
}

function misfits(path: string, column: string, type: string, isNumber: boolean): DatabaseFinding[] {
  const equalsNothing = `${path} has values that no text equals, as with`
  if (isNumber && /^(text|citext|name|character.*)$/.test(type)) {
    const text = `${path} is text, which sorts 101 before 13.4: select cast(… as decimal(30, 10)) as ${column}.`
    return [finding('error', 'tables', text)]
  }
  if (type === 'other') {
    const text = `${equalsNothing} JSON or FLOAT: select json_unquote(${column}), or another text.`
    return [finding('error', 'data', text)]
  }
  if (type !== 'blob' && type !== 'some') return []
  const text = `${equalsNothing} a BLOB: select cast(${column} as text).`
  return [finding(type === 'some' ? 'warning' : 'error', 'data', text)]
}

/** Checks the records of each list, the newest and the oldest among them. */
import { type Expression, sql } from 'kysely'
import { type Row, type Text, textOf } from '../database/cells.js'
import { failureOf } from '../errors/classify.js'
import { isCollationConflict } from '../errors/driver-error-codes.js'
import { UnreadableValue } from '../kinds/kind.js'
import type { Field, List } from '../lists/list.js'
import { shapeOf } from '../question/asked/question.js'
import { fittedOf } from '../question/fitted/fitted-sql.js'
import { cellName, recordGone, toItems } from '../question/sql/items.js'
import { pageSql } from '../question/sql/page.js'
import { everything } from '../visibility/grant.js'
import { driverSays } from './columns.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { idsDiffer } from './explain.js'
import { type DatabaseFinding, finding } from './finding.js'
import { repeatedRows } from './repeated.js'

export async function checkData(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const list of database.lists) {
    for (const check of [enumValues, repeatedRows, bothEnds]) {
      const found = await check(database, list).catch((error) => [misreading(list, error)])
      findings.push(...found)
    }
  }
  // Both lists read the users.
  return [...new Map(findings.map((found) => [found.text, found])).values()]
}

function misreading(list: List, error: unknown): DatabaseFinding {
  const { kind, facts } = failureOf(error)
  if (kind !== 'internal') throw error
  if (isCollationConflict(error)) return finding('error', 'tables', `${idsDiffer(list)}; ${driverSays(error)}`)
  // A driver's message can hold values.
  const code = facts.code ? ` (error ${facts.code})` : ''
  return finding('warning', 'data', `Some ${list.name} cannot be read${code}, and pages with such records fail.`)
}

/** Values of enum columns that the list does not know. */
async function enumValues({ dialect, tables, ask }: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const [name, { values: allowed, whenNull }] of Object.entries(list.columns)) {
    if (!allowed) continue
    const maxRows = allowed.length + 5
    const column = sql.ref(`r.${name}`)
    const distinct = (value: Expression<unknown>) => {
      const values = sql`select distinct ${value} as value from ${tables.of(list.name).select} as r ${dialect.limit(sql.lit(maxRows))}`
      const text = sql`select ${dialect.check.plainText(sql.ref('x.value'))} as value from (${values}) as x ${dialect.everyRow}`
      return ask(`the values of ${list.name}.${name}`, text, dataTimeout)
    }
    // A collation can equate `Completed` and `completed`. In a large table, only what an index tells apart is fast.
    const rows = (await distinct(dialect.bytes(column))) ?? (await distinct(column)) ?? []
    const isOther = (value: Text) => (value === null ? whenNull === 'error' : !allowed.includes(value))
    const others = rows.map(({ value = null }) => value).filter(isOther)
    if (others.length === 0) continue
    // An allowed value can follow the first values.
    const isAlike = (value: Text) => value !== null && allowed.includes(value.trim().toLowerCase())
    // A collation may show `Completed` alone for all of the records that are `completed`.
    const isNeverAllowed = others.length === rows.length && rows.length < maxRows && !others.some(isAlike)
    const shown = others.map((value) => (value === null ? 'null' : shownValue(value))).join(', ')
    const is = `${list.name}.${name} is ${isNeverAllowed ? '' : 'also '}${shown}`
    const advice = `and pages with such records fail: map it to ${allowed.join(', ')}, or leave such records out.`
    findings.push(finding(isNeverAllowed ? 'error' : 'warning', 'data', `${is}, ${advice}`))
  }
  return findings
}

/** What items show and what parameters read, in as many records as a page can have, at both ends of the list. */
async function bothEnds(database: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  // `enumValues` checks the columns of the kind enum.
  const isEnum = ({ column }: Field) => column.startsWith('r.') && list.columns[column.slice(2)]?.values
  const shown = Object.entries(list.fields).filter(([, field]) => !isEnum(field))
  const compared = comparedOnly(list)
  const found = await readEnds(database, list, shown, 'shown, and pages with them fail')
  if (compared.length === 0) return found
  const withId = [[list.id, list.fields[list.id] as Field], ...compared] as const
  return [...found, ...(await readEnds(database, list, withId, 'compared, and parameters miss them or fail'))]
}

/** The columns that a filter or `sort` reads, and that no item shows. */
function comparedOnly({ columns, fields, filters, order, orders }: List): [name: string, field: Field][] {
  const sorted = Object.values(orders).map(({ column }) => column)
  const compared = [...sorted, ...Object.values(filters).map(({ column }) => column)]
  // Every page reads the column of the order.
  const shown = [`r.${order.column}`, ...Object.values(fields).map(({ column }) => column)]
  return Object.entries(columns).flatMap(([name, { values, rules, read }]) => {
    if (values || !compared.includes(name) || shown.includes(`r.${name}`)) return []
    const readCell = (text: Text) => {
      // A filter does not mind a null, nor an empty text, which is no date (contract 121).
      const isNone = text === null || (text === '' && rules.nulls.includes('empty'))
      if (isNone) return sorted.includes(name) ? read(text) : null
      try {
        return rules.read(text)
      } catch (error) {
        throw new UnreadableValue(`is ${shownValue(text)}, which ${(error as UnreadableValue).message}`)
      }
    }
    return [[name, { column: `r.${name}`, read: readCell, schema: rules.schema({}) }]]
  })
}

/** A column that is mapped by mistake can hold personal data, such as `Jane Doe`. */
const shownValue = (value: string) => (/^(\w*|[a-z -]*|[\d.,:/+ -]*)$/.test(value) ? `"${value.slice(0, 32)}"` : '"…"')

/** @param done what cannot be done with a record that has an unreadable cell */
async function readEnds(
  { dialect, tables, ask, maxLimit }: CheckedDatabase,
  whole: List,
  fields: readonly (readonly [name: string, field: Field])[],
  done: string
): Promise<DatabaseFinding[]> {
  const list = { ...whole, within: {}, fields: Object.fromEntries(fields) }
  const shape = shapeOf({ list, order: list.order, reach: everything, caller: { userId: '', ids: {} }, filters: {} })
  const fitted = fittedOf(list, tables, { ...dialect, text: dialect.check.plainText, whole: undefined })
  const idCell = cellName(Object.keys(list.fields).indexOf(list.id))
  const records = new Map<Text | undefined, string | undefined>()
  let isWhole = true
  // Null and zero dates are the oldest records, except nulls in PostgreSQL, which are the newest.
  for (const end of ['newest', 'oldest']) {
    const span = { skip: 0, take: maxLimit, backwards: end === 'oldest' }
    const rows = await ask(`the ${end} ${list.name}`, pageSql(shape, fitted, { span }), dataTimeout)
    isWhole &&= rows !== undefined
    for (const row of rows ?? []) records.set(row[recordGone] ?? row[idCell], mistakeIn(row, list))
  }
  const unread = [...records.values()].filter((mistake) => mistake !== undefined)
  if (unread.length === 0) return []
  const share = `${unread.length} of ${records.size} ${list.name} among the newest and the oldest records cannot be ${done}.`
  // One odd record must not stop the next boot.
  const level = isWhole && unread.length === records.size && records.size > 1 ? 'error' : 'warning'
  return [finding(level, 'data', `${share} For example: ${unread[0]}`)]
}

function mistakeIn(row: Row, list: List): string | undefined {
  try {
    const { items } = toItems({ list, order: list.order }, [row], textOf)
    return items.length > 0
      ? undefined
      : `${list.name}.${list.id} has another value each time it is read, even within one statement.`
  } catch (error) {
    return failureOf(error).message
  }
}

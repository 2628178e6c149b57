/** Checks the records of each list, the newest and the oldest among them. */
import { sql } from 'kysely'
import { type Row, type Text, textOf } from '../database/cells.js'
import type { Dialect } from '../database/dialect.js'
import { failureOf } from '../errors/classify.js'
import type { Column } from '../lists/columns.js'
import type { Field, List } from '../lists/list.js'
import { unfitted } from '../question/fitted.js'
import { cellName, recordGone, toItems } from '../question/items.js'
import { queriesOf } from '../question/queries.js'
import { driverSays, fromUnixTime } from './columns.js'
import { type CheckedDatabase, dataTimeout, textFor } from './database.js'
import { enumValues } from './enums.js'
import { idsDiffer } from './explain.js'
import { type DatabaseFinding, finding } from './finding.js'
import type { KnownColumn } from './known-columns.js'
import { repeatedRows } from './repeated.js'
import { mixedForms } from './time-forms.js'

export async function checkData(database: CheckedDatabase, known: readonly KnownColumn[]): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const list of database.lists) {
    for (const check of [enumValues, repeatedRows, mixedForms, bothEnds]) {
      const found = await check(database, list, known).catch((error) => [misreading(list, error)])
      findings.push(...found)
    }
  }
  // Both lists read the users.
  return [...new Map(findings.map((found) => [found.text, found])).values()]
}

/** The finding of a statement that fails. */
function misreading(list: List, error: unknown): DatabaseFinding {
  const { kind, facts } = failureOf(error)
  if (kind !== 'internal') throw error
  // PostgreSQL reports different collations only when the statement runs.
  if (facts.code === '42P22') return finding('error', 'tables', `${idsDiffer(list)}; ${driverSays(error)}`)
  // A driver's message can hold values.
  const code = facts.code ? ` (error ${facts.code})` : ''
  return finding('warning', 'data', `Some ${list.name} cannot be read${code}, and pages with such records fail.`)
}

type Item = Readonly<Record<string, unknown>>

/** As many records as the largest page has, at both ends of the list. */
async function bothEnds(
  database: CheckedDatabase,
  list: List,
  known: readonly KnownColumn[]
): Promise<DatabaseFinding[]> {
  const { dialect, tables, ask, maxLimit } = database
  // `enumValues` checks the columns of the kind enum.
  const isEnum = (column: string) => column.startsWith('r.') && list.columns[column.slice(2)]?.values
  const fields = Object.fromEntries(
    [...Object.entries(list.fields), ...hiddenFields(list)].filter(([, { column }]) => !isEnum(column))
  )
  const shown = { ...list, fields }
  const { page } = queriesOf({
    question: { ...shown, list: shown, reach: 'all', caller: { userId: '', role: '' }, parameters: {} },
    fitted: unfitted(shown, tables, { ...dialect, text: textFor(dialect) }),
    tables
  })
  const idCell = cellName(Object.keys(fields).indexOf(list.id))
  const records = new Map<Text, Item | string>()
  let isWhole = true
  // Null and zero dates are the oldest records, except nulls in PostgreSQL, which are the newest.
  for (const end of ['newest', 'oldest']) {
    const span = { skip: 0, take: maxLimit, backwards: end === 'oldest' }
    const rows = await ask(`the ${end} ${list.name}`, page({ plan: 'plain', span }), dataTimeout)
    isWhole &&= rows !== undefined
    for (const row of rows ?? [])
      records.set(textOf(row[recordGone]) ?? textOf(row[idCell]), itemOf(row, shown, dialect.name))
  }
  const all = [...records.values()]
  const items = all.filter((record) => typeof record !== 'string')
  const [example, ...others] = all.filter((record) => typeof record === 'string')
  const empty = isWhole ? emptyTimes(database, list, known, items) : []
  if (example === undefined) return empty
  const share = `${others.length + 1} of ${all.length} ${list.name} at the ends of the list cannot be shown, and pages with them fail.`
  // One odd record must not stop the next boot.
  const level = isWhole && items.length === 0 && all.length > 1 ? 'error' : 'warning'
  return [finding(level, 'data', `${share} For example: ${example}`), ...empty]
}

/** The columns that only a filter or an order reads. */
const hiddenFields = ({ columns, fields, filters, orders }: List): [name: string, field: Field][] => {
  const read = [...Object.values(filters), ...Object.values(orders)].map(({ column }) => column)
  const shown = Object.values(fields).map(({ column }) => column)
  return [...new Set(read)]
    .filter((column) => !shown.includes(`r.${column}`))
    .map((column) => {
      const { schema, read } = columns[column] as Column
      return [column, { column: `r.${column}`, schema: schema({}), read }]
    })
}

/** The item of a row, or what is wrong. */
function itemOf(row: Row, list: List, dialect: Dialect['name']): Item | string {
  try {
    const [item] = toItems({ list, order: list.order }, [row], textOf).items
    return (item as Item | undefined) ?? `${list.name}.${list.id} changes between two reads of one statement.`
  } catch (error) {
    return failureOf(error).message + unixTime(row, list, dialect)
  }
}

/** The advice for a number in the place of a time. */
function unixTime(row: Row, { columns, fields }: List, dialect: Dialect['name']): string {
  const cells = Object.values(fields).map(({ column }, place) => [column.slice(2), cellName(place)] as const)
  for (const [column, cell] of cells) {
    const [digits] = /^\d{9,13}(?=(\.\d*)?$)/.exec(textOf(row[cell]) ?? '') ?? []
    if (columns[column]?.kind !== 'time' || digits === undefined) continue
    const [seconds, milliseconds] = fromUnixTime[dialect]
    const [unit, advice] = digits.length < 12 ? ['seconds', seconds] : ['milliseconds', milliseconds]
    return ` ${column} has ${unit} since 1970: use ${advice.replace('…', column)}.`
  }
  return ''
}

/** A time that is null everywhere has a wrong column or a wrong conversion. */
function emptyTimes(
  { db, tables }: CheckedDatabase,
  { name, columns, fields }: List,
  known: readonly KnownColumn[],
  items: readonly Item[]
): DatabaseFinding[] {
  const { sql: select } = sql`${tables.select(name)}`.compile(db)
  const findings: DatabaseFinding[] = []
  // In few records, a time can be null rightly.
  if (items.length < 24) return []
  for (const [field, { column: path }] of Object.entries(fields)) {
    const column = path.slice('r.'.length)
    if (columns[column]?.kind !== 'time' || items.some((item) => item[field])) continue
    const isPlain = known.some((each) => each.tableName === name && each.name === column && each.catalog.isTable)
    // A select with `null as paid_at` says that the host has no such time.
    if (new RegExp(`\\bnull(::[\\w ]+| as [\\w ]+\\))? as .${column}\\b`, 'i').test(select)) continue
    const correct = isPlain ? 'map another column' : 'correct the select or the view that computes the column'
    const is = `${name}.${column} is null in all of the ${items.length} newest and oldest records.`
    findings.push(finding('warning', 'data', `${is} If the records have this time, ${correct}.`))
  }
  return findings
}

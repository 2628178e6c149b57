/** Checks the newest and the oldest records, and the values of enum columns. */
import { sql } from 'kysely'
import { type Row, type Text, textOf } from '../database/driver-samples.js'
import { failureOf } from '../errors/classify.js'
import { Failure } from '../errors/failure.js'
import type { List } from '../lists/list.js'
import { toItems } from '../query/items.js'
import { everyRow, type PageOptions, queriesOf } from '../query/queries.js'
import { unknownTraits } from '../query/traits.js'
import { driverSays } from './columns.js'
import { type CheckedDatabase, dataTimeout, textFor } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import type { KnownColumn } from './known-columns.js'
import { repeatedRows } from './repeated.js'
import { firstPage, unfit } from './statements.js'

/** The oldest records. */
const lastPage: PageOptions = { ...firstPage, span: { ...firstPage.span, backwards: true } }

export async function checkData(database: CheckedDatabase, known: readonly KnownColumn[]): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const list of database.lists) {
    try {
      findings.push(...(await closedSets(database, list)), ...(await repeatedRows(database, list)))
      const newest = await readPage(database, list, firstPage)
      // Null and zero dates are the oldest records, except nulls in PostgreSQL, which are the newest.
      const oldest = await readPage(database, list, lastPage)
      if (newest && oldest) findings.push(...(await emptyTimes(database, list, known, [...newest, ...oldest])))
    } catch (error) {
      findings.push(misreading(list, error))
    }
  }
  // Both lists read the users.
  return [...new Map(findings.map((found) => [found.text, found])).values()]
}

function misreading(list: List, error: unknown): DatabaseFinding {
  const { kind, message, facts } = failureOf(error)
  if (kind !== 'internal') throw error
  // PostgreSQL reports different collations only when the statement runs.
  if (facts.code === '42P22') return finding('error', 'tables', `${unfit(list)}; ${driverSays(error)}`)
  // A driver's message can hold values.
  const code = facts.code ? ` (error ${facts.code})` : ''
  const problem = error instanceof Failure ? message : `The newest or oldest ${list.name} cannot be read${code}.`
  return finding('warning', 'data', `${problem} Pages with such records fail.`)
}

type Item = Readonly<Record<string, unknown>>

/** Returns undefined after a timeout. */
async function readPage(database: CheckedDatabase, list: List, options: PageOptions): Promise<Item[] | undefined> {
  const { dialect, ask } = database
  // `closedSets` checks the columns of the kind enum.
  const enums = Object.keys(list.columns).filter((name) => list.columns[name]?.values)
  const isEnum = (column: string) => enums.some((name) => column === `r.${name}`)
  const fields = Object.fromEntries(Object.entries(list.fields).filter(([, { column }]) => !isEnum(column)))
  const { page } = queriesOf({
    list: { ...list, fields },
    request: { reach: 'all', caller: { userId: '', role: '' }, parameters: {} },
    traits: unknownTraits,
    session: { ...database, dialect: { ...dialect, text: textFor(dialect) } }
  })
  const what = `the ${options.span.backwards ? 'oldest' : 'newest'} ${list.name}`
  const rows = await ask(what, page(options), dataTimeout)
  if (!rows) return undefined
  const { items, found } = toItems({ ...list, fields }, rows)
  const text = `${list.name}.${list.id} changes between two reads of one statement.`
  if (items.length < found) throw new Failure('internal', text)
  return items as Item[]
}

/** A time that is null everywhere has a wrong column or a wrong conversion. */
async function emptyTimes(
  { db, dialect, tables, attempt }: CheckedDatabase,
  { name, id, columns, fields }: List,
  known: readonly KnownColumn[],
  items: readonly Item[]
): Promise<DatabaseFinding[]> {
  const { sql: select } = sql`${tables.of(name)}`.compile(db)
  const isFew = new Set(items.map((item) => item[id])).size < 2 * firstPage.span.take
  const findings: DatabaseFinding[] = []
  for (const [field, { column: path }] of Object.entries(fields)) {
    const column = path.slice('r.'.length)
    if (columns[column]?.kind !== 'time' || items.length === 0 || items.some((item) => item[field])) continue
    const isPlain = known.some((each) => each.tableName === name && each.name === column && each.catalog.isTable)
    // A select with `null as paid_at` says that the host has no such time.
    if (new RegExp(`\\bnull(::[\\w ]+| as [\\w ]+\\))? as .${column}\\b`, 'i').test(select)) continue
    const hasNoZones =
      !isPlain &&
      dialect.name === 'mysql' &&
      (await attempt('the time zones of the server', zoneOfBerlin))?.[0]?.zone === null
    const isConverted = !isPlain && /convert_tz/i.test(select)
    // In few records, a time can be null rightly.
    if (isFew && !(isConverted && hasNoZones)) continue
    const load =
      '`convert_tz` returns null for a time zone that the server does not know. Check the name of the zone. Load the time zones on the server, as its administrator, with `mariadb-tzinfo-to-sql /usr/share/zoneinfo | mariadb mysql`, or with `mysql_tzinfo_to_sql` on MySQL.'
    const correct = `If the records have this time, ${isPlain ? 'map another column' : 'correct the select or the view that computes the column'}.`
    const advice = isConverted ? load : hasNoZones ? `${correct} If a view uses \`convert_tz\`: ${load}` : correct
    findings.push(
      finding('warning', 'data', `${name}.${column} is null in all of the newest and oldest records. ${advice}`)
    )
  }
  return findings
}

const zoneOfBerlin = sql<Row>`select convert_tz('2024-01-01 00:00:00', 'UTC', 'Europe/Berlin') as zone`

async function closedSets({ dialect, tables, ask }: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const [name, { values: allowed, whenNull }] of Object.entries(list.columns)) {
    if (!allowed) continue
    const maxRows = allowed.length + 5
    const values = sql`select distinct ${sql.ref(`r.${name}`)} as value from ${tables.of(list.name)} as r limit ${sql.lit(maxRows)}`
    const text = textFor(dialect)(sql.ref('x.value'))
    const rows =
      (await ask(
        `the values of ${list.name}.${name}`,
        sql`select ${text} as value from (${values}) as x ${everyRow}`,
        dataTimeout
      )) ?? []
    const isOther = (value: Text) => (value === null ? whenNull === 'error' : !allowed.includes(value))
    const others = rows.map(({ value }) => textOf(value)).filter(isOther)
    if (others.length === 0) continue
    // An allowed value can follow the first values.
    const isNeverAllowed = others.length === rows.length && rows.length < maxRows
    // A column that is mapped by mistake can hold personal data, such as `Jane Doe`.
    const show = (value: string) => (/^(\w*|[a-z -]*)$/.test(value) ? `"${value.slice(0, 32)}"` : '"…"')
    const shown = others.map((value) => (value === null ? 'null' : show(value))).join(', ')
    const is = `${list.name}.${name} is ${isNeverAllowed ? '' : 'also '}${shown}`
    const advice = `and pages with such records fail: map it to ${allowed.join(', ')}, or leave such records out.`
    findings.push(finding(isNeverAllowed ? 'error' : 'warning', 'data', `${is}, ${advice}`))
  }
  return findings
}

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
import { probeOrder } from './probes.js'
import { firstPage, unfit } from './statements.js'

/** The oldest records. */
const lastPage: PageOptions = { ...firstPage, span: { ...firstPage.span, backwards: true } }

export async function checkData(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const list of database.lists) {
    try {
      findings.push(...(await closedSets(database, list)), ...(await repeatedIds(database, list)))
      findings.push(...(await probeOrder(database, list)))
      await readPage(database, list, firstPage)
      // Null and zero dates are the oldest records, except nulls in PostgreSQL, which are the newest.
      await readPage(database, list, lastPage)
    } catch (error) {
      findings.push(misreading(list, error))
    }
  }
  return findings
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

async function readPage(database: CheckedDatabase, list: List, options: PageOptions): Promise<void> {
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
  const { items, found } = toItems({ ...list, fields }, (await ask(page(options), dataTimeout)) ?? [])
  const text = `${list.name}.${list.id} changes between two reads of one statement.`
  if (items.length < found) throw new Failure('internal', text)
}

/** A join in the option `tables` can repeat records. */
async function repeatedIds({ dialect, tables, ask }: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const [id, time] = [sql.ref(`r.${list.id}`), sql.ref(`r.${list.newest}`)]
  const newest = sql`select ${dialect.bytes(id)} as id from ${tables.of(list.name)} as r order by ${time} desc limit 100`
  const repeated = dialect.text(sql`count(x.id) - count(distinct x.id)`)
  const [row] = (await ask(sql<Row>`select ${repeated} as repeated from (${newest}) as x`, dataTimeout)) ?? []
  if (Number(textOf(row?.repeated)) === 0) return []
  const text = `${list.name} has records several times, so totals are wrong: remove the join that multiplies rows, or use a subquery in its place.`
  return [finding('error', 'tables', text)]
}

async function closedSets({ dialect, tables, ask }: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const [name, { values: allowed, whenNull }] of Object.entries(list.columns)) {
    if (!allowed) continue
    const maxRows = allowed.length + 5
    const values = sql`select distinct ${sql.ref(`r.${name}`)} as value from ${tables.of(list.name)} as r limit ${sql.lit(maxRows)}`
    const text = textFor(dialect)(sql.ref('x.value'))
    const rows = (await ask(sql`select ${text} as value from (${values}) as x ${everyRow}`, dataTimeout)) ?? []
    const isOther = (value: Text) => (value === null ? whenNull === 'error' : !allowed.includes(value))
    const others = rows.map(({ value }) => textOf(value)).filter(isOther)
    if (others.length === 0) continue
    // An allowed value can follow the first values.
    const isNeverAllowed = others.length === rows.length && rows.length < maxRows
    // A column that is mapped by mistake can hold personal data.
    const show = (value: string) => (/^[\w -]*$/.test(value) ? `"${value.slice(0, 32)}"` : '"…"')
    const shown = others.map((value) => (value === null ? 'null' : show(value))).join(', ')
    const is = `${list.name}.${name} is ${isNeverAllowed ? '' : 'also '}${shown}`
    const advice = `and pages with such records fail: map it to ${allowed.join(', ')}.`
    findings.push(finding(isNeverAllowed ? 'error' : 'warning', 'data', `${is}, ${advice}`))
  }
  return findings
}

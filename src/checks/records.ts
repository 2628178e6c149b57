/** Checks the newest and the oldest records, and the values of enum columns. */
import { sql } from 'kysely'
import { type Row, textOf } from '../database/driver-samples.js'
import { failureOf } from '../errors/classify.js'
import { Failure } from '../errors/failure.js'
import { lists } from '../lists/index.js'
import type { List } from '../lists/list.js'
import { toItems } from '../query/items.js'
import { everyRow, type PageOptions, queriesOf } from '../query/queries.js'
import { unknownTraits } from '../query/traits.js'
import { type CheckedDatabase, dataTimeout, textFor } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { probeOrder } from './probes.js'
import { firstPage, misfit } from './query-plans.js'

/** The oldest records. */
const lastPage: PageOptions = { ...firstPage, span: { ...firstPage.span, backwards: true } }

export async function checkData(database: CheckedDatabase): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const list of lists) {
    const steps = [
      async () => {
        findings.push(...(await closedSets(database, list)), ...(await repeatedIds(database, list)))
        // After a slow page, the next statement would be slow too.
        if (await readPage(database, list, firstPage)) findings.push(...(await probeOrder(database, list)))
      },
      // Null and zero dates are the oldest records, except nulls in PostgreSQL, which are the newest.
      () => readPage(database, list, lastPage)
    ]
    const misreadings: DatabaseFinding[] = []
    for (const step of steps) {
      const found = await step().then(
        () => undefined,
        (error: unknown) => misreading(list, error)
      )
      if (found && !misreadings.some(({ text }) => isSameColumn(text, found.text))) misreadings.push(found)
    }
    findings.push(...misreadings)
  }
  return findings
}

function misreading(list: List, error: unknown): DatabaseFinding {
  const { kind, message, facts } = failureOf(error)
  if (kind !== 'internal') throw error
  if (error instanceof Failure) return finding('warning', 'data', message.replace(noDate, noDates))
  // PostgreSQL reports different collations only when the statement runs.
  if (facts.code === '42P22') return misfit(list, error)
  // A driver's message can hold values.
  return finding(
    'warning',
    'data',
    `The newest or oldest ${list.name} cannot be read${facts.code ? ` (error ${facts.code})` : ''}.`
  )
}

const noDate = /^Column (\w+\.created_at) of (.*) (is null|is a zero date)\.$/
const noDates =
  '$1 is null or a zero date in some records, such as $2, and pages with such records fail: give them a date, or select a stored generated column that does.'

/** `Column payments.quantity of payment_id 7 is null.` */
const isSameColumn = (a: string, b: string) => a.split(' of ')[0] === b.split(' of ')[0]

/** @returns whether the database answered in time */
async function readPage(database: CheckedDatabase, list: List, options: PageOptions): Promise<boolean> {
  const { dialect, ask } = database
  // `closedSets` checks the other fields.
  const fields = Object.fromEntries(Object.entries(list.fields).filter(([, { schema }]) => !schema.enum))
  const { page } = queriesOf({
    list: { ...list, fields },
    request: { reach: 'all', caller: { userId: '', role: '' }, parameters: {} },
    traits: unknownTraits,
    session: { ...database, dialect: { ...dialect, text: textFor(dialect) } }
  })
  const rows = await ask(page(options), dataTimeout)
  const { items, found } = toItems({ ...list, fields }, rows ?? [])
  if (items.length < found)
    throw new Failure(
      'internal',
      `${list.name}.${list.id} changes between two reads of one statement, so pages omit such records.`
    )
  return rows !== undefined
}

/** A join in the option `tables` can repeat records. */
async function repeatedIds(
  { dialect, tables, ask }: CheckedDatabase,
  { name: records, id: idName }: List
): Promise<DatabaseFinding[]> {
  const id = `r.${idName}`
  const newest = sql`select ${dialect.bytes(sql.ref(id))} as id from ${tables.of(records)} as r order by r.created_at desc limit 100`
  const repeated = dialect.text(sql`count(x.id) - count(distinct x.id)`)
  const [row] = (await ask(sql<Row>`select ${repeated} as repeated from (${newest}) as x`, dataTimeout)) ?? []
  if (Number(textOf(row?.repeated)) === 0) return []
  const text = `${records} has records several times, so totals are wrong: remove the join that multiplies rows, or use a subquery in its place.`
  return [finding('error', 'tables', text)]
}

async function closedSets({ dialect, tables, ask }: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const findings: DatabaseFinding[] = []
  for (const { column, schema } of Object.values(list.fields)) {
    const allowed: unknown = schema.enum
    if (!Array.isArray(allowed)) continue
    const maxRows = allowed.length + 5
    const found = await ask(
      sql`select ${textFor(dialect)(sql.ref('x.value'))} as value from (
      select distinct ${sql.ref(column)} as value from ${tables.of(list.name)} as r limit ${sql.lit(maxRows)}) as x ${everyRow}`,
      dataTimeout
    )
    const values = found?.map(({ value }) => textOf(value)) ?? []
    // An allowed value can follow the first values. A timeout counts as yes.
    const isAllowedFurther = async () => {
      const allowedRow = sql<Row>`select 1 as one from ${tables.of(list.name)} as r
        where ${textFor(dialect)(sql.ref(column))} in (${sql.join(allowed.map(sql.lit))}) limit 1`
      return values.length === maxRows && (await ask(allowedRow, dataTimeout))?.length !== 0
    }
    const others = values.filter((value) => !allowed.includes(value))
    if (others.length === 0) continue
    const [, name] = column.split('.')
    // A column that is mapped by mistake can hold personal data.
    const show = (value: string) => (/^[\w -]*$/.test(value) ? `"${value.slice(0, 32)}"` : '"…"')
    const shown = others.map((value) => (value === null ? 'null' : show(value))).join(', ')
    const text = `${list.name}.${name} is also ${shown}, and pages with such records fail: map it to ${allowed.join(', ')}.`
    const isOther = others.length === values.length && !(await isAllowedFurther())
    findings.push(isOther ? finding('error', 'data', text.replace(' also', '')) : finding('warning', 'data', text))
  }
  return findings
}

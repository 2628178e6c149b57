/** Checks that the data can be read: the newest records, and the values of columns with few values. */
import { sql } from 'kysely'
import { type Row, textOf } from '../database/cells.js'
import type { Dialect } from '../database/dialect.js'
import { columnsOf } from '../database/tables.js'
import { failureOf } from '../errors/classify.js'
import { Failure } from '../errors/failure.js'
import { lists } from '../lists/index.js'
import type { List } from '../lists/list.js'
import { unknownTraits } from '../query/column-traits.js'
import { toItems } from '../query/items.js'
import { everyRow, queriesOf } from '../query/page-query.js'
import type { Finding } from './finding.js'
import { misfit } from './query-plans.js'
import { firstPage, glance, type Subject } from './subject.js'

const finding = (text: string, level: Finding['level'] = 'warning'): Finding => ({ level, remedy: 'data', text })

export async function checkData(subject: Subject): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const list of lists) {
    try {
      findings.push(...(await closedSets(subject, list)))
      await readNewest(subject, list)
    } catch (error) {
      const { kind, message, facts } = failureOf(error)
      if (kind !== 'internal') throw error
      if (error instanceof Failure) findings.push(finding(message))
      // PostgreSQL only tells as it runs that collations differ
      else if (facts.code === '42P22') findings.push(misfit(list, error))
      // a driver's message may have values in it
      else findings.push(finding(`The newest ${list.records} cannot be read (error ${facts.code}).`))
    }
  }
  return findings
}

/** Cells as text, on MySQL and MariaDB as bytes, which come whole through any connection. */
const textFor = ({ name, bytes, text }: Dialect) => (name === 'mysql' ? bytes : text)

/** Throws a Failure that says which cell cannot be read. */
async function readNewest({ source, ask }: Subject, list: List): Promise<void> {
  // of the others all values are looked at
  const fields = Object.fromEntries(Object.entries(list.fields).filter(([, { schema }]) => !schema.enum))
  const { page } = queriesOf({
    list: { ...list, fields },
    request: { reach: 'all', caller: { userId: '', role: '' }, parameters: {} },
    traits: unknownTraits,
    source: { ...source, dialect: { ...source.dialect, text: textFor(source.dialect) } }
  })
  const rows = await ask(page(firstPage), glance)
  const { items, found } = toItems({ ...list, fields }, rows ?? [])
  const [id] = columnsOf[list.records]
  if (items.length < found)
    throw new Failure(
      'internal',
      `${list.records}.${id} differs from one look to the next in one statement, and pages leave such records out.`
    )
}

/** Values that a column of few values must not have: each of its records is an error. */
async function closedSets({ source, ask }: Subject, list: List): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { column, schema } of Object.values(list.fields)) {
    const allowed: unknown = schema.enum
    if (!Array.isArray(allowed)) continue
    const maxRows = allowed.length + 5
    const found = await ask(
      sql`select ${textFor(source.dialect)(sql.ref('x.value'))} as value from (
      select distinct ${sql.ref(column)} as value from ${source.table(list.records)} as r limit ${sql.lit(maxRows)}) as x ${everyRow}`,
      glance
    )
    const values = found?.map(({ value }) => textOf(value)) ?? []
    // one that stands behind the first few, or where that takes too long to see
    const isAmong = async () => {
      const among = sql<Row>`select 1 as one from ${source.table(list.records)} as r
        where ${textFor(source.dialect)(sql.ref(column))} in (${sql.join(allowed.map(sql.lit))}) limit 1`
      return values.length === maxRows && (await ask(among, glance))?.length !== 0
    }
    const others = values.filter((value) => !allowed.includes(value))
    if (others.length === 0) continue
    const [, name] = column.split('.')
    // A column that is no status can hold personal data, such as emails.
    const show = (value: string) => (/^[\w -]*$/.test(value) ? `"${value.slice(0, 32)}"` : '"…"')
    const shown = others.map((value) => (value === null ? 'null' : show(value))).join(', ')
    const text = `${list.records}.${name} is also ${shown}, and pages with such records fail: map it to ${allowed.join(', ')}.`
    const isOther = others.length === values.length && !(await isAmong())
    findings.push(isOther ? finding(text.replace(' also', ''), 'error') : finding(text))
  }
  return findings
}

/** Finds times that are texts in several forms, which the database sorts as texts. */
import { type RawBuilder, sql } from 'kysely'
import { type Row, textOf } from '../database/cells.js'
import { time as read } from '../lists/dates.js'
import type { List } from '../lists/list.js'
import { everyRow } from '../question/queries.js'
import { type CheckedDatabase, dataTimeout } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'

/** Reads the times at both ends of the list, and of the last ids, which an import can have given to old records. */
export async function mixedForms(database: CheckedDatabase, list: List): Promise<DatabaseFinding[]> {
  const sorted = new Set(Object.values(list.orders).map(({ column }) => column))
  const times = [...sorted].filter((column) => ['time', 'date'].includes(String(list.columns[column]?.kind)))
  return (await Promise.all(times.map((column) => formsOf(database, list, column)))).flat()
}

async function formsOf(
  { dialect, tables, ask }: CheckedDatabase,
  { name, id }: List,
  column: string
): Promise<DatabaseFinding[]> {
  const time = sql.ref(`r.${column}`)
  const part = (order: RawBuilder<unknown>) =>
    sql`select * from (select ${time} as time from ${tables.select(name)} as r order by ${order} limit 1000) as part`
  const parts = sql.join([sql`${time} desc`, time, sql`${sql.ref(`r.${id}`)} desc`].map(part), sql` union all `)
  const times = sql<Row>`select ${dialect.bytes(sql.ref('x.time'))} as time from (${parts}) as x ${everyRow}`
  const rows = await ask(`the forms of ${name}.${column}`, times, dataTimeout)
  const texts = (rows ?? []).map((row) => textOf(row.time) ?? '').filter(read)
  const forms = [...new Map(texts.map(formOf).map((form) => [form.pattern, form])).values()]
  const pairs = forms.flatMap((one) => forms.map((other) => [one, other] as const))
  const mixed = pairs.find((pair) => sortWrongly(...pair))?.map(({ pattern }) => pattern)
  const text = `${name}.${column} has texts in the forms ${mixed?.join(' and ')}, which do not sort by time: write all of them in one form.`
  return mixed ? [finding('error', 'data', text)] : []
}

/** For `2024-03-01T09:30:00.5+02:00`, the pattern is `YYYY-MM-DDThh:mm:ss.s+02:00`. */
function formOf(text: string) {
  const [, start = '', separator = '', zone = ''] = /^(.{10}(?:([ T])[\d:.]+)?)(.*)$/.exec(text) as RegExpExecArray
  const pattern = `YYYY-MM-DD${separator}hh:mm:ss.`.slice(0, start.length).padEnd(start.length, 's') + zone
  const offset = zone
    .replace(/[ :]/g, '')
    .replace(/^(.\d\d)00$/, '$1')
    .replace(/^(Z|.00)$/, '')
  return { pattern, separator, digits: start.length, zone, offset }
}

type Form = ReturnType<typeof formOf>

/** For example, `09:30:00.5Z` stands before `09:30:00Z`. A native type of a database has no forms that sort wrongly. */
const sortWrongly = (one: Form, other: Form): boolean =>
  one.offset !== other.offset ||
  (one.separator !== other.separator && one.separator !== '' && other.separator !== '') ||
  (one.zone === 'Z' && one.digits < other.digits)

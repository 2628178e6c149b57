/** Makes the database prove that the records come in the order of the list. */
import { type RawBuilder, sql } from 'kysely'
import { type Row, textOf } from '../database/driver-samples.js'
import type { List } from '../lists/list.js'
import type { Finding } from './finding.js'
import { finding, idOf, rowsOf } from './probe-rows.js'
import { type Subject, textFor } from './subject.js'

/** Compares both ends of the list's order with the newest and the oldest date. */
export async function probeOrder(subject: Subject, list: List): Promise<Finding[]> {
  // Without a snapshot, a record that is inserted during the statement may be in one part of the row only.
  if (!(await isOutOfOrder(subject, list)) || !(await isOutOfOrder(subject, list))) return []
  return [
    finding(
      `The records of ${list.name} do not come in the order of ${list.newest}, so pages would miss or repeat records: the storage engine or a proxy changes \`order by … limit\`. Use another storage engine, or connect without the proxy.`
    )
  ]
}

async function isOutOfOrder(subject: Subject, { name: records, newest: newestColumn }: List): Promise<boolean> {
  const createdAt = sql.ref(`r.${newestColumn}`)
  const [row] =
    (await rowsOf(subject, ({ dialect, tables }) => {
      const cell = (value: RawBuilder<unknown>, rest = sql``) =>
        sql`(select ${textFor(dialect)(value)} from ${tables.of(records)} as r ${rest})`
      const first = (direction: RawBuilder<unknown>) =>
        cell(createdAt, sql`order by ${createdAt} ${direction}, ${idOf(records, 'r')} ${direction} limit 1`)
      return sql<Row>`select ${first(sql`desc`)} as first, ${cell(sql`max(${createdAt})`)} as newest,
        ${first(sql`asc`)} as last, ${cell(sql`min(${createdAt})`)} as oldest`
    })) ?? []
  const { first, newest, last, oldest } = row ?? {}
  // A null date stands at an end.
  const isWrong = (end: unknown, date: unknown) => textOf(end) !== null && textOf(end) !== textOf(date)
  return isWrong(first, newest) || isWrong(last, oldest)
}

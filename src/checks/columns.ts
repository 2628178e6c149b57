/** Do the relations have their columns, and of kinds that can be used? */
import { sql } from 'kysely'
import { failureOf } from '../errors.js'
import { columnsOf } from '../relations.js'
import type { Finding } from './finding.js'
import type { KnownColumn, Subject } from './subject.js'

const finding = (text: string, level: Finding['level'] = 'error'): Finding => ({ level, remedy: 'relations', text })

/** Asks each relation for its columns, but for no row. */
export async function checkColumns({ source, names, ask }: Subject): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const name of names) {
    const columns = columnsOf[name].map((column) => sql.ref(`x.${column}`))
    try {
      await ask(sql`select ${sql.join(columns)} from ${source.relation(name)} as x where 1 = 0`)
    } catch (error) {
      findings.push(finding(`${name} needs the columns ${columnsOf[name].join(', ')}. ${driverSays(error)}`))
    }
  }
  return findings
}

/**
 * What the database says, for the operator alone: our statements have no values in them.
 *
 * @throws Failure when it did not answer at all.
 */
export function driverSays(error: unknown): string {
  const failure = failureOf(error)
  if (failure.kind !== 'internal') throw failure
  return `The database says: ${error instanceof Error ? error.message : String(error)}`
}

const isTime = /^(created_at|paid_at|date_)/
const isId = /_id$/

/** The kinds of the columns that the catalog knows. */
export function checkKinds(known: readonly KnownColumn[], { source }: Subject): Finding[] {
  const findings: Finding[] = []
  const kindsOfIds = new Map<string, string[]>()
  for (const { relation, name, table, column, facts } of known) {
    const type = facts.types.get(column.toLowerCase())
    // SQLite knows no type of a view's computed column
    if (!type) continue
    const kind = kindOf(type)
    const what = `${relation}.${name}${table === relation && column === name ? '' : ` (${table}.${column})`}`
    if (isTime.test(name) && !['a time', 'text'].includes(kind)) {
      findings.push(finding(`${what} is ${kind}: give a date and time, for example from_unixtime(…) of a number.`))
    }
    if (!isId.test(name)) continue
    if (['a floating-point number', 'bytes'].includes(kind)) {
      findings.push(finding(`${what} is ${kind}, which is no id: give it as text, for example hex(…) of bytes.`))
    }
    // every id but a record's own is a user's or a practitioner's
    if (!/^(assessment|payment)_id$/.test(name)) kindsOfIds.set(kind, [...(kindsOfIds.get(kind) ?? []), what])
  }
  if (kindsOfIds.size > 1) {
    const kinds = [...kindsOfIds].map(([kind, columns]) => `${kind} in ${columns.join(', ')}`)
    // MySQL compares such ids, if slowly; the others do not find them
    const level = source.dialect.name === 'mysql' ? 'warning' : 'error'
    findings.push(
      finding(`The ids of users and practitioners must have one type; they are ${kinds.join('; ')}.`, level)
    )
  }
  return findings
}

const kinds: [RegExp, string][] = [
  [/^(float|double|real)/, 'a floating-point number'],
  [/^(tiny|small|medium|big)?int(eger)?\b|^(decimal|numeric)/, 'a number'],
  [/blob|binary|bytea/, 'bytes'],
  [/^(date|timestamp)/, 'a time'],
  [/char|text|clob|enum/, 'text']
]

const kindOf = (type: string): string => kinds.find(([form]) => form.test(type))?.[1] ?? `of the type ${type}`

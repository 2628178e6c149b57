/** Checks the columns of each table and their types. */
import { type Expression, sql } from 'kysely'
import { type BaseColumn, selectedNames } from '../database/base-columns.js'
import type { Dialect } from '../database/dialect.js'
import { columnsOf, type TableName } from '../database/tables.js'
import { Failure } from '../errors/failure.js'
import { hintFor } from '../errors/suggestion.js'
import type { Finding } from './finding.js'
import type { CheckedSource, KnownColumn, Subject } from './subject.js'

const finding = (text: string, level: Finding['level'] = 'error'): Finding => ({ level, remedy: 'tables', text })

/** Runs `select … from table where 1 = 0` on each table. */
export async function checkColumns({ source, names, ask }: Subject, known: readonly KnownColumn[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const name of names) {
    const columns = columnsOf[name].map((column) => sql.ref(`x.${column}`))
    try {
      await ask(sql`select ${sql.join(columns)} from ${source.tables.of(name)} as x where 1 = 0`)
    } catch (error) {
      const found = [...unselected(source, name), ...missing(name, known)]
      if (found.length > 0) findings.push(...found)
      else findings.push(finding(`${name} needs the columns ${columnsOf[name].join(', ')}; ${driverSays(error)}`))
    }
  }
  return findings
}

function unselected(source: CheckedSource, name: TableName): Finding[] {
  const needed: readonly string[] = columnsOf[name]
  const selected = selectedNames(source.tables.of(name) as Expression<unknown>) ?? needed
  const others = selected.filter((column) => !needed.includes(column))
  const lacking = needed
    .filter((column) => !selected.includes(column))
    .map((column) => `${column}${hintFor(column, others)}`)
  return lacking.length > 0 ? [finding(`The select of ${name} lacks ${lacking.join(', ')}.`)] : []
}

function missing(name: TableName, known: readonly KnownColumn[]): Finding[] {
  const lacking = known
    .filter(({ tableName, type }) => tableName === name && type === undefined)
    .map((column) => {
      const purpose = column.name === column.column ? '' : ` (for ${column.name})`
      return `${baseOf(column)}${purpose}${hintFor(column.column, [...column.facts.types.keys()])}`
    })
  return lacking.length > 0 ? [finding(`${name} lacks ${lacking.join(', ')}.`)] : []
}

/** The message can be shown, because the statements of the check read no row. */
export function driverSays(error: unknown): string {
  if (error instanceof Failure) throw error
  return `the database says: ${error instanceof Error ? error.message : String(error)}`
}

export function checkKinds({ source, names }: Subject, known: readonly KnownColumn[]): Finding[] {
  const found = known.flatMap((column) => wrongKind(column, source.dialect.name) ?? [])
  const isUsers = ({ references }: KnownColumn) => references === 'users'
  const isPractitioners = ({ references }: KnownColumn) => references === 'practitioners'
  const groups = names.includes('practitioners')
    ? [known.filter(isUsers), known.filter(isPractitioners)]
    : [known.filter((column) => isUsers(column) || isPractitioners(column))]
  return [...found, ...groups.flatMap((columns) => differentKinds(columns, source.dialect.name))]
}

type DialectName = Subject['source']['dialect']['name']

function wrongKind(column: KnownColumn, dialect: DialectName): Finding | undefined {
  const { type, kind: declared } = column
  const kind = kindOf(type)
  const isNumber = kind === 'numbers' || kind === 'floating-point numbers'
  if (declared === 'time' && isNumber) {
    return finding(`${nameOf(column)} holds ${kind}: make a date and time of them (${fromEpoch[dialect]}).`)
  }
  if (declared === 'decimal' && kind === 'money')
    return finding(`${nameOf(column)} is of the type money: make it numeric.`)
  if (declared === 'decimal' && dialect === 'mysql' && type === 'float') {
    return finding(`${nameOf(column)} is a FLOAT, which MySQL and MariaDB round to six digits: make it a DECIMAL.`)
  }
  if (declared !== 'id') return undefined
  // `00042` and `abc  ` differ from the host's ids.
  if (dialect !== 'sqlite' && / zerofill$|^character$/.test(String(type))) {
    return finding(`${nameOf(column)} pads its values to a fixed length: ${unpadded[dialect]}.`)
  }
  if (kind === 'bytes') {
    return finding(`${nameOf(column)} holds bytes: make text of them (${fromBytes[dialect]}).`)
  }
  if (kind === 'floating-point numbers') {
    // A DOUBLE is exact up to 2^53, but SQLite returns `1.0`.
    const level = dialect === 'sqlite' || /^(float|real)/.test(String(type)) ? 'error' : 'warning'
    return finding(`${nameOf(column)} holds ${kind}, which lose digits: make it an integer.`, level)
  }
}

function differentKinds(columns: readonly KnownColumn[], dialect: DialectName): Finding[] {
  const kinds = new Map<string, string[]>()
  for (const column of columns) {
    const kind = kindOf(column.type)
    // The type names `money` and `uuid` mean nothing in SQLite.
    if (kind === column.type && dialect === 'sqlite') continue
    if (kind) kinds.set(kind, [...(kinds.get(kind) ?? []), nameOf(column)])
  }
  if (kinds.size < 2) return []
  const described = [...kinds].map(([kind, names]) => `${kind} in ${names.join(', ')}`).join('; ')
  // PostgreSQL refuses the comparison, and SQLite finds no match.
  return dialect === 'mysql'
    ? [finding(`Ids of different types are compared without an index. These are ${described}.`, 'warning')]
    : [finding(`Ids that are compared must have the same type. These are ${described}.`)]
}

const baseOf = ({ table, column }: BaseColumn) => `${table}.${column}`

/** For example, `users.email (members.mail)` for a renamed column. */
function nameOf(known: KnownColumn): string {
  const name = `${known.tableName}.${known.name}`
  return name === baseOf(known) ? name : `${name} (${baseOf(known)})`
}

type ByDatabase = Record<Dialect['name'], string>
const unpadded = { mysql: 'make it a number without ZEROFILL', postgres: 'make it varchar' }
const fromEpoch: ByDatabase = {
  mysql: 'from_unixtime(…)',
  postgres: 'to_timestamp(…)',
  sqlite: "datetime(…, 'unixepoch')"
}
const fromBytes: ByDatabase = { mysql: 'lower(hex(…))', postgres: "encode(…, 'hex')", sqlite: 'lower(hex(…))' }

const kinds: [RegExp, string][] = [
  [/^(float|double|real)\b/, 'floating-point numbers'],
  [/^((big|small|medium|tiny)?int(eger)?|decimal|numeric)\b/, 'numbers'],
  // VARBINARY can hold plain text.
  [/blob|^(binary|bytea)/, 'bytes'],
  [/char|text|varbinary|enum/, 'text'],
  [/^(money|uuid)/, '']
]

/** @returns undefined for an unknown type */
function kindOf(type = ''): string | undefined {
  const found = kinds.find(([form]) => form.test(type))
  return found && (found[1] || type)
}

/** Checks the columns of each table and their types. */
import { type Expression, sql } from 'kysely'
import { type BaseColumn, selectedNames } from '../database/base-columns.js'
import type { Dialect } from '../database/dialect.js'
import { columnsOf, type TableName } from '../database/tables.js'
import { Failure } from '../errors/failure.js'
import { hintFor } from '../errors/suggestion.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import type { KnownColumn } from './known-columns.js'

const misfit = (text: string): DatabaseFinding => finding('error', 'tables', text)

/** Runs `select … from table where 1 = 0` on each table. */
export async function checkColumns(
  database: CheckedDatabase,
  known: readonly KnownColumn[]
): Promise<DatabaseFinding[]> {
  const { names, tables, ask } = database
  const findings: DatabaseFinding[] = []
  for (const name of names) {
    const columns = columnsOf[name].map((column) => sql.ref(`x.${column}`))
    try {
      await ask(sql`select ${sql.join(columns)} from ${tables.of(name)} as x where 1 = 0`)
    } catch (error) {
      const found = [...unselected(database, name), ...missing(name, known)]
      if (found.length > 0) findings.push(...found)
      else findings.push(misfit(`${name} needs the columns ${columnsOf[name].join(', ')}; ${driverSays(error)}`))
    }
  }
  return findings
}

function unselected({ tables }: CheckedDatabase, name: TableName): DatabaseFinding[] {
  const needed: readonly string[] = columnsOf[name]
  const selected = selectedNames(tables.of(name) as Expression<unknown>) ?? needed
  const others = selected.filter((column) => !needed.includes(column))
  const lacking = needed
    .filter((column) => !selected.includes(column))
    .map((column) => `${column}${hintFor(column, others)}`)
  return lacking.length > 0 ? [misfit(`The select of ${name} lacks ${lacking.join(', ')}.`)] : []
}

function missing(name: TableName, known: readonly KnownColumn[]): DatabaseFinding[] {
  const lacking = known
    .filter(({ tableName, type }) => tableName === name && type === undefined)
    .map((column) => {
      const purpose = column.name === column.column ? '' : ` (for ${column.name})`
      return `${pathOf(column)}${purpose}${hintFor(column.column, [...column.catalog.types.keys()])}`
    })
  return lacking.length > 0 ? [misfit(`${name} lacks ${lacking.join(', ')}.`)] : []
}

/** The message can be shown, because the statements of the check read no row. */
export function driverSays(error: unknown): string {
  if (error instanceof Failure) throw error
  return `the database says: ${error instanceof Error ? error.message : String(error)}`
}

export function checkTypes({ dialect, names }: CheckedDatabase, known: readonly KnownColumn[]): DatabaseFinding[] {
  const found = known.flatMap((column) => wrongType(column, dialect.name) ?? [])
  const isUsers = ({ references }: KnownColumn) => references === 'users'
  const isPractitioners = ({ references }: KnownColumn) => references === 'practitioners'
  const groups = names.includes('practitioners')
    ? [known.filter(isUsers), known.filter(isPractitioners)]
    : [known.filter((column) => isUsers(column) || isPractitioners(column))]
  return [...found, ...groups.flatMap((columns) => differentTypes(columns, dialect.name))]
}

function wrongType(column: KnownColumn, dialect: Dialect['name']): DatabaseFinding | undefined {
  const { kind, type } = column
  const family = familyOf(type)
  const isNumber = family === 'numbers' || family === 'floating-point numbers'
  if (kind === 'time' && isNumber) {
    return misfit(`${labelOf(column)} holds ${family}: make a date and time of them (${fromEpoch[dialect]}).`)
  }
  if (kind === 'decimal' && family === 'money')
    return misfit(`${labelOf(column)} is of the type money: make it numeric.`)
  if (kind === 'decimal' && dialect === 'mysql' && type === 'float') {
    return misfit(`${labelOf(column)} is a FLOAT, which MySQL and MariaDB round to six digits: make it a DECIMAL.`)
  }
  if (kind !== 'id') return undefined
  // `00042` and `abc  ` differ from the host's ids.
  if (dialect !== 'sqlite' && / zerofill$|^character$/.test(String(type))) {
    return misfit(`${labelOf(column)} pads its values to a fixed length: ${unpadded[dialect]}.`)
  }
  if (family === 'bytes') {
    return misfit(`${labelOf(column)} holds bytes: make text of them (${fromBytes[dialect]}).`)
  }
  if (family === 'floating-point numbers') {
    // A DOUBLE is exact up to 2^53, but SQLite returns `1.0`.
    const level = dialect === 'sqlite' || /^(float|real)/.test(String(type)) ? 'error' : 'warning'
    return finding(level, 'tables', `${labelOf(column)} holds ${family}, which lose digits: make it an integer.`)
  }
}

function differentTypes(columns: readonly KnownColumn[], dialect: Dialect['name']): DatabaseFinding[] {
  const families = new Map<string, string[]>()
  for (const column of columns) {
    const family = familyOf(column.type)
    // The type names `money` and `uuid` mean nothing in SQLite.
    if (family === column.type && dialect === 'sqlite') continue
    if (family) families.set(family, [...(families.get(family) ?? []), labelOf(column)])
  }
  if (families.size < 2) return []
  const described = [...families].map(([family, names]) => `${family} in ${names.join(', ')}`).join('; ')
  // PostgreSQL refuses the comparison, and SQLite finds no match.
  return dialect === 'mysql'
    ? [finding('warning', 'tables', `Ids of different types are compared without an index. These are ${described}.`)]
    : [misfit(`Ids that are compared must have the same type. These are ${described}.`)]
}

const pathOf = ({ table, column }: BaseColumn) => `${table}.${column}`

/** For example, `users.email (members.mail)` for a renamed column. */
function labelOf(known: KnownColumn): string {
  const name = `${known.tableName}.${known.name}`
  return name === pathOf(known) ? name : `${name} (${pathOf(known)})`
}

type ByDatabase = Record<Dialect['name'], string>
const unpadded = { mysql: 'make it a number without ZEROFILL', postgres: 'make it varchar' }
const fromEpoch: ByDatabase = {
  mysql: 'from_unixtime(…)',
  postgres: 'to_timestamp(…)',
  sqlite: "datetime(…, 'unixepoch')"
}
const fromBytes: ByDatabase = { mysql: 'lower(hex(…))', postgres: "encode(…, 'hex')", sqlite: 'lower(hex(…))' }

const families: [RegExp, string][] = [
  [/^(float|double|real)\b/, 'floating-point numbers'],
  [/^((big|small|medium|tiny)?int(eger)?|decimal|numeric)\b/, 'numbers'],
  // VARBINARY can hold plain text.
  [/blob|^(binary|bytea)/, 'bytes'],
  [/char|text|varbinary|enum/, 'text'],
  [/^(money|uuid)/, '']
]

/** @returns undefined for an unknown type */
function familyOf(type = ''): string | undefined {
  const found = families.find(([form]) => form.test(type))
  return found && (found[1] || type)
}

/** Do the relations have their columns, and of kinds that can be used? */
import { sql } from 'kysely'
import type { Dialect } from '../dialect.js'
import { Failure } from '../errors.js'
import { columnsOf } from '../relations.js'
import type { BaseColumn } from './base-columns.js'
import type { Finding } from './finding.js'
import type { KnownColumn, Subject } from './subject.js'

const finding = (text: string, level: Finding['level'] = 'error'): Finding => ({ level, remedy: 'relations', text })

/** Asks each relation for its columns, but for no row. */
export async function checkColumns({ source, names, ask }: Subject, known: readonly KnownColumn[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const name of names) {
    const columns = columnsOf[name].map((column) => sql.ref(`x.${column}`))
    try {
      await ask(sql`select ${sql.join(columns)} from ${source.relation(name)} as x where 1 = 0`)
    } catch (error) {
      const missing = known.filter(({ relation, type }) => relation === name && type === undefined)
      const text =
        missing.length > 0
          ? `lacks ${missing.map((column) => baseOf(column) + (column.name === column.column ? '' : ` (for ${column.name})`)).join(', ')}.`
          : `needs the columns ${columnsOf[name].join(', ')}; ${driverSays(error)}`
      findings.push(finding(`${name} ${text}`))
    }
  }
  return findings
}

/**
 * What the database says, for the operator alone: no row takes part in these statements, and so no value.
 *
 * @throws Failure when it did not answer at all.
 */
export function driverSays(error: unknown): string {
  if (error instanceof Failure) throw error
  return `the database says: ${error instanceof Error ? error.message : String(error)}`
}

/** The kinds of the columns that the catalog knows. */
export function checkKinds({ source, names }: Subject, known: readonly KnownColumn[]): Finding[] {
  const found = known.flatMap((column) => wrongKind(column, source.dialect.name) ?? [])
  const isUsers = ({ name }: KnownColumn) => name === 'user_id'
  const isPractitioners = ({ name }: KnownColumn) => name === 'practitioner_id'
  const groups = names.includes('practitioners')
    ? [known.filter(isUsers), known.filter(isPractitioners)]
    : [known.filter((column) => isUsers(column) || isPractitioners(column))]
  return [...found, ...groups.flatMap((columns) => differentKinds(columns, source.dialect.name))]
}

type DialectName = Subject['source']['dialect']['name']

function wrongKind(column: KnownColumn, dialect: DialectName): Finding | undefined {
  const { name, type } = column
  const kind = kindOf(type)
  const isNumber = kind === 'numbers' || kind === 'floating-point numbers'
  if (/^(created_at|paid_at|date_)/.test(name) && isNumber) {
    return finding(`${nameOf(column)} holds ${kind}: make a date and time of them (${fromEpoch[dialect]}).`)
  }
  if (name === 'amount' && kind === 'money') return finding(`${nameOf(column)} is of the type money: make it numeric.`)
  if (name === 'amount' && dialect === 'mysql' && type === 'float') {
    return finding(`${nameOf(column)} is a FLOAT, of which MySQL and MariaDB tell only six digits: make it a DECIMAL.`)
  }
  if (!name.endsWith('_id')) return undefined
  // `00042` and `abc  ` are not what the host takes for the caller's id
  if (/ zerofill$|^character$/.test(String(type))) {
    return finding(`${nameOf(column)} fills its values up to a length: ${unpadded[dialect]}.`)
  }
  if (kind === 'bytes') {
    return finding(`${nameOf(column)} holds bytes: make text of them (${fromBytes[dialect]}).`)
  }
  if (kind === 'floating-point numbers') {
    // a DOUBLE is exact for a while, but SQLite writes `1.0`
    const level = dialect === 'sqlite' || /^(float|real)/.test(String(type)) ? 'error' : 'warning'
    return finding(`${nameOf(column)} holds ${kind}, which lose digits: make it a whole number.`, level)
  }
}

/** Ids that are compared must be of one kind. */
function differentKinds(columns: readonly KnownColumn[], dialect: DialectName): Finding[] {
  const kinds = new Map<string, string[]>()
  for (const column of columns) {
    const kind = kindOf(column.type)
    // SQLite keeps what it is given under any other name of a type
    if (kind === column.type && dialect === 'sqlite') continue
    if (kind) kinds.set(kind, [...(kinds.get(kind) ?? []), nameOf(column)])
  }
  if (kinds.size < 2) return []
  const described = [...kinds].map(([kind, names]) => `${kind} in ${names.join(', ')}`).join('; ')
  // PostgreSQL refuses to compare them, SQLite does not find them
  return dialect === 'mysql'
    ? [finding(`Ids of different types are compared without an index. These are ${described}.`, 'warning')]
    : [finding(`Ids that are compared must have one type. These are ${described}.`)]
}

const baseOf = ({ table, column }: BaseColumn) => `${table}.${column}`

/** `assessments.user_id`, and whose column that is where it is called otherwise. */
function nameOf(known: KnownColumn): string {
  const name = `${known.relation}.${known.name}`
  return name === baseOf(known) ? name : `${name} (${baseOf(known)})`
}

type ByDatabase = Record<Dialect['name'], string>
const unpadded: ByDatabase = { mysql: 'make it a number without ZEROFILL', postgres: 'make it varchar', sqlite: '' }
const fromEpoch: ByDatabase = {
  mysql: 'from_unixtime(…)',
  postgres: 'to_timestamp(…)',
  sqlite: "datetime(…, 'unixepoch')"
}
const fromBytes: ByDatabase = { mysql: 'lower(hex(…))', postgres: "encode(…, 'hex')", sqlite: 'lower(hex(…))' }

const kinds: [RegExp, string][] = [
  [/^(float|double|real)\b/, 'floating-point numbers'],
  [/^((big|small|medium|tiny)?int(eger)?|decimal|numeric)\b/, 'numbers'],
  // VARBINARY is also used for plain text
  [/blob|^(binary|bytea)/, 'bytes'],
  [/char|text|varbinary|enum/, 'text'],
  [/^(money|uuid)/, '']
]

/** What a column of a type holds; undefined where that is not known, as in SQLite, whose types are but names. */
function kindOf(type = ''): string | undefined {
  const found = kinds.find(([form]) => form.test(type))
  return found && (found[1] || type)
}

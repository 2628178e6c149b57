/** Checks the columns of each table and their types. */
import { type Expression, sql } from 'kysely'
import type { Dialect } from '../database/dialect.js'
import { hintFor } from '../errors/describe.js'
import { Failure } from '../errors/failure.js'
import type { Kind } from '../lists/list.js'
import { type BaseColumn, selectedNames } from './base-columns.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { comparedIds, type KnownColumn, type KnownColumns } from './known-columns.js'

/** Runs `select … from table where 1 = 0` on each table. */
export async function checkColumns(database: CheckedDatabase, known: KnownColumns): Promise<DatabaseFinding[]> {
  const { names, tables, ask } = database
  const findings: DatabaseFinding[] = []
  for (const name of names) {
    const needed = Object.keys(database.columns(name))
    const columns = sql.join(needed.map((column) => sql.ref(`x.${column}`)))
    try {
      await ask(`the columns of ${name}`, sql`select ${columns} from ${tables.of(name).select} as x where 1 = 0`)
    } catch (error) {
      const lacking = [...unselected(database, name, needed), ...missing(name, known)]
      const text = `${name} needs the columns ${needed.join(', ')}, and cannot be read; ${driverSays(error)}`
      findings.push(finding('error', 'tables', lacking.length > 0 ? `${name} lacks ${lacking.join(', ')}.` : text))
    }
  }
  return findings
}

function unselected({ tables }: CheckedDatabase, name: string, needed: readonly string[]): string[] {
  const selected = selectedNames(tables.of(name).select as Expression<unknown>) ?? needed
  return needed
    .filter((column) => !selected.includes(column))
    .map((column) => `${column} in its select${hintFor(column, selected)}`)
}

const missing = (tableName: string, known: KnownColumns): string[] =>
  known
    .filter((column) => column.tableName === tableName && column.type === undefined)
    .map((column) => {
      const purpose = column.name === column.column ? '' : ` (for ${column.name})`
      return `${pathOf(column)}${purpose}${hintFor(column.column, [...column.catalog.types.keys()])}`
    })

/**
 * The message can be shown, because the statements of the check read no row. The first line, because some drivers add the
 * statement.
 */
export function driverSays(error: unknown): string {
  if (error instanceof Failure) throw error
  return `the database says: ${(error instanceof Error ? error.message : String(error)).split('\n', 1)}`
}

const number = /^((big|small|medium|tiny)?int(eger)?|decimal|numeric|float|double|real)\b/
// VARBINARY can hold plain text.
const bytes = /blob|^(binary|bytea)/

const sixDigits = 'has six digits, and a range may miss the record that shows the value of its end'

/** The types that do not fit a kind, with what to use. Padded ids, such as `00042`, differ from the host's ids. */
const wrongTypes: Partial<Record<Dialect['name'], [kind: Kind, type: RegExp, remedy: string][]>> = {
  mysql: [
    ['decimal', /^float$/, `DECIMAL, because FLOAT ${sixDigits}`],
    ['id', / zerofill$/, 'a number without ZEROFILL'],
    ['id', bytes, 'lower(hex(…))'],
    ['time', number, 'from_unixtime(…), or for milliseconds from_unixtime(… / 1000)']
  ],
  postgres: [
    ['decimal', /^money/, 'numeric'],
    ['decimal', /^real/, `numeric, because real ${sixDigits}`],
    ['id', bytes, "encode(…, 'hex')"],
    ['time', number, 'to_timestamp(…), or for milliseconds to_timestamp(… / 1000.0)']
  ]
}

/** The declared types of SQLite prove nothing, because a column can hold values of any type. */
export function checkTypes(database: CheckedDatabase, known: KnownColumns): DatabaseFinding[] {
  const { dialect } = database
  const rules = wrongTypes[dialect.name]
  if (!rules) return []
  const wrong = known.flatMap((column) => {
    const { kind, type = '' } = column
    const found = rules.find(([wrongKind, form]) => wrongKind === kind && form.test(type))
    // Small amounts fit into a FLOAT.
    const level = type === 'float' || type === 'real' ? 'warning' : 'error'
    return found ? [finding(level, 'tables', `${labelOf(column)} is of the type ${type}: use ${found[2]}.`)] : []
  })
  const compared = comparedIds(database).map((ids) =>
    known.filter(({ tableName, name }) => ids.includes(`${tableName}.${name}`))
  )
  return [...wrong, ...compared.flatMap((columns) => differentTypes(columns, dialect.name))]
}

const families: [name: string, type: RegExp][] = [
  ['numbers', number],
  ['text', /char|text|varbinary|enum/],
  ['uuid', /^uuid/]
]

/** A join of such columns uses no index, and PostgreSQL refuses the comparison. */
function differentTypes(columns: KnownColumns, dialect: Dialect['name']): DatabaseFinding[] {
  const labels = new Map<string, string[]>()
  for (const column of columns) {
    const { type = '' } = column
    const family = families.find(([, form]) => form.test(type))?.[0]
    if (!family) continue
    // `varchar utf8mb4_general_ci`
    const name = dialect === 'mysql' && family === 'text' ? type.replace(/^\w+/, family) : family
    labels.set(name, [...(labels.get(name) ?? []), labelOf(column)])
  }
  if (labels.size < 2) return []
  const described = Array.from(labels, ([name, each]) => `${name} in ${each.join(', ')}`).join('; ')
  return dialect === 'mysql'
    ? [finding('warning', 'tables', `Ids of different types or collations use no index. These are ${described}.`)]
    : [finding('error', 'tables', `Ids that are compared must have the same type. These are ${described}.`)]
}

const pathOf = ({ table, column }: BaseColumn) => `${table}.${column}`

/** For example, `users.email (members.mail)` for a renamed column. */
function labelOf(known: KnownColumn): string {
  const name = `${known.tableName}.${known.name}`
  return name === pathOf(known) ? name : `${name} (${pathOf(known)})`
}

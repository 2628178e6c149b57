/** Checks the columns of each table and their types. */
import { sql } from 'kysely'
import type { CheckSql } from '../database/dialect.js'
import { numberTypes } from '../database/dialects/common.js'
import type { BaseColumn } from '../database/fixed-table.js'
import { hintFor } from '../errors/describe.js'
import { Failure } from '../errors/failure.js'
import type { CheckedDatabase } from './database.js'
import { type DatabaseFinding, finding } from './finding.js'
import { comparedIds, type KnownColumn, type KnownColumns } from './known-columns.js'

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
  const selected = tables.of(name).names ?? needed
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

/** Safe to show, because these statements read no row. The first line, because some drivers add the statement. */
export function driverSays(error: unknown): string {
  if (error instanceof Failure) throw error
  return `the database says: ${(error instanceof Error ? error.message : String(error)).split('\n', 1)}`
}

export function checkTypes(database: CheckedDatabase, known: KnownColumns): DatabaseFinding[] {
  const { types } = database.dialect.check
  if (!types) return []
  const wrong = known.flatMap((column) => {
    const { stored, type = '' } = column
    const walks = walksBy(database.lists, column)
    const found = types.wrong.find(
      ([exact, form]) => (exact === stored.as || (walks && exact === 'after')) && form.test(type)
    )
    // Small amounts fit into a FLOAT, and a list with numbered pages may need no `each` in this order.
    const isFloat = type === 'float' || type === 'real'
    const level = (found?.[0] === 'after' ? walks === 'each' : isFloat) ? 'warning' : 'error'
    return found ? [finding(level, 'tables', `${nameOf(column)} is of the type ${type}: use ${found[2]}.`)] : []
  })
  const compared = comparedIds(database).map((ids) =>
    known.filter(({ tableName, name }) => ids.includes(`${tableName}.${name}`))
  )
  return [...wrong, ...compared.flatMap((columns) => differentTypes(columns, types.different))]
}

/** Whether pages, or `each` alone, go on after a key in the order of the column. */
function walksBy(lists: CheckedDatabase['lists'], { tableName, name }: KnownColumn): 'pages' | 'each' | undefined {
  const sorted = lists.filter(
    (list) => list.name === tableName && Object.values(list.orders).some(({ column }) => column === name)
  )
  return sorted.some(({ paging }) => paging === 'after') ? 'pages' : sorted.length > 0 ? 'each' : undefined
}

const families: [name: string, type: RegExp][] = [
  ['numbers', numberTypes],
  ['text', /char|text|varbinary|enum/],
  ['uuid', /^uuid/]
]

/** A join of such columns uses no index, and PostgreSQL refuses the comparison. */
function differentTypes(columns: KnownColumns, { level, text, labelOf }: Types['different']): DatabaseFinding[] {
  const paths = new Map<string, string[]>()
  for (const column of columns) {
    const { type = '' } = column
    const family = families.find(([, form]) => form.test(type))?.[0]
    if (!family) continue
    const label = labelOf(family, type)
    paths.set(label, [...(paths.get(label) ?? []), nameOf(column)])
  }
  if (paths.size < 2) return []
  const described = Array.from(paths, ([label, each]) => `${label} in ${each.join(', ')}`).join('; ')
  return [finding(level, 'tables', `${text} These are ${described}.`)]
}

type Types = NonNullable<CheckSql['types']>

const pathOf = ({ table, column }: BaseColumn) => `${table}.${column}`

/** For example, `users.email (members.mail)` for a renamed column. */
function nameOf(known: KnownColumn): string {
  const name = `${known.tableName}.${known.name}`
  return name === pathOf(known) ? name : `${name} (${pathOf(known)})`
}

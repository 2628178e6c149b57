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
  const { names, tables, columns, ask } = database
  const findings: DatabaseFinding[] = []
  for (const name of names) {
    const needed = Object.keys(columns(name))
    const { select, names: selected = needed } = tables.of(name)
    const cells = sql.join(needed.map((column) => sql.ref(`x.${column}`)))
    try {
      await ask(`the columns of ${name}`, sql`select ${cells} from ${select} as x where 1 = 0`)
    } catch (error) {
      const unselected = needed.filter((column) => !selected.includes(column))
      const missing = known.filter((column) => column.tableName === name && column.type === undefined)
      const lacking = [
        ...unselected.map((column) => `${column} in its select${hintFor(column, selected)}`),
        ...missing.map(missingColumn)
      ]
      const text = `${name} needs the columns ${needed.join(', ')}, and cannot be read; ${driverSays(error)}`
      findings.push(finding('error', 'tables', lacking.length > 0 ? `${name} lacks ${lacking.join(', ')}.` : text))
    }
  }
  return findings
}

function missingColumn(known: KnownColumn): string {
  const purpose = known.name === known.column ? '' : ` (for ${known.name})`
  return `${pathOf(known)}${purpose}${hintFor(known.column, [...known.catalog.types.keys()])}`
}

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
    const { orders = {}, paging } = database.lists.find(({ name }) => name === column.tableName) ?? {}
    const isSorted = Object.values(orders).some((order) => order.column === column.name)
    const found = types.wrong.find(
      ([exact, form]) => (exact === stored.as || (isSorted && exact === 'after')) && form.test(type)
    )
    if (!found) return []
    const [exact, , remedy] = found
    // Small amounts fit into a FLOAT, and a list with numbered pages may need no `each` in this order.
    const isMinor = exact === 'after' ? paging !== 'after' : type === 'float' || type === 'real'
    const text = `${nameOf(column)} is of the type ${type}: use ${remedy}.`
    return [finding(isMinor ? 'warning' : 'error', 'tables', text)]
  })
  const compared = comparedIds(database).map((ids) =>
    known.filter(({ tableName, name }) => ids.includes(`${tableName}.${name}`))
  )
  return [...wrong, ...compared.flatMap((columns) => differentTypes(columns, types.different))]
}

const families: [name: string, type: RegExp][] = [
  ['numbers', numberTypes],
  ['text', /char|text|varbinary|enum/],
  ['uuid', /^uuid/]
]

type Different = NonNullable<CheckSql['types']>['different']

/** A join of such columns uses no index, and PostgreSQL refuses the comparison. */
function differentTypes(columns: KnownColumns, { level, text, labelOf }: Different): DatabaseFinding[] {
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

const pathOf = ({ table, column }: BaseColumn) => `${table}.${column}`

/** For example, `users.email (members.mail)` for a renamed column. */
function nameOf(known: KnownColumn): string {
  const name = `${known.tableName}.${known.name}`
  return name === pathOf(known) ? name : `${name} (${pathOf(known)})`
}

/** Puts the rows of a page together to items. */
import { Failure } from './errors.js'
import { type Field, recordCreation, sample, type Text, type UnreadableValue, wallTime } from './fields.js'
import type { Reading, Row } from './plan.js'
import { columnsOf } from './relations.js'
import { readerOf } from './send.js'

/** Puts the rows of a page, one or more for each record, together to items, in the rows' order. */
export function itemsOf(
  { records, joins, fields }: Pick<Reading, 'records' | 'joins' | 'fields'>,
  rows: Row[]
): unknown[] {
  if (!rows[0]) return []
  const textOf = readerOf(rows[0][sample])
  if (!textOf) throw new GarbledRows()
  const idName = columnsOf[records][0]
  const rowsOf = new Map<Text, [Row, ...Row[]]>()
  for (const row of rows) {
    const id = textOf(row[idName])
    const others = rowsOf.get(id)
    if (others) others.push(row)
    else rowsOf.set(id, [row])
  }
  const named = Object.entries(fields)
  return Array.from(rowsOf, ([id, rows]) => {
    const read = (alias: string, field: Field) => {
      try {
        return field.read(textOf(rows[0][alias]), () => rows.map((row) => textOf(row[alias])))
      } catch (error) {
        // the only kind of error that a field throws
        const { message } = error as UnreadableValue
        const [relation = '', column] = field.column.split('.')
        const name = `${joins[relation] ?? records}.${column}`
        throw new Failure('internal', `Column ${name} of ${idName} ${id} ${message}.`)
      }
    }
    // The order goes by it, so it must be readable even where the item does not show it.
    read(recordCreation, creation)
    const item: Record<string, unknown> = {}
    for (const [name, field] of named) item[name] = read(name, field)
    return item
  })
}

/** One column of rows that have the sample beside it, without the nulls. */
export function textsOf(rows: Row[], column: string): string[] {
  if (!rows[0]) return []
  const textOf = readerOf(rows[0][sample])
  if (!textOf) throw new GarbledRows()
  return rows.map((row) => textOf(row[column])).filter((text) => text !== null)
}

const creation = wallTime('r.created_at', {})

/** What the driver gave is not what the database holds. */
export class GarbledRows extends Failure {
  constructor() {
    super(
      'internal',
      "The pool's settings change what the database holds: use charset 'utf8mb4', no rowsAsArray and no nestTables, and let typeCast leave text alone."
    )
  }
}

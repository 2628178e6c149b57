/** Runs a list's plan: the page, and the total where the page does not prove it. */
import type { RawBuilder } from 'kysely'
import type { Dialect } from './dialect.js'
import { Failure, failureOf, isCharsetError } from './errors.js'
import { type Field, type Text, type UnreadableValue, wallTime } from './fields.js'
import type { Settings } from './options.js'
import { type Page, provenTotal } from './page.js'
import { planOf, type Reading, type Row, recordCreation, recordId } from './plan.js'
import type { Parameters } from './query.js'
import { columnsOf } from './relations.js'
import type { Source } from './source.js'
import { sharedCounts } from './total.js'
import type { Caller, Reach } from './visibility.js'

/** What a request asks of a list. */
export interface Asked {
  caller: Caller
  reach: Reach
  /** With `page` and `limit`, as the query reader gives them. */
  parameters: Parameters
  /** Whether the deadline has answered meanwhile; then no further statement is sent. */
  isAnswered(): boolean
}

/** What it gets. */
export interface Found extends Page {
  items: unknown[]
  total: number
}

/** Finds what is asked in a database. Rejects only with a `Failure`. */
export type Find = (asked: Asked, source: Source) => Promise<Found>

export function finder(list: Reading, { timeout, shareTotals }: Settings): Find {
  const shared = shareTotals ? sharedCounts() : undefined

  return async function find(asked, source) {
    const { anyCharset } = source.dialect
    try {
      return await findIn(source.dialect).catch((error: unknown) => {
        if (anyCharset && isCharsetError(error)) return findIn(anyCharset)
        throw error
      })
    } catch (error) {
      throw failureOf(error)
    }

    async function findIn(dialect: Dialect): Promise<Found> {
      const { page: number, limit, ...parameters } = asked.parameters
      const page = { page: Number(number), limit: Number(limit) }
      const plan = planOf(list, { ...asked, parameters, page }, source, dialect)
      const items = itemsOf(list, await run(plan.page))
      return { ...page, items, total: provenTotal(page, items.length) ?? (await totalOf(plan.total)) }

      async function run(query: RawBuilder<Row>): Promise<Row[]> {
        if (asked.isAnswered()) throw new Failure('timeout', 'The deadline passed.')
        const compiled = query.compile(source.db)
        const { rows } = await source.db.executeQuery<Row>({ ...compiled, sql: dialect.within(compiled.sql, timeout) })
        return rows
      }

      async function totalOf(query: RawBuilder<Row>): Promise<number> {
        const count = async () => {
          const [row] = await run(query)
          const text = textOf(row?.total)
          if (text === null) throw new Failure('internal', 'The driver gives rows in a form that has no column names.')
          return Number(text)
        }
        return shared ? shared(source.shareable, query.compile(source.db), count) : count()
      }
    }
  }
}

/** A cell as text. Drivers give text, a Buffer or a number, as the host has set them. */
const textOf = (cell: unknown): Text =>
  cell === null || cell === undefined ? null : Buffer.isBuffer(cell) ? cell.toString('utf8') : String(cell)

/** Puts the rows of a page, one or more for each record, together to items, in the rows' order. */
function itemsOf({ records, joins, fields }: Pick<Reading, 'records' | 'joins' | 'fields'>, rows: Row[]): unknown[] {
  const rowsOf = new Map<Text, [Row, ...Row[]]>()
  for (const row of rows) {
    const id = textOf(row[recordId])
    const others = rowsOf.get(id)
    if (others) others.push(row)
    else rowsOf.set(id, [row])
  }
  return [...rowsOf].map(([id, rows]) => {
    const read = (alias: string, field: Field) => {
      const cells = rows.map((row) => textOf(row[alias]))
      try {
        return field.read(textOf(rows[0][alias]), cells)
      } catch (error) {
        // the only kind of error that a field throws
        const { message } = error as UnreadableValue
        const [relation = '', column] = field.column.split('.')
        const name = `${joins[relation] ?? records}.${column}`
        throw new Failure('internal', `Column ${name} of ${columnsOf[records][0]} ${id} ${message}.`)
      }
    }
    // The order goes by it, so it must be readable even where the item does not show it.
    read(recordCreation, creation)
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, read(name, field)]))
  })
}

const creation = wallTime('r.created_at', {})

/** Runs a list's plan: the page, and the total where the page does not prove it. */
import type { RawBuilder } from 'kysely'
import { type Dialect, sampleText } from './dialect.js'
import { Failure, failureOf, isTextError } from './errors.js'
import { type Field, type Text, type UnreadableValue, wallTime } from './fields.js'
import { caseCounting } from './letter-case.js'
import type { Settings } from './options.js'
import { type Page, provenTotal } from './page.js'
import { planOf, type Question, type Reading, type Row, recordCreation, recordId, sample } from './plan.js'
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
  /** Milliseconds until the deadline; none when it has passed. */
  timeLeft(): number
}

/** What it gets. */
export interface Found extends Page {
  items: unknown[]
  total: number
}

/** Finds what is asked in a database. Rejects only with a `Failure`. */
export type Find = (asked: Asked, source: Source) => Promise<Found>

export function finder(list: Reading, { shareTotals }: Settings): Find {
  const shared = shareTotals ? sharedCounts() : undefined
  const caseCountingColumns = caseCounting(list)

  return async function find({ caller, reach, parameters, timeLeft }, source) {
    const { page: number, limit, ...others } = parameters
    const page = { page: Number(number), limit: Number(limit) }
    try {
      const countingCase = others.search === undefined ? new Set<string>() : await caseCountingColumns(source, run)
      return await findIn(source.dialect, { caller, reach, parameters: others, page, countingCase })
    } catch (error) {
      throw failureOf(error)
    }

    async function findIn(dialect: Dialect, question: Question): Promise<Found> {
      const plan = planOf(list, question, source, dialect)
      try {
        const items = itemsOf(list, await run(plan.page))
        return { ...page, items, total: provenTotal(page, items.length) ?? (await totalOf(plan.total)) }
      } catch (error) {
        const slower = slowerDialect(dialect, error)
        if (slower) return findIn(slower, question)
        throw error
      }
    }

    /** Sends a query as soon as there is a connection, if there is still time then. */
    async function run(query: RawBuilder<Row>): Promise<Row[]> {
      const { db, dialect } = source
      const compiled = query.compile(db)
      const send = async (connection: typeof db) => {
        const milliseconds = Math.ceil(timeLeft())
        if (milliseconds <= 0) throw new Failure('timeout', 'The deadline passed.')
        await dialect.limit?.(milliseconds).execute(connection)
        const statement = { ...compiled, sql: dialect.within(compiled.sql, milliseconds) }
        return (await connection.executeQuery<Row>(statement)).rows
      }
      return dialect.limit ? db.transaction().execute(send) : db.connection().execute(send)
    }

    async function totalOf(query: RawBuilder<Row>): Promise<number> {
      const count = async () => {
        const [row] = await run(query)
        const text = textOf(row?.total)
        if (text === null) throw new GarbledRows()
        return Number(text)
      }
      return shared ? shared(source.shareable, query.compile(source.db), count) : count()
    }
  }
}

/** What the driver gave is not what the database holds. */
class GarbledRows extends Failure {
  constructor() {
    super(
      'internal',
      "The pool's settings change what the database holds: use charset 'utf8mb4', no rowsAsArray and no nestTables, and let typeCast leave text alone."
    )
  }
}

/** The dialect that can do what this one failed to do. */
function slowerDialect(dialect: Dialect, error: unknown): Dialect | undefined {
  if (isTextError(error)) {
    const { anyText, letterCase: _none, ...others } = dialect
    return anyText && { ...others, ...anyText }
  }
  // the connection's character set does not take part when bytes are sent
  return error instanceof GarbledRows && dialect.text !== dialect.bytes
    ? { ...dialect, text: dialect.bytes }
    : undefined
}

/** A cell as text. Drivers give text, a Buffer or a number, as the host has set them. */
const textOf = (cell: unknown): Text =>
  cell === null || cell === undefined ? null : Buffer.isBuffer(cell) ? cell.toString('utf8') : String(cell)

/** Bytes of which the host's typeCast has made a text with `field.string()`: one character each. */
const textOfBytes = (cell: unknown): Text => textOf(typeof cell === 'string' ? Buffer.from(cell, 'latin1') : cell)

/** How the cells of a row become text, which the sample proves. */
function readerOf(row: Row): typeof textOf {
  const reader = [textOf, textOfBytes].find((read) => read(row[sample]) === sampleText)
  if (!reader) throw new GarbledRows()
  return reader
}

/** Puts the rows of a page, one or more for each record, together to items, in the rows' order. */
function itemsOf({ records, joins, fields }: Pick<Reading, 'records' | 'joins' | 'fields'>, rows: Row[]): unknown[] {
  if (!rows[0]) return []
  const textOf = readerOf(rows[0])
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

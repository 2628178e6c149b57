/** Sends a query to a host's database, and reads what comes back: the one door to it. */
import type { CompiledQuery } from 'kysely'
import { sampleText } from './dialect.js'
import { Failure } from './errors.js'
import type { Text } from './fields.js'
import type { Row } from './plan.js'
import type { Source } from './source.js'

/**
 * Sends the query as soon as there is a connection, if there is still time then. The server stops working
 * on it when the time is over, where it can.
 *
 * @param timeLeft milliseconds until the deadline; none when it has passed
 */
export async function send(
  { db, dialect }: Source,
  compiled: CompiledQuery<Row>,
  timeLeft: () => number
): Promise<Row[]> {
  const run = async (connection: typeof db) => {
    const milliseconds = Math.ceil(timeLeft())
    if (milliseconds <= 0) throw new Failure('timeout', 'The deadline passed.')
    await dialect.limit?.(milliseconds).execute(connection)
    const statement = { ...compiled, sql: dialect.within(compiled.sql, milliseconds) }
    return (await connection.executeQuery<Row>(statement)).rows
  }
  return dialect.limit ? db.transaction().execute(run) : db.connection().execute(run)
}

/** Reads a cell as text. */
export type CellReader = (cell: unknown) => Text

/** A cell as text. Drivers give text, a Buffer or a number, as the host has set them. */
export const textOf: CellReader = (cell) =>
  cell === null || cell === undefined ? null : Buffer.isBuffer(cell) ? cell.toString('utf8') : String(cell)

/** Bytes of which the host's typeCast has made a text with `field.string()`: one character each. */
const textOfBytes: CellReader = (cell) => textOf(typeof cell === 'string' ? Buffer.from(cell, 'latin1') : cell)

/** How the cells become text beside one that must read `sampleText`; undefined where the driver has changed it. */
export const readerOf = (sample: unknown): CellReader | undefined =>
  [textOf, textOfBytes].find((read) => read(sample) === sampleText)

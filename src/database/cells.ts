/** What a database gives: rows of cells. A cell becomes text only beside samples that the driver hands over unchanged. */
import { Failure } from '../errors/failure.js'

/** A row of a statement, by the names of its cells. */
export type Row = Record<string, unknown>

/** What a cell may hold: text, or nothing. */
export type Text = string | null

/**
 * Texts that the driver must hand over unchanged. A driver can be set to convert values: mysql2 by `typeCast`, pg by type
 * parsers. The rows of every page carry these two.
 */
export const samples: readonly Text[] = [
  // trims, other cases, Unicode normalization, escapes; only a connection that carries every character carries it
  ' \t Zo\u00eb Zoe\u0308@ﬁ <&amp;> %20 \\n 🙂 ',
  // numbers are rounded to …992
  '9007199254740993'
]

/** And these once a minute. Each one is changed by conversions that leave the others alone. */
export const moreSamples: readonly Text[] = [
  ...samples,
  // BigInt, or numbers where they are exact
  '007',
  '1e3',
  '1.0',
  '1.50',
  // booleans
  '1',
  '0',
  'true',
  '{"a": [1.0]}',
  '[1.0]',
  '2024-02-03',
  '2024-02-03 04:05:06',
  '2024-02-03T04:05:06Z',
  '',
  null
]

/** The name of the cell that holds a sample. */
export const sampleName = (place: number): string => `driver sample ${place}`

/** Reads a cell as text. */
export type CellReader = (cell: unknown) => Text

/** A cell as text. Drivers give text, a Buffer or a number, as the host has set them. */
export const textOf: CellReader = (cell) =>
  cell === null || cell === undefined ? null : Buffer.isBuffer(cell) ? cell.toString('utf8') : String(cell)

/** Reads bytes that a typeCast returns with `field.string()`, as a text with one character for each byte. */
const textOfBytes: CellReader = (cell) => textOf(typeof cell === 'string' ? Buffer.from(cell, 'latin1') : cell)

/** How the cells of a row with `sampleCells` become text; undefined where the driver changes text. */
export const readerOf = (row: Row, texts = samples): CellReader | undefined =>
  [textOf, textOfBytes].find((read) => texts.every((sample, place) => read(row[sampleName(place)]) === sample))

/** What the driver gave is not what the database holds. */
export class GarbledRows extends Failure {
  constructor() {
    super(
      'internal',
      "The pool's settings change what the database holds: use charset 'utf8mb4', no rowsAsArray and no nestTables, and let typeCast (of pg: types) leave text alone."
    )
  }
}

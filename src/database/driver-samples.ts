/** Reads cells as text. Samples in the same statement prove that the driver returns text unchanged. */
import { Failure } from '../errors/failure.js'

export type Row = Record<string, unknown>

export type Text = string | null

/** The host's `typeCast` (mysql2) or type parsers (pg) can change values. */
export const samples: readonly Text[] = [
  // Detects trimming, changed case, normalization, escapes, and a connection without all of Unicode.
  ' \t Zo\u00eb Zoe\u0308@ﬁ <&amp;> %20 \\n 🙂 ',
  // A number is rounded to …992.
  '9007199254740993'
]

/** Checked once a minute. Each sample detects a conversion that the others survive. */
export const moreSamples: readonly Text[] = [
  ...samples,
  // Numbers and BigInt.
  '007',
  '1e3',
  '1.0',
  '1.50',
  // Booleans.
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

// A new string is slower as the name of a property.
const sampleNames = moreSamples.map((_sample, place) => `driver sample ${place}`)

export const sampleName = (place: number): string => sampleNames[place] as string

export type CellReader = (cell: unknown) => Text

export const textOf: CellReader = (cell) => {
  // The usual cell comes first, because the global `Buffer` is a getter, and slow.
  if (typeof cell === 'string') return cell
  return cell === null || cell === undefined ? null : Buffer.isBuffer(cell) ? cell.toString('utf8') : String(cell)
}

/** `field.string()` in a `typeCast` returns bytes as latin1 text. */
const textOfBytes: CellReader = (cell) => textOf(typeof cell === 'string' ? Buffer.from(cell, 'latin1') : cell)

/** Undefined when the driver changes text. */
export const readerOf = (row: Row, texts = samples): CellReader | undefined =>
  [textOf, textOfBytes].find((read) => texts.every((sample, place) => read(row[sampleName(place)]) === sample))

export class GarbledRows extends Failure {
  constructor() {
    super(
      'internal',
      "The pool changes the values of the database. Use charset 'utf8mb4', remove rowsAsArray and nestTables, and make typeCast (pg: types) return text unchanged."
    )
  }
}

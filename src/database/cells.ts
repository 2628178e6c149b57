/** Every cell is read as text, and samples prove that the driver returns text unchanged. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { Failure } from '../errors/failure.js'

export type Row = Record<string, unknown>

export type Text = string | null

/** A host's `typeCast` (mysql2) or type parsers (pg) can change values. Each sample detects what others survive. */
export const samples: readonly Text[] = [
  // Detects trimming, changed case, normalization, escapes, and a connection without all of Unicode.
  ' \t Zo\u00eb Zoe\u0308@ﬁ <&amp;> %20 \\n 🙂 ',
  // A number is rounded to …992.
  '9007199254740993',
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

interface SampleSql {
  text(value: Expression<unknown>): RawBuilder<unknown>
  sample(text: Text): RawBuilder<unknown>
}

export const sampleName = (place: number): string => `driver sample ${place}`

export const sampleCells = ({ text, sample }: SampleSql) =>
  samples.map((value, place) => sql`${text(sample(value))} as ${sql.id(sampleName(place))}`)

export type CellReader = (cell: unknown) => Text

export const textOf: CellReader = (cell) => {
  // The usual cell comes first, because the global `Buffer` is a getter, and slow.
  if (typeof cell === 'string') return cell
  return cell === null || cell === undefined ? null : Buffer.isBuffer(cell) ? cell.toString('utf8') : String(cell)
}

/** `field.string()` in a `typeCast` returns bytes as latin1 text. */
const textOfBytes: CellReader = (cell) => textOf(typeof cell === 'string' ? Buffer.from(cell, 'latin1') : cell)

/** What reads the cells of a row with the samples. Undefined when the driver changes text. */
export const readerOf = (row: Row): CellReader | undefined =>
  [textOf, textOfBytes].find((read) => samples.every((sample, place) => read(row[sampleName(place)]) === sample))

export class GarbledRows extends Failure {
  constructor() {
    super(
      'internal',
      "The pool changes the values of the database. Use charset 'utf8mb4', remove rowsAsArray and nestTables, and make typeCast (pg: types) return text unchanged."
    )
  }
}

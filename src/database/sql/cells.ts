/** How a database shows a cell. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { sampleName, type Text } from '../cells.js'

export interface CellSql {
  /**
   * The value as text, which no setting changes (contract 83 and 90). Items show this text, and searches and filters compare
   * it, so each finds what the other shows.
   */
  text(value: Expression<unknown>): RawBuilder<string | null>
  /** The value as text, compared byte for byte. */
  bytes(value: Expression<unknown>): RawBuilder<string | null>
  /** A literal with the same meaning in every session. */
  sample(text: Text): RawBuilder<Text>
}

export const sampleCells = ({ text, sample }: Pick<CellSql, 'text' | 'sample'>, texts: readonly Text[]) =>
  texts.map((value, place) => sql`${text(sample(value))} as ${sql.id(sampleName(place))}`)

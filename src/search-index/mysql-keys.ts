/**
 * The search index of MySQL and MariaDB is a table with a row for each character of the searched texts. The key of a row
 * is made of the next 16 characters, so a range of keys finds a term anywhere in a text. For the email
 * `ada@example.org` of the user 7:
 *
 *     place  chars                          id
 *     0      '' or the version              the last id of the fill
 *     3      the key of `ada@example.org`   7
 *     3      the key of `da@example.org`    7
 *     3      …
 *     3      the key of `g`                 7
 *
 * `like` takes two characters for equal if the collation gives them the same weight. A key has two bytes for each
 * character: a hash of the weight. Two weights can have the same hash, so the lists compare the texts that the index
 * finds with the term.
 */
import { createHash } from 'node:crypto'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { ClientText } from '../database/dialect.js'

export interface IndexedColumn {
  readonly name: string
  readonly collation: string
  /** Whether the collation is case-sensitive or Turkish. */
  readonly isSensitive: boolean
}

/** The comment of the index table, as JSON. */
export interface IndexDescription {
  readonly format: number
  readonly table: string
  readonly id: string
  /** Whether the ids are texts, and not numbers. */
  readonly isTextId: boolean
  /** The place of the first column is 1. */
  readonly columns: readonly IndexedColumn[]
}

/** Increases when the keys or the triggers change. */
const format = 1

export const commentOf = (description: Omit<IndexDescription, 'format'>) => JSON.stringify({ format, ...description })

/** Whether a table is a search index, of any format. */
export const isOwnComment = (comment: string) => /^\{"format":\d+,"table":"/.test(comment)

/** @returns undefined for a comment that is not of a search index, or of another format */
export function descriptionIn(comment: string): IndexDescription | undefined {
  if (!isOwnComment(comment)) return undefined
  const description = JSON.parse(comment) as IndexDescription
  return description.format === format ? description : undefined
}

/** Identifies the description in the triggers, and in the row with place 0 after the fill. */
export const versionOf = (comment: string) => createHash('sha256').update(comment).digest('hex').slice(0, bytesInKey)

type Collation = Pick<IndexedColumn, 'collation' | 'isSensitive'>

/** Columns of one collation. A term has one key for all of them. */
export interface IndexedPlaces extends Collation {
  readonly places: readonly number[]
}

const charsInKey = 16
export const bytesInKey = 2 * charsInKey

// `''` is null in MariaDB's EMPTY_STRING_IS_NULL mode.
export const emptyBytes = sql`X''`
const [dotless, dotted] = [sql`_utf8mb4 X'c4b1'`, sql`_utf8mb4 X'c4b0'`]

/** The two bytes of a character. A search of a case-sensitive or Turkish column also compares lower-case letters. */
export function bytesOf(char: Expression<unknown>, { collation, isSensitive }: Collation): RawBuilder<unknown> {
  // `convert` removes the collation, which decides what `lower` does.
  const text = sql`convert(${char} using utf8mb4)`
  // Turkish collations have two letters i.
  const folded = isSensitive ? sql`lower(replace(replace(${text}, ${dotless}, 'i'), ${dotted}, 'i'))` : text
  return sql`unhex(lpad(hex(crc32(weight_string(${folded} collate ${sql.id(collation)})) & 65535), 4, '0'))`
}

/** @param charAt the SQL of a character, which is null after the end of the text */
const keyOf = (charAt: (position: number) => Expression<unknown>, collation: Collation) => {
  const bytes = Array.from({ length: charsInKey }, (_, position) => bytesOf(charAt(position), collation))
  return sql`concat_ws(${emptyBytes}, ${sql.join(bytes)})`
}

/**
 * The ids of the texts that probably contain the term. One row has no id if there are none. `is_complete` is null if the
 * index has changed since the lists looked at the index:
 *
 *     select distinct s.id, (select 1 from users_search as c where c.place = 0 and c.chars = '…') as is_complete
 *     from (select concat_ws(…) as `key 0`) as k left join users_search as s on (
 *       s.place in (1, 2, 3) and s.chars between k.`key 0` and concat(k.`key 0`, X'ff…'))
 */
export function candidates(
  index: Expression<unknown>,
  indexed: readonly IndexedPlaces[],
  version: string,
  term: ClientText
): RawBuilder<unknown> {
  const charOfTerm = (position: number) =>
    term.parameter((text) => {
      const char = [...text][position]
      return char === undefined ? null : Buffer.from(char)
    })
  const end = sql.raw(`X'${'ff'.repeat(bytesInKey)}'`)
  const keys = indexed.map((collation, number) => sql`${keyOf(charOfTerm, collation)} as ${sql.id(`key ${number}`)}`)
  const conditions = indexed.map(({ places }, number) => {
    const key = sql.ref(`k.key ${number}`)
    return sql`s.place in (${sql.join(places.map(sql.lit))}) and s.chars between ${key} and concat(${key}, ${end})`
  })
  return sql`select distinct s.id, (${isComplete(index, version)}) as is_complete from (select ${sql.join(keys)}) as k
    left join ${index} as s on (${sql.join(conditions, sql` or `)})`
}

export const isComplete = (index: Expression<unknown>, version: string) =>
  sql`select 1 from ${index} as c where c.place = 0 and c.chars = ${sql.lit(version)}`

/** A text id is bytes in the index, because a collation may take `abc` for `ABC`. */
export const indexedId = (id: Expression<unknown>, isTextId: boolean) =>
  isTextId ? sql`cast(convert(${id} using utf8mb4) as binary)` : id

/** The columns of the index table. The id has room for every whole number, also after a change of the table. */
export const indexColumns = (isTextId: boolean) => sql`
  place tinyint unsigned not null, chars varbinary(${sql.lit(bytesInKey)}) not null,
  id ${isTextId ? sql`varbinary(3000)` : sql`decimal(20)`} not null,
  primary key (place, chars, id)`

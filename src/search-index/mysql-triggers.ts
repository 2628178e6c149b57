/** The triggers that keep a search index of MySQL or MariaDB up to date. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { bytesInKey, bytesOf, emptyBytes, type IndexDescription, type IndexedColumn, indexedId } from './mysql-keys.js'

export const triggerEvents = ['insert', 'update', 'delete'] as const
export type TriggerEvent = (typeof triggerEvents)[number]

export const triggerName = (table: string, event: TriggerEvent | 'piece') => `${table}_search_${event}`

const versionDeclaration = 'declare search_index_version char(32) default'

/** Whether a trigger is of a search index. */
export const isOwnBody = (body: string) => body.includes(versionDeclaration)

type OldOrNew = 'old' | 'new'

interface Names {
  index: Expression<unknown>
  table: Expression<unknown>
  /** Marks the trigger as one of this description. */
  version: string
}

const rowsOf = { insert: ['new'], delete: ['old'], update: ['old', 'new'] } as const

/**
 * The body of a trigger. For an update, which writes only the keys that differ:
 *
 *     begin declare i int; declare part varbinary(32); declare old1 longblob; … declare new1 longblob; …
 *       set i = if(…the text is the same…, null, char_length(old.email)), old1 = X'';
 *       while i > 0 do set old1 = concat(…bytes of substring(old.email, i, 1)…, old1), i = i - 1; end while; …
 *       set i = 1;
 *       while i <= length(new1) do
 *         set part = substring(new1, i, 32), i = i + 2;
 *         if not (…old1 has the part…) then insert into users_search …; end if;
 *       end while; …
 *     end
 *
 * The trigger deletes last. To delete a key that the fill has not written yet locks a gap, and two transactions that
 * lock one gap cannot insert. A loop reads the characters, because a session's setting can shorten `group_concat`.
 *
 * MariaDB runs the trigger for a row that `update ignore` leaves as the row was. Then the old keys stay.
 */
export function triggerBody(
  event: TriggerEvent,
  { index, table, version }: Names,
  { id, isTextId, columns }: Omit<IndexDescription, 'format'>
): RawBuilder<unknown> {
  const rows: readonly OldOrNew[] = rowsOf[event]
  const idOf = (row: OldOrNew) => indexedId(sql.ref(`${row}.${id}`), isTextId)
  const isSameId = sql`${idOf('old')} <=> ${idOf('new')}`
  const bytesVariable = (row: OldOrNew, place: number) => sql.id(`${row}${place}`)

  /** Sets a variable to the bytes of all characters. A text that stays the same has none. */
  const readText = (row: OldOrNew, place: number, column: IndexedColumn) => {
    const [bytes, text] = [bytesVariable(row, place), sql.ref(`${row}.${column.name}`)]
    const [before, after] = ['old', 'new'].map((row) => sql`cast(${sql.ref(`${row}.${column.name}`)} as binary)`)
    const isUnchanged = event === 'update' ? sql`${isSameId} and ${before} <=> ${after}` : sql`false`
    return sql`set i = if(${isUnchanged}, null, char_length(${text})), ${bytes} = ${emptyBytes};
      while i > 0 do
        set ${bytes} = concat(${bytesOf(sql`substring(${text}, i, 1)`, column)}, ${bytes}), i = i - 1;
      end while;`
  }
  const eachKey = (row: OldOrNew, place: number, write: RawBuilder<unknown>, start = sql`1`) => {
    const [bytes, others] = [bytesVariable(row, place), bytesVariable(row === 'old' ? 'new' : 'old', place)]
    // A part can be found from the middle of a character on. To add a key twice and to keep a key is harmless.
    const isFound = sql`locate(part, ${others}) ${row === 'new' ? sql`% 2 = 1` : sql`> 0`}`
    // A shorter part is the end of its text.
    const isInOthers = sql`if(length(part) = ${sql.lit(bytesInKey)}, ${isFound}, right(${others}, length(part)) = part)`
    return sql`set i = ${start};
      while i <= length(${bytes}) do
        set part = substring(${bytes}, i, ${sql.lit(bytesInKey)}), i = i + 2;
        ${event === 'update' ? sql`if not (${isSameId} and ${isInOthers}) then ${write} end if;` : write}
      end while;`
  }
  const addKeys = (place: number) =>
    eachKey(
      'new',
      place,
      sql`insert into ${index} (place, chars, id) values (${sql.lit(place)}, part, ${idOf('new')})
        on duplicate key update place = place;`
    )
  const deleteKeys = (place: number, { name }: IndexedColumn) => {
    const [kept, old] = [sql.ref(`t.${name}`), sql.ref(`old.${name}`)].map((text) => sql`cast(${text} as binary)`)
    const isKept = sql`exists (select 1 from ${table} as t where ${sql.ref(`t.${id}`)} = ${sql.ref(`old.${id}`)} and ${kept} <=> ${old})`
    return eachKey(
      'old',
      place,
      sql`delete from ${index} where place = ${sql.lit(place)} and chars = part and id = ${idOf('old')};`,
      event === 'update' ? sql`if(${isKept}, null, 1)` : undefined
    )
  }

  const eachColumn = (make: (place: number, column: IndexedColumn) => RawBuilder<unknown>) =>
    columns.map((column, number) => make(number + 1, column))
  const statements = [
    sql`declare i int; declare part varbinary(${sql.lit(bytesInKey)}); ${sql.raw(versionDeclaration)} ${sql.lit(version)};`,
    ...rows.flatMap((row) => eachColumn((place) => sql`declare ${bytesVariable(row, place)} longblob;`)),
    ...rows.flatMap((row) => eachColumn((place, column) => readText(row, place, column))),
    ...(rows.includes('new') ? eachColumn(addKeys) : []),
    ...(rows.includes('old') ? eachColumn(deleteKeys) : [])
  ]
  return sql`begin ${sql.join(statements, sql` `)} end`
}

/** Fills a search index of MySQL or MariaDB with the rows that exist, while the application writes. */
import { type RawBuilder, sql } from 'kysely'
import type { SearchIndexOptions, Session } from './options.js'

/** Rows in a piece. A piece takes less than a second. */
const pieceSize = 500

interface Fill {
  session: Session
  options: SearchIndexOptions
  table: RawBuilder<unknown>
  index: RawBuilder<unknown>
  /** A table with a trigger that writes to the index. */
  piece: RawBuilder<unknown>
  isTextId: boolean
  /** The `chars` of the row with place 0 after the fill. */
  version: string
}

/** A piece is tried so often. The next `up` continues. */
const maxConflicts = 10

/** A deadlock with the application, or a wait for a lock. */
const isConflict = (error: unknown) => [1205, 1213].includes((error as { errno: number }).errno)

/** Continues after the last id that the index has. */
export async function fill({ session, options, table, index, piece, isTextId, version }: Fill): Promise<void> {
  const id = sql.ref(options.id)
  const columns = sql.join([options.id, ...options.columns].map((column) => sql.ref(column)))
  const idOf = (text: string) => (isTextId ? sql`_utf8mb4 ${Buffer.from(text)}` : sql.raw(text))
  const text = (value: RawBuilder<unknown>) => sql<string | null>`convert(${value} using utf8mb4)`
  const first = async <Row>(query: RawBuilder<Row>, db = session) => (await query.execute(db)).rows[0]
  const saveState = async (db: Session, chars: string, last: string) => {
    await sql`delete from ${index} where place = 0`.execute(db)
    await sql`insert into ${index} (place, chars, id) values (0, ${chars}, ${idOf(last)})`.execute(db)
  }
  const state = await first(sql<{ last: string }>`select ${text(sql.ref('id'))} as last from ${index} where place = 0`)
  let last = state?.last
  // The triggers write the keys of later rows.
  const newest = await first(sql<{ id: string | null }>`select ${text(sql`max(${id})`)} as id from ${table}`)
  const end = newest?.id ?? undefined
  const isLeft = () =>
    sql`${last === undefined ? sql`true` : sql`${id} > ${idOf(last)}`} and ${end === undefined ? sql`false` : sql`${id} <= ${idOf(end)}`}`
  const idsLeft = (limit: RawBuilder<unknown>) => sql<{ last: string | null; count: number }>`
    select ${text(sql`max(x.id)`)} as last, count(*) as count
    from (select ${id} as id from ${table} where ${isLeft()} ${limit}) as x`
  let left = Number((await first(idsLeft(sql``)))?.count)

  // The share lock prevents deadlocks: the application waits for a row of the piece before its triggers lock keys.
  // `read committed` locks no gaps, so the application can insert rows.
  const fillPiece = () =>
    session
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (db) => {
        const ids = await first(idsLeft(sql`order by ${id} limit ${sql.lit(pieceSize)}`), db)
        if (typeof ids?.last !== 'string') return undefined
        await sql`insert into ${piece} (${columns}) select ${columns} from ${table}
          where ${isLeft()} and ${id} <= ${idOf(ids.last)} lock in share mode`.execute(db)
        await sql`delete from ${piece}`.execute(db)
        await saveState(db, '', ids.last)
        return { last: ids.last, count: Number(ids.count) }
      })

  for (let conflicts = 0; ; ) {
    try {
      const filled = await fillPiece()
      conflicts = 0
      if (!filled) break
      last = filled.last
      left = Math.max(0, left - filled.count)
      options.onProgress?.({ left })
    } catch (error) {
      if (!isConflict(error) || ++conflicts === maxConflicts) throw error
    }
  }
  await saveState(session, version, last ?? '0')
}

/**
 * The SQL for foreign tables of PostgreSQL. A foreign table gets ids as a parameter, which the table sends to its server.
 * With a join alone, the server would send all of its rows.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Row } from '../database/cells.js'
import type { Condition, Dialect } from '../database/dialect.js'

interface PageParts {
  select: Expression<unknown>
  ids: Expression<unknown>
  id: Expression<unknown>
  table: Expression<unknown>
  /** The columns of the records. */
  columns: readonly Expression<unknown>[]
}

/** Names that no table of a host has. A name in `tables` contains no space. */
const pageIds = sql.id('page ids')
const pageRecords = sql.id('page records')

export type ForeignTables = NonNullable<ReturnType<typeof foreignTablesOf>>

export function foreignTablesOf({ foreignTables, bytes }: Pick<Dialect, 'foreignTables' | 'bytes'>) {
  if (!foreignTables) return undefined
  const { among } = foreignTables
  return {
    /**
     * `where r.user_id = any(array(select v.user_id from (…visible) as v))`, and the same for the bytes
     *
     * @param visible selects `user_id` and `bytes`
     */
    linked(visible: Expression<unknown>, owner: Expression<unknown>, user: Expression<unknown>) {
      const isVisible = (column: Expression<unknown>): Condition =>
        sql`${among(column, sql`select v.user_id from (${visible}) as v`)}
          and ${among(bytes(column), sql`select v.bytes from (${visible}) as v`)}`
      return { join: sql``, where: [isVisible(owner)], user: isVisible(user) }
    },

    /**
     *     with ids as (select r.id, r.created_at as sort_key … limit 12 offset 0),
     *       records as (select …columns from (assessments) as r where r.id = any(array(select k.id from ids as k)))
     *     select …fields from ids as k left join records as r
     */
    page({ select, ids, id, table, columns }: PageParts): RawBuilder<Row> {
      return sql`
        with ${pageIds} as (${ids}), ${pageRecords} as (
          select ${sql.join(columns)} from ${table} where ${among(id, sql`select k.id from ${pageIds} as k`)}
        ) ${select} from ${pageIds} as k left join ${pageRecords} as r`
    },

    /** `and u.user_id = any(array(select r.user_id from records as r))` */
    ofPage: (joined: Expression<unknown>, ofRecord: Expression<unknown>): RawBuilder<unknown> =>
      sql` and ${among(joined, sql`select ${ofRecord} from ${pageRecords} as r`)}`
  }
}

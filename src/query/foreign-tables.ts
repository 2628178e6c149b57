/**
 * The SQL for foreign tables of PostgreSQL. A foreign table gets ids as a parameter, which the table sends to its server.
 * With a join alone, the server would send all of its rows.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Condition, Dialect } from '../database/dialect.js'
import type { Row } from '../database/driver-samples.js'

interface PageParts {
  select: Expression<unknown>
  ids: Expression<unknown>
  id: string
  table: Expression<unknown>
  columns: readonly string[]
}

/** Names that no table of a host has. A name in `tables` contains no space. */
const pageIds = sql.id('page ids')
const pageRecords = sql.id('page records')

export type ForeignTables = NonNullable<ReturnType<typeof foreignTablesOf>>

export function foreignTablesOf({ foreignTables }: Dialect) {
  if (!foreignTables) return undefined
  const { among } = foreignTables
  return {
    /** `where r.user_id = any(array(…visible users))` */
    linked(visible: Expression<unknown>, owner: string) {
      const isVisible = (column: string) => among(sql.ref(column), visible)
      return { join: sql``, where: [isVisible(owner)], user: isVisible('u.user_id') }
    },

    /** Without `is true`, PostgreSQL may compare each record with each user. */
    userOfRecord: (owner: string, users: Expression<unknown>, userInReach: Condition): Condition =>
      sql`(${sql.ref(owner)} in (select u.user_id from ${users} and ${userInReach})) is true`,

    /**
     *     with ids as (select r.id, r.created_at … limit 12 offset 0),
     *       records as (select …columns from (assessments) as r where r.id = any(array(select k.id from ids as k)))
     *     select …fields from ids as k left join records as r
     */
    page({ select, ids, id, table, columns }: PageParts): RawBuilder<Row> {
      const selected = sql.join(columns.map((column) => sql.ref(`r.${column}`)))
      return sql`
        with ${pageIds} as (${ids}), ${pageRecords} as (
          select ${selected} from ${table} where ${among(sql.ref(id), sql`select k.id from ${pageIds} as k`)}
        ) ${select} from ${pageIds} as k left join ${pageRecords} as r`
    },

    /** `and u.user_id = any(array(select r.user_id from records as r))` */
    ofPage: (joined: string, ofRecord: string): RawBuilder<unknown> =>
      sql` and ${among(sql.ref(joined), sql`select ${sql.ref(ofRecord)} from ${pageRecords} as r`)}`
  }
}

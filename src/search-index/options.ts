/** The options of `searchIndex`, and the names that follow from the options. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type BaseColumn, baseColumns } from '../database/base-columns.js'
import { tableOf } from '../database/source.js'

/** The table and the columns of a search index. */
export interface SearchIndexOptions {
  /** The name of the table: `members` or `crm.members`. The index is the table `members_search` or `crm.members_search`. */
  table: string
  /**
   * The column of the ids, which is the primary key or a unique key: a whole number, or on MySQL and MariaDB a text of at
   * most 750 characters. On SQLite, the column is an `integer primary key`.
   */
  id: string
  /** The columns that the lists search. On MySQL and MariaDB, utf8mb4 with at most 1,000 characters. */
  columns: readonly string[]
  /** Called after each piece of the fill. On SQLite, the fill is one piece. */
  onProgress?:
    | ((progress: {
        /** The number of rows that the fill has not read. */
        left: number
      }) => void)
    | undefined
}

export type Session = Kysely<Record<string, Record<string, unknown>>>

export interface Names {
  readonly schema: string | undefined
  /** `members` */
  readonly table: string
  /** `members_search` */
  readonly index: string
  /** The SQL of a name, in the schema of the table. */
  qualified(name: string): RawBuilder<unknown>
}

/** The plugins of the host can give the table a schema, or another name. */
export function namesOf(db: Session, { table: name, id }: SearchIndexOptions): Names {
  const { schema, table } = baseColumns(tableOf(db.selectFrom(name).select(id)))(id) as BaseColumn
  return {
    schema,
    table,
    index: `${table}_search`,
    qualified: (name) => (schema === undefined ? sql.id(name) : sql.id(schema, name))
  }
}

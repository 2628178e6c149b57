/** What the start-up check asks of SQLite, and how its default tables are made. */
import { sql } from 'kysely'
import type { CheckSql, SchemaSql } from '../dialect.js'
import { qualified } from './common.js'

/** The declared types of SQLite prove nothing, because a column can hold values of any type. */
export const sqliteCheck = (text: CheckSql['plainText']): CheckSql => ({
  plainText: text,
  settings: [],
  catalog: ({ schema = null, table }) => ({
    columns: sql`select c.name, c.type, t.type as kind
      from pragma_table_list(${table}) as t, pragma_table_xinfo(${table}, t.schema) as c
      where t.schema = coalesce(${schema}, t.schema)`,
    // pragma_index_list omits an INTEGER PRIMARY KEY.
    indexes: sql`select null as part, l.name, c.name as col, c.seqno as place
      from pragma_index_list(${table}, ${schema}) as l, pragma_index_info(l.name, ${schema}) as c where l.partial = 0
      union all select null, '', name, pk from pragma_table_info(${table}, ${schema}) where pk > 0`
  }),
  // A BLOB is greater than a text, and a text is greater than a number. An index finds the greatest value at once.
  typeOfValues: (column, from) => sql`(select case when typeof(max(${column})) <> 'blob' then typeof(max(${column}))
    when typeof(min(${column})) = 'blob' then 'blob' else 'some' end from ${from})`,
  holdsAnyType: true,
  index: {
    isLong: () => false,
    // SQLite qualifies the index, not the table.
    create: (name, { schema, table }, columns) =>
      sql`create index ${qualified(schema, name)} on ${sql.id(table)} (${columns})`
  }
})

export const sqliteSchema: SchemaSql = {
  // SQLite generates ids only for this type.
  idType: 'integer',
  timeType: 'datetime',
  primaryKey: (column) => column.primaryKey().autoIncrement(),
  exactText: (column) => column.notNull(),
  table: (builder) => builder
}

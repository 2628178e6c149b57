/** What the database's own catalog says of a table: the types of its columns, and its indexes. Needs no right but SELECT. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialect.js'
import type { Row } from '../plan.js'
import { send, textOf } from '../send.js'
import type { Source } from '../source.js'
import type { BaseColumn } from './base-columns.js'

export interface TableFacts {
  /** Not a view. */
  readonly isTable: boolean
  /** The type of each column, in lower case, as the database calls it. */
  readonly types: ReadonlyMap<string, string>
  /** The columns of each index, in their order. A view has none. */
  readonly indexes: readonly (readonly string[])[]
}

type Table = Pick<BaseColumn, 'schema' | 'table'>

/** Two queries: the columns as `name`, `type` and `kind` of table; the columns of the indexes as `name` and `column`, in order. */
type Queries = (table: Table) => { columns: RawBuilder<Row>; indexes: RawBuilder<Row> }

const queries: Record<Dialect['name'], Queries> = {
  mysql: ({ schema, table }) => {
    const text = (value: string) => sql`_utf8mb4 ${Buffer.from(value)}`
    const inTable = (
      alias: string
    ) => sql`${sql.ref(`${alias}.table_schema`)} = ${schema === undefined ? sql`database()` : text(schema)}
      and ${sql.ref(`${alias}.table_name`)} = ${text(table)}`
    return {
      columns: sql`select c.column_name as name, c.data_type as type, t.table_type as kind
        from information_schema.columns as c
        inner join information_schema.tables as t on t.table_schema = c.table_schema and t.table_name = c.table_name
        where ${inTable('c')}`,
      // an index on the beginnings of texts gives no order
      indexes: sql`select s.index_name as name, if(s.sub_part is null, s.column_name, '') as \`column\`
        from information_schema.statistics as s where ${inTable('s')} order by s.index_name, s.seq_in_index`
    }
  },
  postgres: ({ schema, table }) => {
    const quoted = [schema, table].filter((name) => name !== undefined).map((name) => `"${name.replaceAll('"', '""')}"`)
    const oid = sql`to_regclass(${quoted.join('.')})`
    return {
      columns: sql`select a.attname::text as name, format_type(a.atttypid, null) as type, c.relkind::text as kind
        from pg_attribute as a inner join pg_class as c on c.oid = a.attrelid
        where a.attrelid = ${oid} and a.attnum > 0 and not a.attisdropped`,
      indexes: sql`select i.indexrelid::text as name, coalesce(a.attname::text, '') as "column"
        from pg_index as i
        cross join lateral unnest(i.indkey::int[]) with ordinality as k (attnum, place)
        left join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = ${oid} and i.indisvalid and i.indpred is null order by 1, k.place`
    }
  },
  sqlite: ({ table }) => ({
    columns: sql`select name, type, (select type from sqlite_master where name = ${table}) as kind
      from pragma_table_info(${table})`,
    // a table's own key is no index in its list
    indexes: sql`
      select l.name as name, coalesce(c.name, '') as "column", c.seqno as place
      from pragma_index_list(${table}) as l, pragma_index_info(l.name) as c where l.partial = 0
      union all select '', name, pk from pragma_table_info(${table}) where pk > 0 order by 1, 3`
  })
}

/** `table_type`, `relkind` and `type` of tables; anything else is a view. */
const kindsOfTable = ['base table', 'r', 'p', 'table']

/** What is known of a table; undefined when the catalog does not have it. Names are in lower case. */
export async function factsOf(source: Source, table: Table, timeLeft: () => number): Promise<TableFacts | undefined> {
  const { columns, indexes } = queries[source.dialect.name](table)
  // a limit of its own, since a session may have one for whoever has none
  const all = (query: RawBuilder<Row>) => send(source, sql`${query} limit 10000`, timeLeft)
  const found = await all(columns)
  if (!found[0]) return undefined
  const byName = new Map<string, string[]>()
  for (const { name, column } of await all(indexes)) {
    byName.set(lower(name), [...(byName.get(lower(name)) ?? []), lower(column)])
  }
  return {
    isTable: kindsOfTable.includes(lower(found[0].kind)),
    types: new Map(found.map(({ name, type }) => [lower(name), lower(type)])),
    indexes: [...byName.values()]
  }
}

const lower = (cell: unknown): string => (textOf(cell) ?? '').toLowerCase()

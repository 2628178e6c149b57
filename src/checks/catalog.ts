/** Reads column types and indexes from the database's catalog, with only the right to SELECT. */
import { type RawBuilder, sql } from 'kysely'
import { type Row, textOf } from '../database/cells.js'
import type { Dialect } from '../database/dialect.js'
import { everyRow } from '../question/queries.js'
import type { BaseTable } from './base-columns.js'
import type { CheckedDatabase } from './database.js'

/** All texts are in lower case, except the names of tables. */
export interface CatalogTable {
  readonly isTable: boolean
  /** By column. */
  readonly types: ReadonlyMap<string, string>
  /** The indexes of the table, or of each partition of PostgreSQL, by the name of the table. Without foreign tables. */
  readonly indexes: ReadonlyMap<string, readonly (readonly string[])[]>
}

/** A partition without an index has a row whose `name` is null. The `part` is null for the table itself. */
const queries: Record<Dialect['name'], (table: BaseTable) => Record<'columns' | 'indexes', RawBuilder<Row>>> = {
  mysql: ({ schema, table }) => {
    const text = (value: string) => sql`_utf8mb4 ${Buffer.from(value)}`
    const database = schema === undefined ? sql`database()` : text(schema)
    const inTable = (alias: string) =>
      sql`${sql.ref(`${alias}.table_schema`)} = ${database} and ${sql.ref(`${alias}.table_name`)} = ${text(table)}`
    return {
      // An InnoDB index takes at most 3072 bytes, which are two ids. More bytes than those of a UUID hold plain text.
      columns: sql`select c.column_name as name, case
            when c.data_type = 'binary' and c.character_octet_length > 16 then 'varbinary'
            when c.column_type like '%zerofill%' then concat(c.data_type, ' zerofill')
            else concat_ws(' ', if(c.character_octet_length > 1500, 'text', c.data_type), c.collation_name) end as type,
          if(t.table_type like '%VIEW', 'view', 'table') as kind
        from information_schema.columns as c inner join information_schema.tables as t
          on ${inTable('t')} where ${inTable('c')}`,
      // A prefix index gives no order.
      indexes: sql`select null as part, s.index_name as name, if(s.sub_part is null, s.column_name, null) as col,
          s.seq_in_index as place
        from information_schema.statistics as s where ${inTable('s')}`
    }
  },
  postgres: ({ schema, table }) => {
    const quoted = [schema, table].filter((name) => name !== undefined).map((name) => `"${name.replaceAll('"', '""')}"`)
    const oid = sql`to_regclass(${quoted.join('.')})`
    return {
      // `typbasetype` is the base type of a domain.
      columns: sql`select a.attname as name, case t.typtype when 'e' then 'enum' when 'd'
            then format_type(t.typbasetype, t.typtypmod) else format_type(t.oid, a.atttypmod) end as type,
          case c.relkind when 'r' then 'table' when 'm' then 'table' when 'p' then 'partitioned' else 'view' end as kind
        from pg_attribute as a inner join pg_class as c on c.oid = a.attrelid
        inner join pg_type as t on t.oid = a.atttypid
        where a.attrelid = ${oid} and a.attnum > 0 and not a.attisdropped`,
      indexes: sql`with recursive tree as (
          select ${oid} as oid
          union all select h.inhrelid from pg_inherits as h inner join tree on tree.oid = h.inhparent
        )
        select t.relname as part, i.indexrelid as name, a.attname as col, k.place
        from tree inner join pg_class as t on t.oid = tree.oid and t.relkind in ('r', 'm')
        left join (pg_index as i inner join pg_class as c on c.oid = i.indexrelid
          inner join pg_am as m on m.oid = c.relam and m.amname = 'btree'
          cross join lateral unnest(i.indkey::int[]) with ordinality as k (attnum, place)
        ) on i.indrelid = t.oid and i.indisvalid and i.indpred is null and k.place <= i.indnkeyatts
        left join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.attnum`
    }
  },
  sqlite: ({ schema = null, table }) => ({
    columns: sql`select c.name, c.type, t.type as kind
      from pragma_table_list(${table}) as t, pragma_table_xinfo(${table}, t.schema) as c
      where t.schema = coalesce(${schema}, t.schema)`,
    // pragma_index_list omits an INTEGER PRIMARY KEY.
    indexes: sql`select null as part, l.name, c.name as col, c.seqno as place
      from pragma_index_list(${table}, ${schema}) as l, pragma_index_info(l.name, ${schema}) as c where l.partial = 0
      union all select null, '', name, pk from pragma_table_info(${table}, ${schema}) where pk > 0`
  })
}

/** @returns undefined when the catalog does not show the table */
export async function readCatalog(
  { dialect, attempt }: CheckedDatabase,
  base: BaseTable
): Promise<CatalogTable | undefined> {
  const { columns, indexes } = queries[dialect.name](base)
  // Bytes pass unchanged through a connection of any charset.
  const cells = (names: string[]) =>
    sql.join(names.map((name) => sql`${dialect.bytes(sql.ref(`x.${name}`))} as ${sql.id(name)}`))
  const ofColumns = sql<Row>`select ${cells(['name', 'type', 'kind'])} from (${columns}) as x ${everyRow}`
  const ofIndexes = sql<Row>`select ${cells(['part', 'name', 'col'])} from (${indexes}) as x order by x.name, x.place ${everyRow}`
  const found = await attempt(`the columns of ${base.table}`, ofColumns)
  const parts = found?.[0] && (await attempt(`the indexes of ${base.table}`, ofIndexes))
  if (!parts) return undefined
  const kind = lower(found[0]?.kind)
  const byTable = new Map(kind === 'partitioned' ? [] : [[base.table, new Map<string, string[]>()]])
  for (const { part, name, col } of parts) {
    const table = textOf(part) ?? base.table
    const byName = byTable.get(table) ?? new Map<string, string[]>()
    byTable.set(table, byName)
    if (name !== null) byName.set(lower(name), [...(byName.get(lower(name)) ?? []), lower(col)])
  }
  return {
    isTable: kind !== 'view',
    types: new Map(found.map(({ name, type }) => [lower(name), lower(type)])),
    indexes: new Map([...byTable].map(([table, byName]) => [table, [...byName.values()]]))
  }
}

const lower = (cell: unknown): string => (textOf(cell) ?? '').toLowerCase()

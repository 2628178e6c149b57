/** What the start-up check asks of PostgreSQL, and how its default tables are made. */
import { sql } from 'kysely'
import type { BaseTable, CheckSql, SchemaSql } from '../dialect.js'
import { byteTypes, createIndex, inUtc, moment, numberTypes, shifted, sixDigits } from './common.js'

const noZone =
  "Transactions do not get their own time zone, so timestamptz columns use the session's time zone: use a pooler that keeps a transaction on one server, and in pgpool remove set_config from read_only_function_list."

/** Types whose values fit into an index, which takes at most 2,704 bytes. */
const short = /^(?!.*\[)(enum|uuid|bool|(big|small)?int|numeric|real|double|money|date|time|.*\([1-5]?\d{1,2}\)$)/

const oidOf = ({ schema, table }: BaseTable) => {
  const quoted = [schema, table].filter((name) => name !== undefined).map((name) => `"${name.replaceAll('"', '""')}"`)
  return sql`to_regclass(${quoted.join('.')})`
}

export const postgresCheck = (text: CheckSql['plainText']): CheckSql => ({
  plainText: text,
  settings: [
    [
      'the time zone of transactions',
      sql`to_char(to_timestamp(${moment}), 'YYYY-MM-DD HH24:MI:SS')`,
      inUtc,
      shifted,
      noZone
    ]
  ],
  direct: {
    secured: (tables) => sql`(select string_agg(relname, ', ' order by relname) from pg_class
      where oid in (null, ${sql.join(tables.map(oidOf))}) and row_security_active(oid))`,
    advice: (milliseconds) =>
      `Each request makes three round trips. With \`options: '-c timezone=UTC -c statement_timeout=${milliseconds}ms -c listing.transactions=off'\` in the pool it makes one, but then nothing may depend on what your code sets when a transaction begins.`,
    warning: (secured) =>
      `Row-level security is active on ${secured}, and listing.transactions is off: no transaction begins, so set what the policies read in the onReserveConnection of Kysely's dialect.`
  },
  catalog(base) {
    const oid = oidOf(base)
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
  types: {
    wrong: [
      ['decimal', /^money/, 'numeric'],
      ['decimal', /^real/, `numeric, because real ${sixDigits}`],
      ['id', byteTypes, "encode(…, 'hex')"],
      ['time', numberTypes, 'to_timestamp(…), or for milliseconds to_timestamp(… / 1000.0)']
    ],
    different: {
      level: 'error',
      text: 'Ids that are compared must have the same type.',
      labelOf: (family) => family
    }
  },
  typeOfNumber: (column, from) => sql`pg_typeof((select ${column} from ${from} where 1 = 0))`,
  index: {
    // A value that does not fit into an index is an error of every later write.
    isLong: (type, isShort) => !isShort && !short.test(type),
    create: createIndex
  }
})

export const postgresSchema: SchemaSql = {
  idType: 'bigint',
  timeType: 'timestamp',
  primaryKey: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  exactText: (column) => column.notNull(),
  table: (builder) => builder
}

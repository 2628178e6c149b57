/** What the start-up check asks of MySQL and MariaDB, and how their default tables are made. */
import { sql } from 'kysely'
import type { CheckSql, SchemaSql } from '../dialect.js'
import { byteTypes, createIndex, inUtc, moment, numberTypes, shifted, sixDigits } from './common.js'

const noZone =
  "Statements do not get their own time zone, so TIMESTAMP columns use the session's time zone: use MySQL 8.0.17, MariaDB 10.2 or later, and no proxy that removes comments from statements."
const noAutocommit =
  'The session has autocommit off, so a connection keeps reading the snapshot of its first query: set autocommit = 1.'
const noBigSelects =
  'The session has sql_big_selects off, so the database refuses statements that may read more than max_join_size rows: set sql_big_selects = 1.'
const padded = 'The sql_mode PAD_CHAR_TO_FULL_LENGTH adds spaces to CHAR columns: remove it.'

const bigSelects = sql`@@sql_big_selects or @@max_join_size > 1000000000000000000`

export const mysqlCheck = (text: CheckSql['plainText']): CheckSql => ({
  plainText: text,
  settings: [
    ['the time zone of statements', sql`from_unixtime(${moment})`, inUtc, shifted, noZone],
    ['autocommit', sql`@@autocommit + 0`, '1', /^0$/, noAutocommit],
    ['sql_big_selects', bigSelects, '1', /^0$/, noBigSelects],
    ['the sql_mode', sql`@@sql_mode like '%PAD_CHAR_TO_FULL_LENGTH%'`, '0', /^1$/, padded]
  ],
  catalog({ schema, table }) {
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
  types: {
    wrong: [
      [
        'after',
        /^float$/,
        'DOUBLE or DECIMAL, because no text of a FLOAT equals it, so pages after a record and `each` would lose some'
      ],
      [
        'after',
        /^(enum|set) /,
        'another column, because an ENUM is sorted by its place, and compared by its text, so pages after a record and `each` would lose some'
      ],
      ['decimal', /^float$/, `DECIMAL, because FLOAT ${sixDigits}`],
      // Padded ids, such as `00042`, differ from the host's ids.
      ['id', / zerofill$/, 'a number without ZEROFILL'],
      ['id', byteTypes, 'lower(hex(…))'],
      ['time', numberTypes, 'from_unixtime(…), or for milliseconds from_unixtime(… / 1000)']
    ],
    different: {
      level: 'warning',
      text: 'Ids of different types or collations use no index.',
      // `varchar utf8mb4_general_ci`
      labelOf: (family, type) => (family === 'text' ? type.replace(/^\w+/, family) : family)
    }
  },
  typeOfNumber: (column, from) =>
    sql`(select if(charset(max(${column})) = 'binary', 'number', 'text') from ${from} where 1 = 0)`,
  // JSON equals no text.
  typeOfValues: (
    column,
    from
  ) => sql`(select case when min(y.v = concat(convert(y.v using utf8mb4)) collate utf8mb4_bin) = 0
    then 'other' end from (select ${column} as v from ${from} where ${column} is not null limit 100) as y)`,
  index: {
    needsId: true,
    // MySQL and MariaDB index only a prefix of long texts, and MySQL no JSON.
    isLong: (type) => /text|blob|json/.test(type),
    tooLong: 'is too long for an index: make it a short varchar.',
    create: createIndex
  }
})

export const mysqlSchema: SchemaSql = {
  idType: 'bigint',
  timeType: 'datetime',
  primaryKey: (column) => column.primaryKey().autoIncrement(),
  exactText: (column) => column.notNull().modifyEnd(sql`collate utf8mb4_bin`),
  // The database's default character set may lack characters.
  table: (builder) => builder.modifyEnd(sql`character set utf8mb4`) as typeof builder
}

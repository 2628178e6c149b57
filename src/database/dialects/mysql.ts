/** The dialect of MySQL and MariaDB. */
import { CompiledQuery, type Expression, type RawBuilder, sql } from 'kysely'
import { measured, sortLength } from '../../limits.js'
import type { AnyKysely, Condition, Dialect, ListSql, RecordKey, UserSearch } from '../dialect.js'
import { formOf, type Parameter } from '../parameter.js'
import { areApart, isAmong, limits } from './common.js'
import { mysqlCheck, mysqlSchema } from './mysql-check.js'

/** `_utf8mb4 X'616e'`: mysql2's `X'…'` means the same in every sql_mode and charset. The column's collation applies. */
const literal = (bytes: unknown) => sql<string>`_utf8mb4 ${bytes}`
const bytesOf = (value: Parameter) => value.bind((text) => Buffer.from(text))
const literalOf = (value: Parameter) => literal(bytesOf(value))

/** Plain text is bound, because MySQL compares a computed column (`case … end`) in the connection's collation only. */
const boundOrLiteral = (value: Parameter) => (value.form.isSafe ? value.bind() : literalOf(value))

const equals = (column: Expression<unknown>, value: Parameter): Condition => sql`${column} = ${boundOrLiteral(value)}`

const utf8 = (value: Expression<unknown>) => sql<string | null>`convert(${value} using utf8mb4)`
// MariaDB's `convert` can keep the JSON type, and mysql2 parses JSON. `concat` removes the type.
const utf8Text = (value: Expression<unknown>) => sql<string | null>`concat(${utf8(value)})`
const utf8Bytes = (value: Expression<unknown>) => sql<string | null>`cast(${utf8(value)} as binary)`
const sameBytes = (column: Expression<unknown>, value: Parameter): Condition =>
  sql`${utf8Bytes(column)} = ${bytesOf(value)}`
const like = (text: Expression<unknown>, pattern: Parameter): Condition =>
  sql`${text} like ${literalOf(pattern)} escape '!'`

const keyFrom = (
  column: Expression<unknown>,
  id: Expression<unknown>,
  operator: string,
  key: RecordKey<Parameter, Parameter>,
  isNumber: boolean,
  textOf: (value: Parameter) => RawBuilder<unknown>
): Condition => {
  // A text would be compared as a double. A DECIMAL has no digits for the least and the greatest doubles.
  const number = key.value.form.isDouble
    ? sql`(${key.value.bind()} + 0e0)`
    : sql`cast(${key.value.bind()} as decimal(65, 30))`
  const [value, keyId] = [isNumber ? number : textOf(key.value), textOf(key.id)]
  const [isAfter, isFrom] = [sql.raw(operator.charAt(0)), sql.raw(operator)]
  return sql`(${column} ${isAfter} ${value} or (${column} = ${value} and ${id} ${isFrom} ${keyId}))`
}

/**
 * If a short time limit ends a statement while MariaDB plans this optimization, the server crashes (10.11.19). In a
 * comment of its own, because servers before 10.3.1 do not know the switch.
 */
const splittingOff = "*/ /*M!100301 optimizer_switch='split_materialized=off', */ /*M!100100 "

/** MySQL (9.7.4) parses a pushed condition again as SQL: in the mode NO_BACKSLASH_ESCAPES, a quote ends the literal. */
const hasQuote = (parameter: unknown) =>
  Buffer.isBuffer(parameter) && (parameter.includes("'") || parameter.includes('\\'))

const [lowerCase, upperCase] = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

const letterCase: ListSql['letterCase'] = {
  // A null column has a collation too. In MariaDB's EMPTY_STRING_IS_NULL mode, `''` is null.
  isSensitive: (column) =>
    sql`concat(coalesce(${column}, 'a'), '${sql.raw(lowerCase.slice(1))}') not like '${sql.raw(upperCase)}'`,
  contains: (column, pattern) => sql`(${like(column, pattern)}
    or lower(${utf8(column)}) collate utf8mb4_bin like lower(${literalOf(pattern)}) escape '!')`
}

const opaque = (value: Expression<unknown>) => sql`coalesce(${value}, null)`

/** MySQL and MariaDB read all users for `exists` after an `or`, and MariaDB gives `ABC` the cached result of `abc`. */
function ofUsers(search: UserSearch): Condition {
  const { ofRecord, ofUser, found, isScan, hasIndex } = search
  if (!isScan) return isAmong(search)
  // Without the hints, MySQL and MariaDB start with the users and sort all of the users' records.
  const [first, ...bytes] = ofRecord as [Expression<unknown>]
  const hidden = opaque(first)
  // Without an index, a look-up would read all users again for each record.
  if (!hasIndex) return isAmong({ ...search, ofRecord: [hidden, ...bytes] })
  // MariaDB reads all users before the first record, unless the subquery names the record. MySQL (9.7.4) would sort all
  // records for a page at 1,000; MariaDB skips the comment.
  const usersOfRecord = sql`${found} and ${ofUser[0]} = ${hidden}`
  return isAmong({ ofRecord: [hidden, ...bytes], ofUser, found: usersOfRecord }, sql`/*+ SUBQUERY(INTOEXISTS) */ `)
}

/**
 * Kysely's `begin` is a syntax error in MariaDB's mode ORACLE. Without `no chain`, a session with
 * `completion_type=CHAIN` would begin a second read-only transaction, in which the host's next write fails.
 */
async function inSnapshot<Result>(db: AnyKysely, work: (db: AnyKysely) => Promise<Result>): Promise<Result> {
  return db.connection().execute(async (session) => {
    const send = (text: string) =>
      session.getExecutor().provideConnection((connection) => connection.executeQuery(CompiledQuery.raw(text)))
    await send('set transaction isolation level repeatable read')
    await send('start transaction read only')
    try {
      const result = await work(session)
      await send('commit and no chain no release')
      return result
    } catch (error) {
      // The error may be that the connection is gone.
      await Promise.allSettled([send('rollback and no chain no release')])
      throw error
    }
  })
}

export const mysql: Dialect = {
  ...limits,
  text: utf8Text,
  bytes: utf8Bytes,
  compareBytes: (bytes, operator, value) => sql`${bytes} ${sql.raw(operator)} ${bytesOf(value)}`,
  sortsWhole: true,
  sample: (text) => sql.raw(text === null ? 'null' : `_utf8mb4 X'${Buffer.from(text).toString('hex')}'`),

  equals,
  same: (column, value) => sql`(${equals(column, value)} and ${sameBytes(column, value)})`,
  // In MariaDB's mode EMPTY_STRING_IS_NULL, `''` is null.
  isEmpty: (column) => sql`(${column} = left('a', 0) and length(${utf8Bytes(column)}) = 0)`,
  sameTexts: (one, other, bytes = utf8Bytes(one)) => sql`${one} = ${other} and ${bytes} = ${utf8Bytes(other)}`,
  // The quotient tells the types apart: few decimals for a whole number, more for a DECIMAL, a double for a text.
  isExactId: (column) => sql`coalesce(${column}, 1) / 3 = 1 / 3 and coalesce(${column}, 1) / 3 <> 1e0 / 3`,

  // A number equals texts of several forms.
  tellsApart: (column, values) => sql`(charset(${column}) <> 'binary' and ${areApart(column, values, equals)})`,

  compareTime: (column, operator, time) => sql`${column} ${sql.raw(operator)} cast(${time.bind()} as datetime(6))`,
  compareNumber: (column, operator, number) =>
    sql`${column} ${sql.raw(operator)} cast(${number.bind()} as decimal(65, 30))`,
  boolean: (column) => sql`case when ${utf8Bytes(column)} in ('1', 'true', 't', X'01') then 'true'
    when ${utf8Bytes(column)} in ('0', 'false', 'f', X'00') then 'false' end`,

  fromKey: (column, id, operator, key, isNumber) => keyFrom(column, id, operator, key, isNumber, boundOrLiteral),
  unreachable: (column, id) => sql`(${column} is null or ${id} is null)`,

  isAmongLinked: isAmong,
  subqueryFrom: 2,

  contains: like,
  letterCase,
  // A session of MariaDB can give `convert` a collation that is case-sensitive.
  containsConverted: (column, pattern) => like(sql`${utf8(column)} collate utf8mb4_unicode_520_ci`, pattern),
  ofUsers,
  planning: {
    opaque,
    thresholds: measured,
    oneOf(column, ids, isExact) {
      // The test keeps everything but digits out of the SQL.
      if (isExact && ids.every((id) => /^-?\d+$/.test(id))) return sql`${column} in (${sql.raw(ids.join())})`
      const bytes = ids.map((id) => Buffer.from(id))
      // Plain text is shorter than `X'…'`, and means the same (see `Form`).
      const texts = ids.every((id) => formOf(id).isSafe) ? ids.map((id) => sql.lit(id)) : bytes.map(literal)
      return sql`(${column} in (${sql.join(texts)}) and ${utf8Bytes(column)} in (${sql.join(bytes)}))`
    }
  },

  // `set statement … for select …` of MariaDB, and `select /*+ … */ …` of MySQL. Both apply to this statement only.
  // TIMESTAMP columns are in UTC.
  withTimeLimit({ sql, parameters }, milliseconds) {
    const seconds = milliseconds / 1000
    const splitting = milliseconds < 1000 ? splittingOff : ''
    const limit = `max_statement_time=least(${seconds}, coalesce(nullif(@@max_statement_time, 0), ${seconds}))`
    const mariadb = `set statement time_zone='+00:00', max_sort_length=${sortLength}, ${splitting}${limit} for`
    const pushdown = parameters.some(hasQuote) ? `SET_VAR(optimizer_switch='derived_condition_pushdown=off') ` : ''
    const mysql = `SET_VAR(time_zone='+00:00') SET_VAR(max_sort_length=${sortLength}) ${pushdown}MAX_EXECUTION_TIME(${milliseconds})`
    return `/*M!100100 ${mariadb} */ ${sql.replace(/^\s*select/, `select /*+ ${mysql} */`)}`
  },
  // MariaDB skips the comment.
  timeLimit: sql`coalesce(/*!50708 @@max_execution_time, */ 0)`,
  // A late `kill query` could hit the next statement of the session.
  stop: 'killSession',
  snapshot: { isFree: false, run: inSnapshot },

  check: mysqlCheck(utf8Bytes),
  schema: mysqlSchema,

  fallback: {
    planning: undefined,
    // A cast keeps the collation of the connection, in which a computed text is sorted.
    fromKey: (column, id, operator, key, isNumber) =>
      keyFrom(column, id, operator, key, isNumber, (value) =>
        value.form.isSafe ? value.bind() : sql`cast(${literalOf(value)} as char)`
      ),
    equals: sameBytes,
    same: sameBytes
  }
}

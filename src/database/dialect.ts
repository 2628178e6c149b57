/** What differs between databases: `dialects/NAME.ts` has the SQL of requests, `dialects/NAME-check.ts` the checks'. */
import type { ColumnDefinitionBuilder, CreateTableBuilder, Expression, Kysely, RawBuilder } from 'kysely'
import type { Thresholds } from '../limits.js'
import type { Row, Text } from './cells.js'
import type { Parameter } from './parameter.js'

/** A Kysely instance without the types of its tables. */
export type AnyKysely = Kysely<Record<string, Record<string, unknown>>>

export type Condition = RawBuilder<boolean>

/** The place of a record in the list's order. */
export interface RecordKey<Time = string | null, Id = string> {
  /** The value of the column that sorts the list. Null for a record that has no place by its value, and comes last. */
  readonly value: Time
  readonly id: Id
}

/** A search for the records of users. */
export interface UserSearch {
  /** What tells the user of a record `r` from every other: a column, and its bytes where `=` alone is not exact. */
  readonly ofRecord: readonly Expression<unknown>[]
  /** The same of a user `u`. */
  readonly ofUser: readonly Expression<unknown>[]
  /** `users as u where …` */
  readonly found: RawBuilder<unknown>
  /** Whether few records are in reach. */
  readonly areFew: boolean
  /** Ends the subquery where the database must look for the user of each record. */
  readonly fence?: RawBuilder<unknown> | undefined
  /** Whether the statement scans the records in the order of the list. */
  readonly isScan: boolean
  /** Whether an index can find a user by the id. */
  readonly hasIndex: boolean
}

interface PlanningSql {
  /** Hides the index of a column from the optimizer. */
  opaque(value: Expression<unknown>): RawBuilder<unknown>
  /** Like `same`, for several ids. `=` alone is exact if it is so for these ids and for those of the column. */
  oneOf(column: Expression<unknown>, ids: readonly string[], isExact: boolean): Condition
  /** Where one plan becomes faster than the other. */
  readonly thresholds: Thresholds
}

/** One statement for a page, its total and its counts, which may run without a transaction. */
export interface WholeSql {
  /** The only row of a select, as the text of a JSON object. */
  json(select: RawBuilder<Row>): RawBuilder<string | null>
  /** The settings under which the statement runs. */
  readonly settings: RawBuilder<string>
  /** Those of the session, which a transaction does not change. Slower. */
  readonly ownSettings: RawBuilder<string>
  /** The milliseconds that a statement may take under these settings. Infinity if it needs a transaction. */
  limitUnder(settings: Text): number
}

/** What the statements of a list are made of. Whose records a caller sees depends on how ids and texts are compared. */
export interface ListSql {
  /** As text that no setting changes (contract 83 and 90): items show it, and searches and filters compare it. */
  text(value: Expression<unknown>): RawBuilder<string | null>
  /** The value as text, compared byte for byte. */
  bytes(value: Expression<unknown>): RawBuilder<string | null>
  /** Compares what `bytes` gives. */
  compareBytes(bytes: Expression<unknown>, operator: '<' | '>', value: Parameter): Condition
  /** Whether an order that is longer than an index sorts every record. */
  readonly sortsWhole?: true
  /** A literal with the same meaning in every session. */
  sample(text: Text): RawBuilder<Text>

  limit(take: unknown, skip?: unknown): RawBuilder<unknown>
  /** MySQL and MariaDB would otherwise apply the session's `sql_select_limit`. */
  readonly everyRow: RawBuilder<unknown>

  /** Compares in the type of the column, and uses its index. The type may cast (`12 = '12abc'`) or ignore case. */
  equals(column: Expression<unknown>, value: Parameter): Condition
  /** `equals`, and the bytes: character by character (contract 14 and 69), with the index of the column. */
  same(column: Expression<unknown>, value: Parameter): Condition
  /** The column has an empty text, in every mode of the session. Uses the index of the column. */
  isEmpty(column: Expression<unknown>): Condition
  /** `u.user_id = r.user_id and <bytes of u.user_id> = <bytes of r.user_id>`. A query may have `bytes` of `one`. */
  sameTexts(one: Expression<unknown>, other: Expression<unknown>, bytes?: Expression<unknown>): Condition
  /** The column holds whole numbers or UUIDs. `=` is exact for them, and none of them is empty. */
  isExactId?(column: Expression<unknown>): Condition
  /** Texts for which `=` is exact, because their collation equates no two texts. */
  isExactText?(column: Expression<unknown>): Condition
  /** Whether `=` is exact among a few values, as values of the column. Undefined where only the bytes are. */
  tellsApart?(column: Expression<unknown>, values: readonly string[]): Condition

  /** Compares a time, `YYYY-MM-DD hh:mm:ss.mmm`, and uses the index of the column. */
  compareTime(column: Expression<unknown>, operator: '>=' | '<', time: Parameter): Condition
  /** Compares a number in decimal digits, and uses the index of the column. */
  compareNumber(
    column: Expression<unknown>,
    operator: '>=' | '<=' | '<',
    number: Parameter,
    isWhole: boolean
  ): Condition
  /** `'true'`, `'false'` or null, for each cell that a column of the kind boolean can have. */
  boolean(column: Expression<unknown>): RawBuilder<string | null>

  /** The column is like the pattern, in which `!` escapes, in any case of ASCII letters (contract 73 and 74). */
  contains(column: Expression<unknown>, pattern: Parameter): Condition
  /** `isSensitive` detects case-sensitive columns. For these columns this `contains` applies. */
  readonly letterCase: {
    isSensitive(column: Expression<unknown>): Condition
    contains(column: Expression<unknown>, pattern: Parameter): Condition
  }
  /** `contains`, for a column that cannot be compared with every text: MySQL's `concat('pi_', id)`, or latin1. */
  containsConverted?(column: Expression<unknown>, pattern: Parameter): Condition
  ofUsers(search: UserSearch): Condition
  /** For MySQL and MariaDB, whose own plan of a search of all records is far too slow. */
  readonly planning?: PlanningSql | undefined

  /** The id of a record is among linked ids, which are found as users are. Other SQL can be a hundred times slower. */
  isAmongLinked(search: Pick<UserSearch, 'ofRecord' | 'ofUser' | 'found'>): Condition
  /** The number of grants from which on a subquery reads each grant by its own index. */
  readonly subqueryFrom: 1 | 2
  readonly whole?: WholeSql | undefined
  /** Ends a subquery that the database must not plan as a part of the statement. */
  readonly fence?: RawBuilder<unknown>

  /** Compares a place with a key as `order by` does, by its index. The types may equate ids: `abc` and `ABC`. */
  fromKey(
    column: Expression<unknown>,
    id: Expression<unknown>,
    operator: '<' | '<=' | '>' | '>=',
    key: RecordKey<Parameter, Parameter>,
    isNumber: boolean,
    isUntyped: Readonly<Record<'value' | 'id', boolean>>
  ): Condition
  /** The column has no type that a text is converted to: it is computed, also by a view, or declared without a type. */
  isUntyped?(column: Expression<unknown>): Condition
  /** A number as a text that gives the very number again. The default is `text`. */
  keyText?(number: Expression<unknown>): RawBuilder<string | null>
  /** Whether no condition of `fromKey` finds the record, because its value or its id is null, or a BLOB of SQLite. */
  unreachable(column: Expression<unknown>, id: Expression<unknown>): Condition
}

/** How a database runs a statement within a time limit, and stops it. */
export interface RunSql {
  /** Adds a time limit to the statement, and the time zone and the sort length where the statement can carry them. */
  withTimeLimit(statement: { sql: string; parameters: readonly unknown[] }, milliseconds: number): string
  /** The limit of MySQL's session in milliseconds, or 0. `within` would lift it; other databases compare the two. */
  readonly timeLimit?: RawBuilder<unknown>
  /** Kysely's method to stop a statement. */
  readonly stop?: 'killSession' | 'cancelQuery'
  /** Sets the time limit, the time zone and the forms of texts. Every statement then runs in a transaction. */
  transactionSettings?(milliseconds: number): RawBuilder<unknown>
  readonly snapshot?: {
    /** Whether a snapshot costs no further statement, because every statement runs in a transaction. */
    readonly isFree: boolean
    run<Result>(db: AnyKysely, work: (db: AnyKysely) => Promise<Result>): Promise<Result>
  }
}

/** A table of the catalog. */
export interface BaseTable {
  readonly schema: string | undefined
  readonly table: string
}

/** What a statement sets, or the session must have. An answer that is neither `right` nor `wrong` proves nothing. */
type Setting = readonly [what: string, value: RawBuilder<unknown>, right: string, wrong: RegExp, advice: string]

/** What the type of a column must hold exactly. */
export type Exact = 'id' | 'decimal' | 'time'

/** The type of a column, or of its values. The column can be an expression, or one of a view. */
type TypeOf = (column: Expression<unknown>, from: RawBuilder<unknown>) => RawBuilder<unknown>

/** What the start-up check asks, with only the right to SELECT. */
export interface CheckSql {
  /** The value as text through a connection of any charset. */
  plainText(value: Expression<unknown>): RawBuilder<string | null>
  readonly settings: readonly Setting[]
  /**
   * Columns with `name`, `type` and `kind`. Columns of indexes with `part`, which is null for the table itself, `name`,
   * which is null for a partition without an index, `col` and `place`.
   */
  catalog(table: BaseTable): Record<'columns' | 'indexes', RawBuilder<Row>>
  /** What declared types say. Undefined where they prove nothing. */
  readonly types?: {
    /** The types that do not hold something exactly, with what to use. `after`: what sorts pages after a record. */
    readonly wrong: readonly (readonly [exact: Exact | 'after', type: RegExp, remedy: string])[]
    /** Ids that are compared and whose types differ. */
    readonly different: {
      readonly level: 'warning' | 'error'
      readonly text: string
      /** Types with the same label do not differ. */
      labelOf(family: string, type: string): string
    }
  }
  /** The type of a column that sorts as a number. */
  readonly typeOfNumber?: TypeOf
  /** The type of a column's values, for a database in which they can have another type than the column. */
  readonly typeOfValues?: TypeOf
  /** Whether any column can hold values of any type. */
  readonly holdsAnyType?: true
  /** What a host must know of requests without a transaction. */
  readonly direct?: {
    /** The tables on which row-level security is active for the session, in one text. Null if there are none. */
    secured(tables: readonly BaseTable[]): RawBuilder<Text>
    advice(milliseconds: number): string
    warning(secured: string): string
  }
  readonly index: {
    /** Whether an index for the order must have the id in its place, because a sort would read the whole table. */
    readonly needsId?: true
    isLong(type: string, isShort: boolean): boolean
    /** What to do about a column that is too long. Undefined where only its values may be too long. */
    readonly tooLong?: string
    create(name: string, table: BaseTable, columns: RawBuilder<unknown>): RawBuilder<unknown>
  }
}

/** How the default tables are made. */
export interface SchemaSql {
  readonly idType: 'bigint' | 'integer'
  readonly timeType: 'datetime' | 'timestamp'
  primaryKey(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** A text that distinguishes case and accents. */
  exactText(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** A table whose texts hold every character. */
  table<Of extends CreateTableBuilder<string>>(builder: Of): Of
}

export interface Dialect extends ListSql, RunSql {
  readonly check: CheckSql
  readonly schema: SchemaSql
  /** Slower, for after the database has refused a text: `漢` for a latin1 column, `abc` for a bigint of PostgreSQL. */
  readonly fallback?: Partial<ListSql>
}

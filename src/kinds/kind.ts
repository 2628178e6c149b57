/** What a kind of column is. Everything that depends on the kind of a column stands in one object of this interface. */
import type { SchemaOptions, TSchema } from '@sinclair/typebox'
import type { Expression } from 'kysely'
import type { Condition, Exact, ListSql } from '../database/dialect.js'
import type { Parameter } from '../database/parameter.js'

/** What an item has for a null and for a zero date: an empty text, null, or the request fails. */
export type WhenNull = 'error' | 'empty' | 'null'

/** What may name a column: a property of the definition, or a way to filter. */
export type Use = 'id' | 'order' | 'sort' | 'search' | 'equal' | 'several' | 'range' | 'present'

/** What a filter asks. `in`: one of several values. `has`: whether the column has a value. */
export type Operator = '=' | 'in' | 'has' | '>=' | '<=' | '<'

/** The parameters `…_from` and `…_to` of a range. */
export type End = 'from' | 'to'

/** @internal How a query string writes a value that is no text: a number, a day, a time. */
export interface Notation {
  /** The message of a 400 for another notation. */
  readonly message: `parameterNot${'Time' | 'Date' | 'Number' | 'Integer' | 'Allowed'}`
  /** The placeholders of the message. */
  readonly placeholders: Readonly<Record<string, string>>
  /** For JSON schemas. */
  readonly examples: readonly unknown[]
  /** What the database compares. Undefined for another notation, and for a day or a time that does not exist. */
  read(text: string): string | undefined
  /** Compares two values that `read` has returned. */
  isGreater(one: string, other: string): boolean
}

interface Range {
  /** The operator of the end `…_to`. */
  readonly end: '<' | '<='
  /** What the two ends mean, for people. */
  readonly ends: Readonly<Record<End, string>>
  /** What the records are kept by, for people. */
  by(filter: string, column: string): string
  compare(column: Expression<unknown>, operator: '>=' | '<=' | '<', value: Parameter, sql: ListSql): Condition
}

/** @internal The conditions for a column without a value, besides null, and for a column with a value. */
interface Presence {
  readonly none: readonly Condition[]
  readonly some: readonly Condition[]
}

/** What the start-up check asks of the type and the values of the column in the database. */
interface Stored {
  /** What a filter compares the column with, and an example of it. */
  readonly comparedWith: readonly [what: string, example: string]
  /** What the type must hold exactly. The dialect knows the types that do not. */
  readonly as?: Exact
  /** Whether the column sorts as a number, and not as its text. */
  readonly isNumber?: true
  /** Whether each value is short, and so fits into an index. */
  readonly isShort?: true
  /** The operators that compare an expression of the column, which no index serves. */
  readonly computed?: readonly Operator[]
}

/** Everything that is known of a kind of column. */
// No type of TypeBox is a parameter, because a host's declarations would need a package that the host does not have.
export interface KindRules<
  Name extends string = string,
  Value = unknown,
  Nulls extends readonly WhenNull[] = readonly WhenNull[],
  Used extends Use = Use
> {
  readonly name: Name
  /** The values of `whenNull`, the default first. */
  readonly nulls: Nulls
  /** What may name a column of the kind. */
  readonly uses: readonly Used[]
  /** The only values of an item, if they are few. */
  readonly values?: readonly string[]
  /** @internal All values that a filter can ask for, if they are few. */
  readonly closed?: readonly string[]
  /** @internal What is wrong with the arguments of the column, which the definition's check tells. */
  readonly mistake?: string | undefined

  /** Converts a cell's text. Null for a zero date. Throws `UnreadableValue`, and never guesses (contract 83 to 90). */
  read(text: string): Value | null
  /** @internal The JSON schema of the value in an item. */
  schema(options: SchemaOptions): TSchema
  /** The format of a time or a date in an item. */
  readonly format?: RegExp

  /** @internal How a parameter writes a value. Undefined for a text. */
  readonly notation?: Notation
  /** @internal The JSON schema of a parameter. */
  parameter(options: SchemaOptions): TSchema

  /** @internal For the ways `equal` and `several`. `isExact`: `=` alone is exact for the column. */
  equals?(column: Expression<unknown>, value: Parameter, sql: ListSql, isExact: boolean): Condition
  /** @internal For the way `range`. */
  readonly range?: Range
  /** @internal Besides null, an empty text and a zero date, such as `2024-00-00`, are no value (contract 121, 122). */
  presence(column: Expression<unknown>, sql: ListSql, isNeverEmpty: boolean): Presence

  /** What sorts: the text in the database (a collation, an ENUM's order), its value there, or the value in items. */
  readonly sortedBy?: 'text' | 'cell' | 'item'

  /** @internal */
  readonly stored: Stored
}

/** @internal Infers the types of a kind from its object. */
export const kindOf = <
  const Name extends string,
  Value,
  const Nulls extends readonly [WhenNull, ...WhenNull[]],
  const Used extends Use
>(
  rules: KindRules<Name, Value, Nulls, Used>
): KindRules<Name, Value, Nulls, Used> => rules

/** @internal A kind whose cells always have a value, so only null is no value. */
export const alwaysPresent = (): Presence => ({ none: [], some: [] })

/** @internal For a notation whose values sort as texts. */
export const isLaterText = (one: string, other: string): boolean => one > other

/** The error of a cell that a column cannot read. The message completes "Column x of record y …". */
export class UnreadableValue extends Error {}

export function refuse(problem: string): never {
  throw new UnreadableValue(problem)
}

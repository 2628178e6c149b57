/** The columns of a definition. Their kinds stand in the folder `kinds`. */
import type { SchemaOptions, TSchema } from '@sinclair/typebox'
import { InvalidOption } from '../errors/boot-error.js'
import type { Kind } from '../kinds/index.js'
import type { KindRules, Use, WhenNull } from '../kinds/kind.js'
import { boolean, decimal, integer } from '../kinds/numbers.js'
import { enumOf, id, text } from '../kinds/texts.js'
import { date, utcTime, wallTime } from '../kinds/times.js'
import { withNulls } from '../kinds/when-null.js'
import type { ListColumn } from './list.js'

/** For the OpenAPI document. */
export interface Documented {
  /** A sentence or two. */
  readonly description?: string | undefined
  /** The first example stands in the OpenAPI document. */
  readonly examples: readonly unknown[]
}

/** A field that only some roles get. */
export interface ForRoles {
  /** The roles that get the field, where they reach the record. Elsewhere it is absent, and no parameter tells it. */
  readonly roles: readonly string[]
}

/** A column of a definition. */
export interface Column extends ListColumn, Partial<ForRoles> {
  /** The format of a time or a date in an item. */
  readonly format?: RegExp
  /** What the OpenAPI document says of a column that stands in `fields`. */
  readonly documented: Partial<Documented>
  /** Returns the JSON schema of the value in an item. */
  schema(options: SchemaOptions): TSchema
}

export type Columns = Readonly<Record<string, Column>>

/** A column with the types of its value in an item and of its cells. */
// `KindRules` says why no type of TypeBox is a parameter.
export interface TypedColumn<Of extends Kind, Value, Cell> extends Column {
  /** The kind of the column, which decides what may read the column. */
  readonly kind: Of
  /** Converts the text of a cell. */
  read(text: string | null): Value
  /** Carries the type of the cells. Always undefined at run time. The function type accepts no other type of cells. */
  readonly cells?: (cell: Cell) => Cell
}

/**
 * The rows of a table with these columns, as a host's select must return them. An interface that extends it has a
 * member of its own, because otherwise the compiler's messages would not show its name.
 */
export type RowsOf<Of> = { -readonly [Name in keyof Of]: CellOf<Of[Name]> }

/** The cells of a column. */
export type CellOf<Of> = Of extends TypedColumn<Kind, unknown, infer Cell> ? Cell : never

/** What a column says besides its kind. `description`, `examples` and `roles` are for one that stands in `fields`. */
type ColumnOptions<Nulls, Roles> = { readonly [Name in keyof Documented]?: Documented[Name] | undefined } & {
  readonly [Name in keyof ForRoles]?: Roles
} & {
  /** What an item has for a null and for a zero date. */
  readonly whenNull?: Nulls | undefined
}

type NullOf<Given, Default> = [Given] extends [undefined] ? Default : Exclude<Given, undefined>

type SomeRoles = readonly string[] | undefined
// A host's declarations show the member, where the name of an interface would have to be exported.
type RolesOf<Roles> = Roles extends readonly string[] ? { [Name in keyof ForRoles]: ForRoles[Name] } : unknown

/** A later change of what the host has given has no effect. */
const copyOf = <Of>(given: Of): Of => (Array.isArray(given) ? ([...given] as Of) : given)

/** Called twice, because the type of the cells is given, and the others are inferred. */
const columnOf =
  <Cell>() =>
  <Name extends Kind, Value, Nulls extends readonly [WhenNull, ...WhenNull[]], Used extends Use>(
    rules: KindRules<Name, Value, Nulls, Used>
  ) =>
  <const Null extends Nulls[number] | undefined = Nulls[0], const Roles extends SomeRoles = undefined>(
    given: ColumnOptions<Null, Roles> = {}
  ) => {
    const { name, nulls, values } = rules
    const { whenNull = nulls[0] as WhenNull, roles, ...texts } = given
    const documented = Object.fromEntries(
      Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, copyOf(text)]]))
    )
    if (!(nulls as readonly WhenNull[]).includes(whenNull)) {
      throw new InvalidOption(`'whenNull' of a column of the kind ${name} must be one of ${nulls.join(', ')}.`)
    }
    const column: Column = {
      kind: name,
      rules,
      whenNull,
      documented,
      ...(roles !== undefined && { roles: copyOf(roles) }),
      ...(values && { values }),
      ...withNulls(rules, whenNull)
    }
    return column as TypedColumn<
      Name,
      NullOf<Null, Nulls[0]> extends 'null' ? Value | null : Value,
      NullOf<Null, Nulls[0]> extends 'error' ? Cell : Cell | null
    > &
      RolesOf<Roles>
  }

/** A BIT of MySQL, as drivers give it. `Uint8Array` is generic since TypeScript 5.7, so declarations would need 5.7. */
type Bytes = {
  readonly byteLength: number
  readonly [place: number]: number
}

/**
 * The kinds of columns. `whenNull` says what an item has for a null and for a zero date: `'empty'` is an empty text,
 * `'null'` is null, and `'error'` means that the column is never null, so the request fails. The default is `'empty'`
 * for texts and times, and `'error'` for the other kinds. In `fields`, it has `examples` and a `description`, too.
 */
export const column = {
  /** An id is a text in items, so that no digit is lost. */
  id: columnOf<string | number | bigint>()(id),

  /** A text. */
  text: columnOf<string>()(text),

  /** One of a few texts. The start-up check reports other values. */
  enum: <
    const Value extends string,
    const Nulls extends 'error' | 'null' | undefined = 'error',
    const Roles extends SomeRoles = undefined
  >(
    values: readonly [Value, ...Value[]],
    given?: ColumnOptions<Nulls, Roles>
  ) => columnOf<string>()(enumOf<Value>(copyOf(values)))(given),

  /** A decimal number, which is a JSON number in items. */
  decimal: columnOf<string | number>()(decimal),

  /** A whole number, which is a JSON number in items. A DECIMAL column may hold `2.00`. */
  integer: columnOf<string | number | bigint>()(integer),

  /** A yes or a no: 0, 1, true, false, `t`, `f`, or a BIT of MySQL. */
  boolean: columnOf<boolean | number | string | Bytes>()(boolean),

  /** A day without a time, `YYYY-MM-DD`. */
  date: columnOf<Date | string>()(date),

  /** A time in UTC, which is `YYYY-MM-DDThh:mm:ssZ` in items. */
  utcTime: columnOf<Date | string>()(utcTime),

  /** A wall-clock time, which is `YYYY-MM-DD hh:mm:ss` in items. */
  wallTime: columnOf<Date | string>()(wallTime)
}

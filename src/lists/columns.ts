/**
 * The kinds of columns. A kind decides the cells of the host's table, the value in an item, and what the start-up check
 * asks. A cell that a kind cannot read is an error and never a guess (contract 83 to 90).
 */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { InvalidOption } from '../errors/boot-error.js'
import { booleanOf, dayOf, numberOf, refuse, timeOf, utc } from './dates-and-numbers.js'
import type { Kind, ListColumn } from './list.js'

/** For the OpenAPI document. */
export interface Documented {
  /** A sentence or two. */
  readonly description?: string
  /** The first example stands in the OpenAPI document. */
  readonly examples: readonly unknown[]
}

/** A field that only some roles get. */
export interface ForRoles {
  /** The roles that get the field. For every other, it does not exist, and nothing filters, sorts or searches by it. */
  readonly roles: readonly string[]
}

/** A column of a definition. */
export interface Column extends ListColumn, Partial<ForRoles> {
  /** The format of a time or a date in an item. */
  readonly format?: RegExp
  /** What stands behind a time in an item: `Z` for UTC. */
  readonly zone?: '' | 'Z'
  /** What the OpenAPI document says of a column that stands in `fields`. */
  readonly documented: Partial<Documented>
  /** Returns the JSON schema of the value in an item. */
  schema(options: SchemaOptions): TSchema
}

export type Columns = Readonly<Record<string, Column>>

/** A column with the types of its value in an item and of its cells. */
// No type of TypeBox is a parameter: the declarations of a host's list would need a package that the host does not have.
export interface TypedColumn<Of extends Kind, Value, Cell> extends Column {
  /** The kind of the column, which decides what may read the column. */
  readonly kind: Of
  /** Converts the text of a cell. */
  read(text: string | null): Value
  /** Carries the type of the cells. Always undefined at run time. The function type accepts no other type of cells. */
  readonly cells?: (cell: Cell) => Cell
}

/**
 * The rows of a table with these columns, as a host's select must return them. The interfaces that extend it have one member of
 * their own, because otherwise the messages of the compiler would not show their names.
 */
export type RowsOf<Of> = { -readonly [Name in keyof Of]: CellOf<Of[Name]> }

/** The cells of a column. */
export type CellOf<Of> = Of extends TypedColumn<Kind, unknown, infer Cell> ? Cell : never

type WhenNull = ListColumn['whenNull']

/** What a column says besides its kind. `description` and `examples` are for a column that stands in `fields`. */
type Given<Nulls, Roles> = Partial<Documented> & {
  /** What an item has for a null and for a zero date. */
  readonly whenNull?: Nulls
  /** The roles that get the field. For every other, it does not exist, and nothing filters, sorts or searches by it. */
  readonly roles?: Roles
}

type SomeRoles = readonly string[] | undefined
// A host's declarations show these members, where the name of an interface would have to be exported.
type RolesOf<Roles> = Roles extends readonly string[]
  ? {
      /** The roles that get the field. */
      readonly roles: readonly string[]
    }
  : unknown

interface Reading extends Pick<Column, 'format' | 'zone' | 'schema'> {
  /** Returns null for a zero date. */
  read(text: string): unknown
}

/** @param nulls the values of `whenNull`, the default first */
const kindOf =
  <Of extends Kind, Value, Cell, Allowed extends WhenNull, Default extends Allowed>(
    kind: Of,
    nulls: readonly [Default, ...Allowed[]],
    { schema, read, format, zone }: Reading
  ) =>
  <const Nulls extends Allowed = Default, const Roles extends SomeRoles = undefined>(
    given: Given<Nulls, Roles> = {}
  ) => {
    const { whenNull = nulls[0] as WhenNull, roles, ...documented } = given
    if (!nulls.some((known) => known === whenNull)) {
      throw new InvalidOption(`'whenNull' of a column of the kind ${kind} must be one of ${nulls.join(', ')}.`)
    }
    const column: Column = {
      kind,
      whenNull,
      documented,
      ...(roles !== undefined && { roles }),
      ...(zone !== undefined && { zone }),
      ...(format && { format: whenNull === 'empty' ? new RegExp(`^$|${format.source}`) : format }),
      schema: whenNull === 'null' ? (options) => Type.Union([schema({}), Type.Null()], options) : schema,
      read(text) {
        const value = text === null ? null : read(text)
        if (value !== null || whenNull === 'null') return value
        return whenNull === 'empty' ? '' : refuse(text === null ? 'is null' : 'is a zero date')
      }
    }
    return column as TypedColumn<
      Of,
      Nulls extends 'null' ? Value | null : Value,
      Nulls extends 'error' ? Cell : Cell | null
    > &
      RolesOf<Roles>
  }

/** OpenAPI tools display an `enum` better than a union of literals. TypeBox's validator checks only the pattern. */
export function enumSchema(values: readonly string[], options: SchemaOptions): TSchema {
  const pattern = `^(${values.map((value) => value.replace(/[$(-+.?[-^{-}]/g, '\\$&')).join('|')})$`
  return Type.String({ ...options, enum: [...values], pattern })
}

const orEmpty = ['empty', 'null', 'error'] as const
const neverEmpty = ['error', 'null'] as const
const asText = { schema: Type.String, read: (text: string) => text }

/**
 * The kinds of columns. `whenNull` says what an item has for a null and for a zero date: `'empty'` is an empty text,
 * `'null'` is null, and `'error'` means that the column is never null, so the request fails. The default is `'empty'` for
 * texts and times, and `'error'` for the other kinds. In `fields`, a column also has `examples` and a `description`.
 */
export const column = {
  /** An id is a text in items, so that no digit is lost. */
  id: kindOf<'id', string, string | number | bigint, WhenNull, 'error'>('id', ['error', 'empty', 'null'], asText),

  /** A text. */
  text: kindOf<'text', string, string, WhenNull, 'empty'>('text', orEmpty, asText),

  /** One of a few texts. The start-up check reports other values. */
  enum: <
    const Value extends string,
    const Nulls extends 'error' | 'null' = 'error',
    const Roles extends SomeRoles = undefined
  >(
    values: readonly [Value, ...Value[]],
    given?: Given<Nulls, Roles>
  ) => {
    const enumColumn = kindOf<'enum', Value, string, 'error' | 'null', 'error'>('enum', neverEmpty, {
      schema: (options) => enumSchema(values, options),
      read: (text) => values.find((value) => value === text) ?? refuse(`is not one of ${values.join(', ')}`)
    })(given)
    return { ...enumColumn, values } as typeof enumColumn
  },

  /** A decimal number, which is a JSON number in items. */
  decimal: kindOf<'decimal', number, string | number, 'error' | 'null', 'error'>('decimal', neverEmpty, {
    schema: Type.Number,
    read: (text) => numberOf(text, /^-?\d+(\.\d*)?(e[+-]?\d+)?$/i, Number.isFinite, 'a decimal number')
  }),

  /** A whole number, which is a JSON number in items. A DECIMAL column may hold `2.00`. */
  integer: kindOf<'integer', number, string | number | bigint, 'error' | 'null', 'error'>('integer', neverEmpty, {
    schema: Type.Integer,
    read: (text) => numberOf(text, /^-?\d+(\.0*)?$/, Number.isSafeInteger, 'a safe integer')
  }),

  /** A yes or a no: 0, 1, true, false, `t`, `f`, or a BIT of MySQL. */
  boolean: kindOf<'boolean', boolean, boolean | number | string | Uint8Array, 'error' | 'null', 'error'>(
    'boolean',
    neverEmpty,
    { schema: Type.Boolean, read: booleanOf }
  ),

  /** A day without a time, `YYYY-MM-DD`. */
  date: kindOf<'date', string, Date | string, WhenNull, 'empty'>('date', orEmpty, {
    schema: Type.String,
    format: /^\d{4}-\d\d-\d\d$/,
    read: dayOf
  }),

  /** A time in UTC, which is `YYYY-MM-DDThh:mm:ssZ` in items. */
  utcTime: kindOf<'time', string, Date | string, WhenNull, 'empty'>('time', orEmpty, {
    schema: Type.String,
    format: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    zone: 'Z',
    read: (text) => utc(timeOf(text))
  }),

  /** A wall-clock time, which is `YYYY-MM-DD hh:mm:ss` in items. */
  wallTime: kindOf<'time', string, Date | string, WhenNull, 'empty'>('time', orEmpty, {
    schema: Type.String,
    format: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
    zone: '',
    read: timeOf
  })
}

/**
 * The distinct texts of all rows of a record, in code point order (contract 45). JavaScript compares UTF-16 code units,
 * whose order differs above U+FFFF.
 */
export const distinctTexts = (texts: readonly (string | null)[]): string[] =>
  [...new Set(texts)].filter((text) => text !== null).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

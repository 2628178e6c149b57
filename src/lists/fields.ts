/**
 * The kinds of field that an item can have. A field says its column, its JSON schema and how the
 * column's text becomes its value; anything unexpected is an error, never a guess (contract 83 to 90).
 */
import {
  type SchemaOptions,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type
} from '@sinclair/typebox'
import type { Text } from '../database/cells.js'
import { time, utc } from './dates.js'
import { refuse } from './unreadable-value.js'

/** A field of an item. Its column is one of the record `r`, its user `u`, its practitioner `p` or a membership `m`. */
export interface Field<Schema extends TSchema = TSchema, Column extends string = string> {
  readonly column: Column
  readonly schema: Schema
  /** Reads the value from the column's text, of the record's first row or of all. Throws `UnreadableValue`. */
  read(first: Text, all: () => readonly Text[]): Static<Schema>
}

export type Fields = Readonly<Record<string, Field>>

/** The JSON schema of an item, from its fields. */
export const itemSchema = <Schemas extends TProperties>(
  fields: {
    readonly [Name in keyof Schemas]: Field<Schemas[Name]>
  }
): TObject<Schemas> =>
  Type.Object(Object.fromEntries(Object.entries<Field>(fields).map(([name, { schema }]) => [name, schema])), {
    additionalProperties: false
  }) as TSchema as TObject<Schemas>

/** An id: text whatever the column's type, never missing. */
export const id = <const Column extends string>(column: Column, options: SchemaOptions) => ({
  column,
  schema: Type.String(options),
  read: (text: Text) => given(text)
})

/** Text; a gap in the data becomes the empty string. */
export const text = <const Column extends string>(column: Column, options: SchemaOptions) => ({
  column,
  schema: Type.String(options),
  read: (text: Text) => text ?? ''
})

/** Text, or null. */
export const textOrNull = <const Column extends string>(column: Column, options: SchemaOptions) => ({
  column,
  schema: Type.Union([Type.String(), Type.Null()], options),
  read: (text: Text) => text
})

/** One of a closed set of texts. */
export const oneOf = <const Column extends string, const Value extends string>(
  column: Column,
  values: readonly Value[],
  options: SchemaOptions
) => ({
  column,
  schema: enumeration(values, options),
  read: (text: Text) => values.find((value) => value === text) ?? refuse(`is none of ${values.join(', ')}`)
})

/**
 * A closed set of texts as one `enum`, which OpenAPI shows better than a union of constants. TypeBox knows
 * no such schema: to its own checker it is a string with the pattern.
 */
export const enumeration = <const Value extends string>(values: readonly Value[], options: SchemaOptions) =>
  Type.String({ ...options, enum: [...values], pattern: `^(${values.join('|')})$` }) as TSchema as TUnsafe<Value>

/** A decimal as a JSON number. */
export const decimal = <const Column extends string>(column: Column, options: SchemaOptions) => ({
  column,
  schema: Type.Number(options),
  read: (text: Text) => number(text, /^-?\d+(\.\d*)?(e[+-]?\d+)?$/i, Number.isFinite)
})

/** A whole number; `2.00` of a DECIMAL column is one too. */
export const integer = <const Column extends string>(column: Column, options: SchemaOptions) => ({
  column,
  schema: Type.Integer(options),
  read: (text: Text) => number(text, /^-?\d+(\.0*)?$/, Number.isSafeInteger)
})

/** A time in UTC, `YYYY-MM-DDThh:mm:ssZ`; a gap in the data becomes the empty string. */
export const utcTime = <const Column extends string>(column: Column, options: SchemaOptions) => ({
  column,
  schema: Type.String(options),
  read: (text: Text) => utc(time(text)) ?? ''
})

/** A time in UTC, `YYYY-MM-DDThh:mm:ssZ`, or null. */
export const utcTimeOrNull = <const Column extends string>(column: Column, options: SchemaOptions) => ({
  column,
  schema: Type.Union([Type.String(), Type.Null()], options),
  read: (text: Text) => utc(time(text))
})

/** A wall-clock time, `YYYY-MM-DD hh:mm:ss`, never missing. */
export const wallTime = <const Column extends string>(column: Column, options: SchemaOptions) => ({
  column,
  schema: Type.String(options),
  read: (text: Text) => given(time(text))
})

/** A wall-clock time, `YYYY-MM-DD hh:mm:ss`; a gap in the data becomes the empty string. */
export const wallTimeOrEmpty = <const Column extends string>(column: Column, options: SchemaOptions) => ({
  column,
  schema: Type.String(options),
  read: (text: Text) => time(text) ?? ''
})

/** The texts of all rows of the record, each once, in the order of their code points (contract 45). */
export const distinctTexts = <const Column extends string>(column: Column, options: SchemaOptions) => ({
  column,
  schema: Type.Array(Type.String(), options),
  read: (_first: Text, all: () => readonly Text[]) =>
    [...new Set(all())].filter((text): text is string => text !== null).sort(byCodePoint)
})

const given = (text: Text): string => text ?? refuse('is null')

function number(text: Text, form: RegExp, isExact: (value: number) => boolean): number {
  const value = Number(given(text))
  return form.test(given(text)) && isExact(value) ? value : refuse('is not a number of this kind')
}

/** JavaScript's own order of strings is that of UTF-16 code units, which differs above U+FFFF. */
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The field types of an item. A value that a field cannot read is an error and never a guess (contract 83 to 90). */
import {
  type SchemaOptions,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type
} from '@sinclair/typebox'
import type { Text } from '../database/driver-samples.js'
import { time, utc } from './dates.js'

/** The error of a cell that a field cannot read. The message completes "Column x of record y …". */
export class UnreadableValue extends Error {}

/** A field of an item. The column's alias is `r` (record), `u` (user), `p` (practitioner) or `m` (membership). */
export interface Field<Schema extends TSchema = TSchema, Column extends string = string> {
  readonly column: Column
  readonly schema: Schema
  /** The format of a time. */
  readonly format?: RegExp
  /** Converts the text of the record's first row, or the texts of all rows. Throws `UnreadableValue`. */
  read(first: Text, all: () => readonly Text[]): Static<Schema>
}

export type Fields = Readonly<Record<string, Field>>

/** The first example stands in the OpenAPI document. */
interface FieldOptions {
  readonly description?: string
  readonly examples: readonly unknown[]
}

export const itemSchema = <Schemas extends TProperties>(
  fields: {
    readonly [Name in keyof Schemas]: Field<Schemas[Name]>
  }
): TObject<Schemas> =>
  Type.Object(Object.fromEntries(Object.entries<Field>(fields).map(([name, { schema }]) => [name, schema])), {
    additionalProperties: false
  }) as TSchema as TObject<Schemas>

export const id = <const Column extends string>(column: Column, options: FieldOptions) => ({
  column,
  schema: Type.String(options),
  read: (text: Text) => notNull(text)
})

export const text = <const Column extends string>(column: Column, options: FieldOptions) => ({
  column,
  schema: Type.String(options),
  read: (text: Text) => text ?? ''
})

export const textOrNull = <const Column extends string>(column: Column, options: FieldOptions) => ({
  column,
  schema: Type.Union([Type.String(), Type.Null()], options),
  read: (text: Text) => text
})

/** The start-up check reads the values from the table of the records. */
export const oneOf = <const Column extends `r.${string}`, const Value extends string>(
  column: Column,
  values: readonly Value[],
  options: FieldOptions
) => ({
  column,
  schema: enumeration(values, options),
  read: (text: Text) => values.find((value) => value === text) ?? refuse(`is not one of ${values.join(', ')}`)
})

/** OpenAPI tools display an `enum` better than a union of literals. TypeBox's validator checks only the pattern. */
export const enumeration = <const Value extends string>(values: readonly Value[], options: SchemaOptions) =>
  Type.String({ ...options, enum: [...values], pattern: `^(${values.join('|')})$` }) as TSchema as TUnsafe<Value>

export const decimal = <const Column extends string>(column: Column, options: FieldOptions) => ({
  column,
  schema: Type.Number(options),
  read: (text: Text) => number(text, /^-?\d+(\.\d*)?(e[+-]?\d+)?$/i, Number.isFinite, 'a decimal number')
})

/** A DECIMAL column may hold `2.00`. */
export const integer = <const Column extends string>(column: Column, options: FieldOptions) => ({
  column,
  schema: Type.Integer(options),
  read: (text: Text) => number(text, /^-?\d+(\.0*)?$/, Number.isSafeInteger, 'a safe integer')
})

const utcFormat = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const wallFormat = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const orEmpty = ({ source }: RegExp) => new RegExp(`^$|${source}`)

/** `YYYY-MM-DDThh:mm:ssZ`. Null becomes an empty string. */
export const utcTime = <const Column extends string>(column: Column, options: FieldOptions) => ({
  column,
  schema: Type.String(options),
  format: orEmpty(utcFormat),
  read: (text: Text) => utc(timeOf(text)) ?? ''
})

export const utcTimeOrNull = <const Column extends string>(column: Column, options: FieldOptions) => ({
  column,
  schema: Type.Union([Type.String(), Type.Null()], options),
  format: utcFormat,
  read: (text: Text) => utc(timeOf(text))
})

/** `YYYY-MM-DD hh:mm:ss`. Null is an error. */
export const wallTime = <const Column extends string>(column: Column, options: FieldOptions) => ({
  column,
  schema: Type.String(options),
  format: wallFormat,
  read: (text: Text) => timeOf(notNull(text)) ?? refuse('is a zero date')
})

export const wallTimeOrEmpty = <const Column extends string>(column: Column, options: FieldOptions) => ({
  column,
  schema: Type.String(options),
  format: orEmpty(wallFormat),
  read: (text: Text) => timeOf(text) ?? ''
})

/** The distinct texts of all rows of the record, in code point order (contract 45). */
export const distinctTexts = <const Column extends string>(column: Column, options: FieldOptions) => ({
  column,
  schema: Type.Array(Type.String(), options),
  read: (_first: Text, all: () => readonly Text[]) =>
    [...new Set(all())].filter((text): text is string => text !== null).sort(byCodePoint)
})

const refuse = (problem: string): never => {
  throw new UnreadableValue(problem)
}

const notNull = (text: Text): string => text ?? refuse('is null')

function timeOf(text: Text): Text {
  const parsed = time(text)
  return parsed === undefined ? refuse('is not a date and time') : parsed
}

function number(text: Text, form: RegExp, isExact: (value: number) => boolean, expected: string): number {
  const digits = notNull(text)
  const value = Number(digits)
  return form.test(digits) && isExact(value) ? value : refuse(`is not ${expected}`)
}

/** JavaScript compares UTF-16 code units, whose order differs above U+FFFF. */
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

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

/** A cell that holds what the field cannot mean; the message completes "column x of record y". */
export class UnreadableValue extends Error {}

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

const refuse = (problem: string): never => {
  throw new UnreadableValue(problem)
}

const given = (text: Text): string => text ?? refuse('is null')

function number(text: Text, form: RegExp, isExact: (value: number) => boolean): number {
  const value = Number(given(text))
  return form.test(given(text)) && isExact(value) ? value : refuse('is not a number of this kind')
}

/** `2024-03-01 10:20:30.5`, also with `T`, without time or seconds, with `Z` or `+02`, `+02:00`, `+0200`. */
const timeForm =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[ T](?<minutes>\d\d:\d\d)(?::(?<seconds>\d\d)(?:\.\d*)?)?(?: ?(?<zone>Z|[+-]\d\d(?::?\d\d)?))?)?$/

/** What nearly all columns hold, and is itself the answer; days that not every month has are looked at more closely. */
const plainTime = /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8]) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/**
 * A time as `YYYY-MM-DD hh:mm:ss`: digit for digit where the text has no zone, in UTC where it has one.
 * A zero date, as MySQL allows it (`0000-00-00`, `2024-00-00`), is a gap in the data.
 */
export function time(text: Text): string | null {
  if (text === null || plainTime.test(text)) return text
  const { date, minutes = '00:00', seconds = '00', zone = 'Z' } = timeForm.exec(text)?.groups ?? {}
  if (date === undefined) return refuse('is not a date and time')
  if (/^0000|-00/.test(date)) return null
  const digits = `${date}T${minutes}:${seconds}`
  const offset = zone === 'Z' ? zone : zone.replace(/^(...):?(..)?$/, (_zone, hours, rest = '00') => `${hours}:${rest}`)
  // JavaScript makes the 1st of March of the 30th of February
  const instant = isoOf(`${digits}Z`) === digits && isoOf(digits + offset)
  return instant ? instant.replace('T', ' ') : refuse('is not a date and time')
}

/** The instant in UTC, `YYYY-MM-DDThh:mm:ss`, when it is one, and of a year that has four digits. */
function isoOf(text: string): string | undefined {
  const instant = Date.parse(text)
  const iso = Number.isNaN(instant) ? '' : new Date(instant).toISOString()
  return /^\d{4}-/.test(iso) ? iso.slice(0, 19) : undefined
}

const utc = (time: Text): Text => time && `${time.replace(' ', 'T')}Z`

/** JavaScript's own order of strings is that of UTF-16 code units, which differs above U+FFFF. */
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

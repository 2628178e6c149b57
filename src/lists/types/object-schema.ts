/** JSON schemas that `@sinclair/typebox` and `typebox` 1.x read, in ECMAScript modules and in CommonJS. */
import { Kind, OptionalKind, type TProperties, type TSchema, Type } from '@sinclair/typebox'

/** What a CommonJS host imports: declarations of its own, with other symbols. */
type Common = typeof import('@sinclair/typebox', { with: { 'resolution-mode': 'require' }})

type ValueSchema<Value> = Record<typeof Kind | Common['Kind'], string> & {
  params: unknown[]
  static: Value
  '~unsafe': Value
  description?: string
  examples?: unknown[]
}

type OptionalSchema<Value> = ValueSchema<Value> &
  Record<typeof OptionalKind | Common['OptionalKind'], 'Optional'> & { '~optional': true }

/**
 * The JSON schema of an object with the type of its values, for `@sinclair/typebox` and `typebox` 1.x. It extends no
 * `TSchema` of the first, because the second would find `~optional` in its index signature.
 */
export type ObjectSchema<Value> = Record<typeof Kind | Common['Kind'] | '~kind', 'Object'> & {
  params: unknown[]
  /** Carries the type of the values. Always undefined at run time. */
  static: Value
  type: 'object'
  properties: {
    [Name in keyof Value]-?: object extends Pick<Value, Name>
      ? OptionalSchema<Exclude<Value[Name], undefined>>
      : ValueSchema<Value[Name]>
  }
  required: never
  additionalProperties: false
}

/** @internal The JSON schema of an object with these properties and no others. */
export const objectSchema = (properties: TProperties, description?: string) =>
  forBoth(Type.Object(properties, { additionalProperties: false, ...(description && { description }) }))

/**
 * `typebox` 1.x knows a schema by hidden properties where @sinclair/typebox has symbols. Without them, its `Pick` and
 * `Partial` give an object without properties, which answers `{}`.
 */
function forBoth<Schema extends TSchema>(schema: Schema): Schema {
  const { properties = {}, items = [], anyOf = [] } = schema
  for (const part of [Object.values<TSchema>(properties), items, anyOf].flat()) forBoth(part)
  const hidden = { '~kind': schema[Kind], ...(schema[OptionalKind] && { '~optional': true }) }
  for (const [name, value] of Object.entries(hidden)) {
    Object.defineProperty(schema, name, { value, configurable: true, writable: true })
  }
  return schema
}

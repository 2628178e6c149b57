/** What an item has for a null and for a zero date: the cell, its format and its schema. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { type KindRules, refuse, type WhenNull } from './kind.js'

export const withNulls = ({ read, format, schema }: KindRules, whenNull: WhenNull) => ({
  ...(format && { format: whenNull === 'empty' ? new RegExp(`^$|${format.source}`) : format }),
  schema: (options: SchemaOptions): TSchema =>
    whenNull === 'null' ? Type.Union([schema({}), Type.Null()], options) : schema(options),
  read(text: string | null): unknown {
    const value = text === null ? null : read(text)
    if (value !== null || whenNull === 'null') return value
    return whenNull === 'empty' ? '' : refuse(text === null ? 'is null' : 'is a zero date')
  }
})

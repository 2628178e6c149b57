/** The kinds of texts: ids, texts, and texts of a closed set. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { type Expression, sql } from 'kysely'
import type { ListSql } from '../database/dialect.js'
import { maxTextLength } from '../limits.js'
import { alwaysPresent, kindOf, refuse } from './kind.js'

const comparedWith = ['text', 'x'] as const

const parameter = (options: SchemaOptions): TSchema => Type.String({ maxLength: maxTextLength, ...options })

const presence = (column: Expression<unknown>, { isEmpty, bytes }: ListSql) => ({
  none: [isEmpty(column)],
  some: [sql<boolean>`length(${bytes(column)}) > 0`]
})

export const text = kindOf({
  name: 'text',
  nulls: ['empty', 'null', 'error'],
  uses: ['sort', 'search', 'equal', 'several', 'present'],
  read: (text) => text,
  schema: Type.String,
  parameter,
  equals: (column, value, { same }) => same(column, value),
  presence,
  sortedBy: 'text',
  stored: { comparedWith }
})

export const id = kindOf({
  ...text,
  name: 'id',
  nulls: ['error', 'empty', 'null'],
  uses: ['id', 'sort', 'equal', 'several', 'present'],
  presence: (column, sql, isNeverEmpty) => (isNeverEmpty ? alwaysPresent() : presence(column, sql)),
  sortedBy: 'cell',
  stored: { comparedWith, as: 'id', isShort: true }
})

export const enumOf = <Value extends string>(values: readonly Value[]) =>
  kindOf({
    ...text,
    name: 'enum',
    nulls: ['error', 'null'],
    uses: ['sort', 'equal', 'several', 'present'],
    values,
    closed: values,
    ...(!areDistinct(values) && {
      mistake: 'needs texts that are not empty, have no control characters and differ in more than case and accents'
    }),
    read: (text) => values.find((value) => value === text) ?? refuse(`is not one of ${values.join(', ')}`),
    schema: (options) => enumSchema(values, options),
    parameter: (options) => enumSchema(values, options),
    // No other value is in a parameter. A collation can equate two values, and a number shows some in another form.
    equals: (column, value, { equals, same }, isExact) => (isExact ? equals : same)(column, value),
    presence: (column, { bytes }) => ({
      none: [sql<boolean>`length(${bytes(column)}) = 0`],
      some: [sql<boolean>`length(${bytes(column)}) > 0`]
    }),
    stored: { comparedWith, isShort: true }
  })

/** OpenAPI tools display an `enum` better than a union of literals. TypeBox's validator checks only the pattern. */
export function enumSchema(values: readonly string[], options: SchemaOptions): TSchema {
  const pattern = `^(${values.map((value) => value.replace(/[$(-+.?[-^{-}]/g, '\\$&')).join('|')})$`
  return Type.String({ ...options, enum: [...values], pattern })
}

/** Texts that a query string can hold, and that no collation equates. */
const areDistinct = (values: unknown): boolean =>
  Array.isArray(values) &&
  values.length > 0 &&
  values.every((value) => typeof value === 'string' && /^\P{Cc}+$/u.test(value)) &&
  new Set(values.map((value) => value.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().trimEnd())).size ===
    values.length

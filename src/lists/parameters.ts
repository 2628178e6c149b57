/** The parameters of a list, each with its schema: the search, the filters and the order. */
import { type TSchema, Type } from '@sinclair/typebox'
import { type Column, type Columns, enumSchema } from './columns.js'
import { booleanForm } from './forms.js'
import type { Filter } from './list.js'
import type { PlainDefinition, PlainEntry, PlainFilter } from './plain-definition.js'
import { maxTextLength, maxValues } from './schemas.js'

export function searchParameter({
  columns: _columns,
  required,
  term: _term,
  ...documented
}: NonNullable<PlainDefinition['search']>) {
  const text = Type.String({ maxLength: maxTextLength, ...documented })
  return required ? text : Type.Optional(text)
}

export const sortParameter = (names: string[]) =>
  Type.Optional(
    enumSchema(names, {
      description: 'The column that sorts the records; `-` sorts from the greatest to the least.',
      examples: names.slice(0, 1)
    })
  )

/** The parameters of a filter, each with its schema. */
export function parametersOf(
  columns: Columns,
  name: string,
  { column = name, several, range, present, ...given }: PlainFilter
): [name: string, filter: Filter, schema: TSchema][] {
  const { kind, values, form } = columns[column] as Column
  // Only a range has a description for each of its ends.
  const documented = given as PlainEntry
  if (present) {
    const description = `Only records with a value of ${column} (true), or without one (false).`
    const schema = booleanForm.schema({ description, examples: booleanForm.examples, ...documented })
    return [[name, { column, operator: 'has', form: booleanForm }, Type.Optional(schema)]]
  }
  if (range && form) {
    const { description = `Only records by their ${kind === 'time' ? `${name} time` : column}.` } = given
    const textOf = (end: 'from' | 'to') =>
      typeof description === 'string' ? `${description} ${form.ends[end]}` : description[end]
    const ends = { from: '>=', to: kind === 'time' ? '<' : '<=' } as const
    return (['from', 'to'] as const).map((end) => {
      const schema = Type.Optional(form.schema({ examples: [...form.examples], description: textOf(end) }))
      return [`${name}_${end}`, { column, operator: ends[end], form }, schema]
    })
  }
  const text = (options: PlainEntry) => Type.String({ maxLength: maxTextLength, ...options })
  const ofValue = (options: PlainEntry) =>
    form?.schema(options) ?? (values ? enumSchema(values, options) : text(options))
  const schema = several
    ? Type.Array(ofValue({}), {
        maxItems: maxValues,
        ...documented,
        examples: documented.examples && [documented.examples]
      })
    : ofValue(documented)
  return [[name, { column, operator: several ? 'in' : '=', form }, Type.Optional(schema)]]
}

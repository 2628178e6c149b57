/** The parameters of the filters. CONTRIBUTING.md says what another way to filter needs. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import type { End, KindRules, Operator, Use } from '../kinds/kind.js'
import { boolean } from '../kinds/numbers.js'
import { maxValues } from '../limits.js'
import type { Column, Columns, Documented } from './column.js'
import type { Filter } from './list.js'

/** A parameter that keeps records by a column, or two for a range. */
export interface FilterEntry<Name extends string = string> {
  /** The first example stands in the OpenAPI document. */
  readonly examples?: Documented['examples'] | undefined
  /** Without it, the column of the filter's name. */
  readonly column?: Name
  /** Whether the parameter can be given up to 50 times, and keeps the records with any of its values. */
  readonly several?: boolean | undefined
  /**
   * Two parameters: `created` gives `created_from` and `created_to`. A time is `YYYY-MM-DDThh:mm:ss`, with `Z` for a
   * `utcTime`, and excluded as an end, or a day, `YYYY-MM-DD`. An end that is a day, a date or a number is included.
   */
  readonly range?: boolean | undefined
  /** A parameter, `true` or `false`, that keeps the records whose column has a value, or has none. */
  readonly present?: boolean | undefined
  /** Whether `?counts=<name>` adds the number of records with each value: for enums, booleans, and with `present`. */
  readonly counted?: boolean | undefined
  /** For the OpenAPI document. That of a range is for both parameters, which add what their end means, or for each. */
  readonly description?: string | Readonly<Record<End, string>> | undefined
}

interface FilterParameter extends Filter {
  readonly name: string
  readonly schema: TSchema
}

/** The ways to keep records by a column. A filter without `several`, `range` and `present` keeps what is equal. */
export type WayName = Extract<Use, 'equal' | 'several' | 'range' | 'present'>

interface FilterTexts extends Pick<FilterEntry, 'description' | 'examples'> {
  /** The name of the column. */
  readonly of: string
}

type Way = (name: string, rules: KindRules, given: FilterTexts) => Omit<FilterParameter, 'column'>[]

const ways: Readonly<Record<WayName, Way>> = {
  equal: (name, { notation, parameter }, { of: _of, ...documented }) => [
    { name, operator: '=', notation, schema: parameter(documented as SchemaOptions) }
  ],
  several(name, { notation, parameter }, { of: _of, examples, ...documented }) {
    const options = { maxItems: maxValues, ...documented, examples: examples && [examples] } as SchemaOptions
    return [{ name, operator: 'in', notation, schema: Type.Array(parameter({}), options) }]
  },
  range(name, rules, { of, description }) {
    const { notation, parameter, range } = rules as Required<KindRules>
    const { by, ends, end: last } = range
    const text = description ?? `Only records by their ${by(name, of)}.`
    const end = (end: End, operator: Operator) => ({
      name: `${name}_${end}`,
      operator,
      notation,
      schema: parameter({
        examples: [...notation.examples],
        description: typeof text === 'string' ? `${text} ${ends[end]}` : text[end]
      })
    })
    return [{ ...end('from', '>='), to: `${name}_to` }, end('to', last)]
  },
  present(name, _rules, { of, ...documented }) {
    const { notation, parameter } = boolean as KindRules
    const description = `true: only records with a value of ${of}. false: only records without one.`
    const schema = parameter({ description, examples: notation?.examples, ...documented } as SchemaOptions)
    return [{ name, operator: 'has', notation, schema }]
  }
}

export type WayOf<Filter> = Filter extends { readonly several: true }
  ? 'several'
  : Filter extends { readonly range: true }
    ? 'range'
    : Filter extends { readonly present: true }
      ? 'present'
      : 'equal'

export const wayOf = ({ several, range, present }: FilterEntry): WayName =>
  (several && 'several') || (range && 'range') || (present && 'present') || 'equal'

/** @internal The parameters that a filter adds to the list. */
export function parametersOf(columns: Columns, name: string, filter: FilterEntry): FilterParameter[] {
  const { column = name, several: _several, range: _range, present: _present, counted, ...documented } = filter
  const way = ways[wayOf(filter)]
  const { rules } = columns[column] as Column
  const parameters = way(name, rules, { of: column, ...documented })
  const values = counted && closedValues(rules, filter)
  return parameters.map((parameter) => ({ column, ...parameter, ...(values && { counted: values }) }))
}

/** All values that the parameter can have. Undefined where they are not few. */
export const closedValues = (rules: KindRules, filter: FilterEntry): readonly string[] | undefined => {
  const way = wayOf(filter)
  return way === 'present' ? boolean.closed : way === 'range' ? undefined : rules.closed
}

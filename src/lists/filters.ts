/**
 * The parameters of a list besides `page` and `limit`: how a query string writes a value, and the ways to keep records by
 * it. Another notation is one more object in `notations`, and another way to filter is one more in `ways`.
 */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { maxTextLength, maxValues } from '../numbers.js'
import { type Column, type Columns, type Documented, enumSchema } from './columns.js'
import { day, isDay, time } from './dates-and-numbers.js'
import type { Filter, Kind, Notation, Order } from './list.js'

/** A notation with what the OpenAPI document says of it. */
interface DocumentedNotation extends Notation {
  /** For JSON schemas. */
  readonly examples: readonly unknown[]
  /** What the two ends of a range mean, for people. */
  readonly ends: Readonly<Record<End, string>>
  /** Returns the JSON schema of a value. */
  schema(options: SchemaOptions): TSchema
}

/** The parameters `…_from` and `…_to` of a range. */
type End = 'from' | 'to'

const isLaterText = (one: string, other: string) => one > other

/**
 * `YYYY-MM-DD`, which is the whole day, or `YYYY-MM-DDThh:mm:ss`. Milliseconds are optional, because `toISOString` of
 * JavaScript writes them. The database gets a day as it is, or `YYYY-MM-DD hh:mm:ss.mmm`.
 */
export function timeNotation(zone: '' | 'Z'): DocumentedNotation {
  const pattern = `^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?${zone})?$`
  const form = new RegExp(pattern)
  return {
    message: 'parameterNotTime',
    placeholders: { day: 'YYYY-MM-DD', time: `YYYY-MM-DDThh:mm:ss${zone}` },
    schema: (options) => Type.String({ pattern, ...options }),
    examples: ['2024-03-01', `2024-03-01T09:30:00${zone}`],
    ends: { from: 'From this time on.', to: 'Before this time, or up to this day, which is included.' },
    isGreater: (from, to) => from > (isDay(to) ? `${to} 24` : to),
    read(text) {
      const found = form.test(text) && time(text)
      if (found && isDay(text)) return text
      const milliseconds = /\.(\d+)/.exec(text)?.[1] ?? ''
      return found ? `${found}.${milliseconds.padEnd(3, '0')}` : undefined
    }
  }
}

/** The number in units of its last possible digit. A double holds fewer digits. */
function exact(number: string): bigint {
  const [whole, fraction = ''] = number.split('.')
  return BigInt(whole + fraction.padEnd(10, '0'))
}

/** Every number of this notation fits into `decimal(65, 30)`. */
const numberNotation = (
  message: Notation['message'],
  form: RegExp,
  schema: DocumentedNotation['schema']
): DocumentedNotation => ({
  message,
  placeholders: {},
  schema,
  examples: [10],
  ends: { from: 'This number or a greater one.', to: 'This number or a smaller one.' },
  isGreater: (one, other) => exact(one) > exact(other),
  read: (text) => (form.test(text) ? text : undefined)
})

/** The notations by the kind of a column. The other kinds are texts. */
export const notations = {
  decimal: numberNotation('parameterNotNumber', /^-?\d{1,16}(\.\d{1,10})?$/, Type.Number),
  integer: numberNotation('parameterNotInteger', /^-?\d{1,16}$/, Type.Integer),
  boolean: {
    message: 'parameterNotAllowed',
    placeholders: { allowed: 'true, false' },
    schema: (options) => Type.Boolean(options),
    examples: [true],
    ends: { from: '', to: '' },
    isGreater: isLaterText,
    read: (text) => (text === 'true' || text === 'false' ? text : undefined)
  },
  date: {
    message: 'parameterNotDate',
    placeholders: { day: 'YYYY-MM-DD' },
    schema: (options) => Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', ...options }),
    examples: ['2024-03-01'],
    ends: { from: 'From this day on.', to: 'Up to this day, which is included.' },
    isGreater: isLaterText,
    read: (text) => day(text) ?? undefined
  }
} satisfies Partial<Record<Kind, DocumentedNotation>>

const ofTimes = { '': timeNotation(''), Z: timeNotation('Z') }

const notationOf = ({ kind, zone }: Column): DocumentedNotation | undefined =>
  zone === undefined ? (notations as Partial<Record<Kind, DocumentedNotation>>)[kind] : ofTimes[zone]

/** A parameter that keeps records by a column, or two for a range. */
export interface FilterEntry<Name extends string = string> extends Partial<Pick<Documented, 'examples'>> {
  /** Without it, the column of the filter's name. */
  readonly column?: Name
  /** Whether the parameter can be given up to 50 times, and keeps the records with any of its values. */
  readonly several?: boolean
  /**
   * Two parameters: `created` gives `created_from` and `created_to`. A time is `YYYY-MM-DDThh:mm:ss`, with `Z` for a
   * `utcTime`, and excluded as an end, or a day, `YYYY-MM-DD`. An end that is a day, a date or a number is included.
   */
  readonly range?: boolean
  /** A parameter, `true` or `false`, that keeps the records whose column has a value, or has none. */
  readonly present?: boolean
  /** For the OpenAPI document. That of a range is for both parameters, which add what their end means, or for each. */
  readonly description?: string | Readonly<Record<End, string>>
}

/** The parameter `search`. */
export interface SearchEntry<Name extends string = string> extends Documented {
  /** Columns of texts, of the list's table and of the users. */
  readonly columns: readonly Name[]
  /** Whether a request without the parameter is a 400. */
  readonly required?: boolean
  /**
   * Brings a term into the form in which the columns hold it, such as lower case without accents. A pure function of the
   * text, which gets no empty term. A result that no query string may hold is a 400, and in place of an empty result the
   * term itself is searched. Write the type of its parameter.
   *
   * @default the term itself
   */
  term?(term: string): string
}

/** A parameter of a filter, with its schema. */
interface FilterParameter extends Filter {
  readonly name: string
  readonly schema: TSchema
}

/** What a filter says besides its column and its way. */
interface Given extends Pick<FilterEntry, 'description' | 'examples'> {
  /** The name of the column. */
  readonly of: string
}

interface Way {
  /** The kinds of columns that the way compares. */
  readonly kinds: readonly Kind[]
  /** The parameters of a filter, each with its schema. */
  parameters(name: string, column: Column, given: Given): Omit<FilterParameter, 'column'>[]
}

const valueSchema = (column: Column, options: SchemaOptions): TSchema =>
  column.values
    ? enumSchema(column.values, options)
    : (notationOf(column)?.schema(options) ?? Type.String({ maxLength: maxTextLength, ...options }))

/** The ways to keep records by a column. A filter without `several`, `range` and `present` keeps what is equal. */
export const ways = {
  equal: {
    kinds: ['text', 'enum', 'id', 'boolean'],
    parameters: (name, column, { of: _of, ...documented }) => [
      { name, operator: '=', notation: notationOf(column), schema: valueSchema(column, documented as SchemaOptions) }
    ]
  },
  several: {
    kinds: ['text', 'enum', 'id'],
    parameters(name, column, { of: _of, examples, ...documented }) {
      const options = { maxItems: maxValues, ...documented, examples: examples && [examples] } as SchemaOptions
      return [
        { name, operator: 'in', notation: notationOf(column), schema: Type.Array(valueSchema(column, {}), options) }
      ]
    }
  },
  range: {
    kinds: ['time', 'date', 'decimal', 'integer'],
    parameters(name, column, { of, description }) {
      const notation = notationOf(column) as DocumentedNotation
      const isTime = column.kind === 'time'
      const text = description ?? `Only records by their ${isTime ? `${name} time` : of}.`
      const end = (end: End, operator: Filter['operator']) => {
        const description = typeof text === 'string' ? `${text} ${notation.ends[end]}` : text[end]
        return {
          name: `${name}_${end}`,
          operator,
          notation,
          schema: notation.schema({ examples: [...notation.examples], description })
        }
      }
      return [{ ...end('from', '>='), to: `${name}_to` }, end('to', isTime ? '<' : '<=')]
    }
  },
  present: {
    kinds: ['id', 'text', 'enum', 'decimal', 'integer', 'boolean', 'date', 'time'],
    parameters(name, _column, { of, ...documented }) {
      const notation = notations.boolean
      const description = `Only records with a value of ${of} (true), or without one (false).`
      const schema = notation.schema({ description, examples: notation.examples, ...(documented as SchemaOptions) })
      return [{ name, operator: 'has', notation, schema }]
    }
  }
} satisfies Record<string, Way>

export type WayName = keyof typeof ways

export type WayOf<Filter> = Filter extends { readonly several: true }
  ? 'several'
  : Filter extends { readonly range: true }
    ? 'range'
    : Filter extends { readonly present: true }
      ? 'present'
      : 'equal'

export const wayOf = ({ several, range, present }: FilterEntry): WayName =>
  (several && 'several') || (range && 'range') || (present && 'present') || 'equal'

/** The parameters that a filter adds to the list. */
export function parametersOf(columns: Columns, name: string, filter: FilterEntry): FilterParameter[] {
  const { column = name, several: _several, range: _range, present: _present, ...documented } = filter
  const way: Way = ways[wayOf(filter)]
  const parameters = way.parameters(name, columns[column] as Column, { of: column, ...documented })
  return parameters.map((parameter) => ({ column, ...parameter }))
}

/** The order that `name` and `-name` stand for. No name of a column begins with `-`. */
export const orderOf = (text: string): Order => ({
  column: text.replace(/^-/, ''),
  direction: text.startsWith('-') ? 'desc' : 'asc'
})

/** The order of each value of `sort`. */
export const ordersOf = (sort: readonly string[]): Record<string, Order> =>
  Object.fromEntries(sort.flatMap((name) => [name, `-${name}`]).map((text) => [text, orderOf(text)]))

export function searchSchema({ columns: _columns, required, term: _term, ...documented }: SearchEntry): TSchema {
  const text = Type.String({ maxLength: maxTextLength, ...documented })
  return required ? text : Type.Optional(text)
}

export const sortSchema = (orders: Readonly<Record<string, Order>>): TSchema =>
  Type.Optional(
    enumSchema(Object.keys(orders), {
      description: 'The column that sorts the records; `-` sorts from the greatest to the least.',
      examples: Object.keys(orders).slice(0, 1)
    })
  )

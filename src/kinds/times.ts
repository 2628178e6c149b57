/** The kinds of days and times. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { type Expression, sql } from 'kysely'
import type { ListSql } from '../database/dialect.js'
import { changed } from '../database/parameter.js'
import { isLaterText, kindOf, type Notation } from './kind.js'
import { afterDay, day, isDay, readDay, readTime, time, utc } from './reading.js'

const zeroDates = ['0000%', '____-00%', '_______-00%']

function presence(column: Expression<unknown>, { bytes }: ListSql) {
  const cell = bytes(column)
  const zeros = zeroDates.map((zero) => sql<boolean>`${cell} like ${sql.lit(zero)}`)
  return {
    none: [sql<boolean>`length(${cell}) = 0`, ...zeros],
    some: [sql<boolean>`length(${cell}) > 0`, sql<boolean>`not (${sql.join(zeros, sql` or `)})`]
  }
}

export const date = kindOf({
  name: 'date',
  nulls: ['empty', 'null', 'error'],
  uses: ['order', 'sort', 'range', 'present'],
  read: readDay,
  schema: Type.String,
  format: /^\d{4}-\d\d-\d\d$/,
  notation: {
    message: 'parameterNotDate',
    placeholders: { day: 'YYYY-MM-DD' },
    examples: ['2024-03-01'],
    read: (text) => day(text) ?? undefined,
    isGreater: isLaterText
  },
  parameter: (options) => Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', ...options }),
  range: {
    end: '<=',
    ends: { from: 'From this day on.', to: 'Up to this day, which is included.' },
    by: (_filter, column) => column,
    compare: (column, operator, value) => sql`${column} ${sql.raw(operator)} ${value.bind()}`
  },
  presence,
  sortedBy: 'item',
  // No index finds zero dates.
  stored: { comparedWith: ['dates', '2024-03-01'], computed: ['has'] }
})

/** `YYYY-MM-DD`, the whole day, or `YYYY-MM-DDThh:mm:ss`, also with milliseconds, as JavaScript's `toISOString` has. */
export function timeNotation(zone: '' | 'Z'): Notation & { parameter(options: SchemaOptions): TSchema } {
  const pattern = `^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?${zone})?$`
  const form = new RegExp(pattern)
  return {
    message: 'parameterNotTime',
    placeholders: { day: 'YYYY-MM-DD', time: `YYYY-MM-DDThh:mm:ss${zone}` },
    examples: ['2024-03-01', `2024-03-01T09:30:00${zone}`],
    parameter: (options) => Type.String({ pattern, ...options }),
    isGreater: (from, to) => from > (isDay(to) ? `${to} 24` : to),
    read(text) {
      const found = form.test(text) && time(text)
      if (found && isDay(text)) return text
      const milliseconds = /\.(\d+)/.exec(text)?.[1] ?? ''
      return found ? `${found}.${milliseconds.padEnd(3, '0')}` : undefined
    }
  }
}

const timeOf = (zone: '' | 'Z', format: RegExp, read: (text: string) => string | null) => {
  const { parameter, ...notation } = timeNotation(zone)
  return kindOf({
    ...date,
    name: 'time',
    read,
    format,
    notation,
    parameter,
    range: {
      end: '<',
      ends: { from: 'From this time on.', to: 'Before this time, or until the end of this day.' },
      by: (filter) => `${filter} time`,
      compare: (column, operator, value, { compareTime }) =>
        compareTime(column, operator as '>=' | '<', operator === '<' ? changed(value, afterDay) : value)
    },
    stored: { comparedWith: ['times', '2024-03-01 09:30:00.000'], as: 'time', computed: ['has'] }
  })
}

export const utcTime = timeOf('Z', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, (text) => utc(readTime(text)))

export const wallTime = timeOf('', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, readTime)

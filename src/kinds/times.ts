/** The kinds of days and times. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { type Expression, sql } from 'kysely'
import type { ListSql } from '../database/dialect.js'
import { changed } from '../database/parameter.js'
import { isLaterText, kindOf, type Notation, refuse } from './kind.js'

/** `2024-03-01 10:20:30.5`, with a space or `T`. The time, the seconds and a zone (`Z`, `+02:00`) are optional. */
const timeForm =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[ T](?<minutes>\d\d:\d\d)(?::(?<seconds>\d\d)(?:\.\d*)?)?(?: ?(?<zone>Z|[+-]\d\d(?::?\d\d)?))?)?$/

/** Fast path: a time that needs no conversion, on a day that exists in every year. */
const plainTime =
  /^(?!0000)\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/**
 * Returns `YYYY-MM-DD hh:mm:ss`. A time without a zone keeps its digits. A time with a zone is converted to UTC. A zero
 * date of MySQL, such as `0000-00-00` or `2024-00-00`, is null. Undefined for a text that is not a time.
 */
export function time(text: string): string | null | undefined {
  if (plainTime.test(text)) return text
  const { date, minutes = '00:00', seconds = '00', zone = 'Z' } = timeForm.exec(text)?.groups ?? {}
  if (date === undefined) return undefined
  if (/^0000|-00/.test(date)) return null
  const digits = `${date}T${minutes}:${seconds}`
  const offset = zone === 'Z' ? zone : zone.replace(/^(...):?(..)?$/, (_zone, hours, rest = '00') => `${hours}:${rest}`)
  // `Date.parse` reads February 30 as March 1.
  const instant = isoOf(`${digits}Z`) === digits && isoOf(digits + offset)
  return instant ? instant.replace('T', ' ') : undefined
}

/** Converts to UTC, `YYYY-MM-DDThh:mm:ss`. Undefined for an invalid day, and for a year after 9999. */
function isoOf(text: string): string | undefined {
  const instant = Date.parse(text)
  const iso = Number.isNaN(instant) ? '' : new Date(instant).toISOString()
  return /^\d{4}-/.test(iso) ? iso.slice(0, 19) : undefined
}

/** `YYYY-MM-DD`. */
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** A day that exists, or null for a zero date. Undefined for a text that is no day. */
const day = (text: string): string | null | undefined => (isDay(text) ? time(text) && text : undefined)

/** The first moment after a day, where the text is a day. The last day of all has no day after it. */
export const afterDay = (text: string): string =>
  isDay(text) ? (isoOf(`${text}T24:00:00Z`)?.replace('T', ' ') ?? `${text} 23:59:59.999999`) : text

export const utc = (time: string | null): string | null => time && `${time.replace(' ', 'T')}Z`

function readTime(text: string): string | null {
  const found = time(text)
  if (found !== undefined) return found
  const isUnixTime = /^\d{9,13}(\.\d*)?$/.test(text)
  return refuse(
    `is not a date and time${isUnixTime ? ', but looks like a time since 1970: convert it in the select' : ''}`
  )
}

function readDay(text: string): string | null {
  const found = day(text)
  if (found !== undefined) return found
  const advice = time(text) === undefined ? '' : ': select date(…) of a date and time'
  return refuse(`is not a date in the form YYYY-MM-DD${advice}`)
}

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

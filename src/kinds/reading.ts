/** Reads values from the texts of cells. What cannot be read is an error and never a guess (contract 86 to 89). */

/** The error of a cell that a column cannot read. The message completes "Column x of record y …". */
export class UnreadableValue extends Error {}

export function refuse(problem: string): never {
  throw new UnreadableValue(problem)
}

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
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** A day that exists, or null for a zero date. Undefined for a text that is no day. */
export const day = (text: string): string | null | undefined => (isDay(text) ? time(text) && text : undefined)

/** The first moment after a day, where the text is a day. The last day of all has no day after it. */
export const afterDay = (text: string): string =>
  isDay(text) ? (isoOf(`${text}T24:00:00Z`)?.replace('T', ' ') ?? `${text} 23:59:59.999999`) : text

export const utc = (time: string | null): string | null => time && `${time.replace(' ', 'T')}Z`

export function readTime(text: string): string | null {
  const found = time(text)
  if (found !== undefined) return found
  const isUnixTime = /^\d{9,13}(\.\d*)?$/.test(text)
  return refuse(
    `is not a date and time${isUnixTime ? ', but looks like a time since 1970: convert it in the select' : ''}`
  )
}

export function readDay(text: string): string | null {
  const found = day(text)
  if (found !== undefined) return found
  const advice = time(text) === undefined ? '' : ': select date(…) of a date and time'
  return refuse(`is not a date in the form YYYY-MM-DD${advice}`)
}

export function readNumber(text: string, form: RegExp, isExact: (value: number) => boolean, expected: string): number {
  const value = Number(text)
  return form.test(text) && isExact(value) ? value : refuse(`is not ${expected}`)
}

/** A BIT is a character with the code 0 or 1. */
const [yes, no] = [
  ['1', 'true', 't', '\u0001'],
  ['0', 'false', 'f', '\0']
]

export const readBoolean = (text: string): boolean =>
  yes.includes(text) || (!no.includes(text) && refuse('is not 0, 1, true or false'))

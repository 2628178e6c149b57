/** Reads a column's text as a date and time (contract 86 to 89). */
import type { Text } from '../database/cells.js'
import { refuse } from './unreadable-value.js'

/** `2024-03-01 10:20:30.5`, or with `T`, without time or seconds, or with a zone: `Z`, `+02`, `+02:00`, `+0200`. */
const timeForm =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[ T](?<minutes>\d\d:\d\d)(?::(?<seconds>\d\d)(?:\.\d*)?)?(?: ?(?<zone>Z|[+-]\d\d(?::?\d\d)?))?)?$/

/** A time that is already in the form of the answer, on a day that exists in every year. */
const plainTime =
  /^(?!0000)\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/**
 * A time as `YYYY-MM-DD hh:mm:ss`: the same digits where the text has no zone, UTC where the text has one. Null for a
 * zero date of MySQL, such as `0000-00-00` or `2024-00-00`.
 */
export function time(text: Text): string | null {
  if (text === null || plainTime.test(text)) return text
  const { date, minutes = '00:00', seconds = '00', zone = 'Z' } = timeForm.exec(text)?.groups ?? {}
  if (date === undefined) return refuse('is not a date and time')
  if (/^0000|-00/.test(date)) return null
  const digits = `${date}T${minutes}:${seconds}`
  const offset = zone === 'Z' ? zone : zone.replace(/^(...):?(..)?$/, (_zone, hours, rest = '00') => `${hours}:${rest}`)
  // JavaScript reads the 30th of February as the 1st of March.
  const instant = isoOf(`${digits}Z`) === digits && isoOf(digits + offset)
  return instant ? instant.replace('T', ' ') : refuse('is not a date and time')
}

/** The instant in UTC, `YYYY-MM-DDThh:mm:ss`. Undefined for a day that does not exist and for a year past 9999. */
function isoOf(text: string): string | undefined {
  const instant = Date.parse(text)
  const iso = Number.isNaN(instant) ? '' : new Date(instant).toISOString()
  return /^\d{4}-/.test(iso) ? iso.slice(0, 19) : undefined
}

/** `2024-03-01 10:20:30` becomes `2024-03-01T10:20:30Z`. */
export const utc = (time: Text): Text => time && `${time.replace(' ', 'T')}Z`

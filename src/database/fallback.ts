/** The slower SQL that avoids an error of the database. */
import { isTextError } from '../errors/driver-errors.js'
import type { Dialect } from './dialect.js'
import { GarbledRows } from './driver-samples.js'

/** @returns undefined if no other SQL avoids the error */
export function fallbackFor(dialect: Dialect, error: unknown): Dialect | undefined {
  if (isTextError(error)) {
    const { fallback } = dialect
    return fallback && { ...dialect, ...fallback, fallback: undefined }
  }
  // Reads the cells as bytes, which no character set of the connection changes.
  return error instanceof GarbledRows && dialect.text !== dialect.bytes
    ? { ...dialect, text: dialect.bytes }
    : undefined
}

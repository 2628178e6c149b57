/** A server that refuses each client at its login or at its first statement, as PgBouncer does. */
import type { Test } from 'tap'
import { refusingPostgres } from './refusing.js'

/** @param refusal the message of PgBouncer 1.18, whose SQLSTATE is always 08P01 */
export const openRefused = async (t: Test, refusal: string, when: 'login' | 'statement') =>
  (await refusingPostgres(t, 'FATAL', '08P01', refusal, when)).db

/** The function type of the start-up check's queries. */
import type { RawBuilder } from 'kysely'
import type { Row } from '../database/driver-samples.js'

/** @returns undefined after a timeout */
export type Ask = (query: RawBuilder<Row>, milliseconds?: number) => Promise<Row[] | undefined>

/** How the start-up check asks the database. */
import type { RawBuilder } from 'kysely'
import type { Row } from '../database/cells.js'

/**
 * Asks the database. Undefined when the answer takes too long, which is no error.
 *
 * @throws Failure when the database does not answer. Otherwise the error of the driver.
 */
export type Ask = (query: RawBuilder<Row>, milliseconds?: number) => Promise<Row[] | undefined>

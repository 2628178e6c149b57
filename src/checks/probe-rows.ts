/** What the probes share: how a probe asks the database, and the finding of a probe. */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../database/driver-samples.js'
import type { Source } from '../database/source.js'
import { columnsOf, type TableName } from '../database/tables.js'
import { Failure } from '../errors/failure.js'
import { slowerSource } from '../query/find.js'
import type { Finding } from './finding.js'
import { dataTimeout, type Subject } from './subject.js'

export const finding = (
  text: string,
  remedy: Finding['remedy'] = 'tables',
  level: Finding['level'] = 'error'
): Finding => ({
  level,
  remedy,
  text
})

export type Build = (source: Source) => RawBuilder<Row>

/** @returns undefined where the statement proves nothing: the time is over, or the database cannot run the statement */
export async function rowsOf(
  { source, ask }: Pick<Subject, 'source' | 'ask'>,
  build: Build,
  milliseconds = dataTimeout
): Promise<Row[] | undefined> {
  try {
    return await ask(build(source), milliseconds)
  } catch (error) {
    if (error instanceof Failure) throw error
    const slower = slowerSource(source, error)
    return slower && rowsOf({ source: slower, ask }, build, milliseconds)
  }
}

export const idOf = (name: TableName, alias = 'x') => sql.ref(`${alias}.${columnsOf[name][0]}`)

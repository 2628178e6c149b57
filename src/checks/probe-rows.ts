/** What the probes share: how a probe asks the database, and the finding of a probe. */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../database/driver-samples.js'
import { fallbackFor } from '../database/fallback.js'
import { columnsOf, type TableName } from '../database/tables.js'
import { Failure } from '../errors/failure.js'
import type { Finding } from './finding.js'
import { type CheckedSource, dataTimeout, type Subject } from './subject.js'

export const finding = (
  text: string,
  remedy: Finding['remedy'] = 'tables',
  level: Finding['level'] = 'error'
): Finding => ({
  level,
  remedy,
  text
})

export type Build = (source: CheckedSource) => RawBuilder<Row>

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
    const dialect = fallbackFor(source.dialect, error)
    return dialect && rowsOf({ source: { ...source, dialect }, ask }, build, milliseconds)
  }
}

export const idOf = (name: TableName, alias = 'x') => sql.ref(`${alias}.${columnsOf[name][0]}`)

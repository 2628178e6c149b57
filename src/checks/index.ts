/** Runs the checks of the start-up check. */
import { type Source, sourceOf } from '../database/source.js'
import type { GetTables, KyselyInstance, ListingTables } from '../database/tables.js'
import { tablesFor } from '../options/tables.js'
import { checkColumns, checkTypes } from './columns.js'
import { checkSettings } from './connection.js'
import { checkedDatabase } from './database.js'
import { type DatabaseFinding, isWrong } from './finding.js'
import { checkIndexes } from './indexes.js'
import { knownColumns } from './known-columns.js'
import { checkProbes } from './probes.js'
import { checkData } from './records.js'
import { checkStatements } from './statements.js'
import { checkTrigramIndex } from './trigram-index.js'

/**
 * Runs the start-up check in a script. The check needs only the right to SELECT.
 *
 * @param options `db` and `tables`, as in `ListingOptions`
 * @returns all problems together. The array is empty when the database fits the lists.
 * @throws Error when the database does not answer.
 * @example
 * const findings = await checkDatabase({ db, tables })
 * if (findings.length > 0) console.error(textOfFindings(findings))
 */
export const checkDatabase = async <Db extends KyselyInstance>({
  db,
  tables = {}
}: {
  /** The Kysely instance to check. */
  db: Db
  /** The option `tables` of the registration. */
  tables?: ListingTables | GetTables<Db> | undefined
}): Promise<DatabaseFinding[]> => findingsOf(sourceOf(db, tablesFor(db, tables)))

/**
 * @param wait milliseconds for all checks
 * @throws Failure when the database does not answer in time
 */
export async function findingsOf(source: Source, wait?: number): Promise<DatabaseFinding[]> {
  const database = checkedDatabase(source, wait)
  const settings = await checkSettings(database)
  // The other checks could not read the answers of this database.
  if (isWrong(settings)) return settings
  const known = await knownColumns(database)
  const found = [
    ...settings,
    ...(await checkColumns(database, known)),
    ...checkTypes(database, known),
    ...checkIndexes(database, known),
    ...(await checkTrigramIndex(database, known))
  ]
  // The next checks would report the same errors again.
  if (!isWrong(found)) found.push(...(await checkStatements(database)))
  if (!isWrong(found)) found.push(...(await checkProbes(database)), ...(await checkData(database)))
  return found
}

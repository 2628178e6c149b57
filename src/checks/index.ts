/** The start-up check, for scripts and for the boot. */
import type { Source } from '../database/source.js'
import type { KyselyInstance } from '../database/tables.js'
import { InvalidOption } from '../errors/boot-error.js'
import type { List } from '../lists/list.js'
import type { defaultLists } from '../lists/ready/index.js'
import type { OptionsOf } from '../options/options.js'
import { sourcesOf } from '../options/request-database.js'
import { notDatabase } from '../options/rules.js'
import { answerSettingsOf, type GivenOptions } from '../options/settings.js'
import { checkColumns, checkTypes } from './columns.js'
import { checkAnswers, checkDirect, checkSession } from './connection.js'
import { checkedDatabase } from './database.js'
import { checkStatements } from './explain.js'
import { type DatabaseFinding, isWrong } from './finding.js'
import { checkIndexes } from './indexes.js'
import { knownColumns } from './known-columns.js'
import { checkData } from './records.js'
import { checkStoredTypes } from './stored-types.js'

/**
 * Runs the start-up check in a script. The check needs only the right to SELECT.
 *
 * @param options the options of `createListings`. Only `db` is required, and is an instance.
 * @returns all problems together. The array is empty when the database fits the lists.
 * @throws Error when the database does not answer, and TypeError when an option is wrong.
 * @example
 * const findings = await checkDatabase({ db, tables })
 * if (findings.length > 0) console.error(formatFindings(findings))
 */
export const checkDatabase = async <
  Db extends KyselyInstance,
  const Lists extends readonly List[] = typeof defaultLists
>(
  options: {
    /** The Kysely instance that is checked. To check a replica, give the replica's instance. */
    db: Db
    /** The lists to check, as in `createListings`. Default: both lists. */
    lists?: Lists | undefined
  } & Partial<Omit<OptionsOf<Db, Lists>, 'db' | 'lists'>>
): Promise<DatabaseFinding[]> => {
  const { db, tables = {} } = options as Partial<GivenOptions> & { db: Db }
  const { lists, maxLimit } = answerSettingsOf(options as Partial<GivenOptions>, ['db'])
  const problem = notDatabase(db)
  if (problem) throw new InvalidOption(`Option 'db': checkDatabase needs a Kysely instance; got ${problem}.`)
  return findingsOf(sourcesOf({ db, tables, lists }).ofCall(db), lists, { maxLimit })
}

/** @internal @throws Failure when the database does not answer in time */
export async function findingsOf(
  source: Source,
  lists: readonly List[],
  options?: { wait?: number; maxLimit?: number; timeout?: number }
): Promise<DatabaseFinding[]> {
  const database = checkedDatabase(source, lists, options)
  const answers = await checkAnswers(database)
  if (isWrong(answers)) return answers
  const session = await checkSession(database)
  const known = await knownColumns(database)
  session.push(...(await checkDirect(database, known, options?.timeout)))
  const found = [
    ...(await checkColumns(database, known)),
    ...checkTypes(database, known),
    ...checkIndexes(database, known)
  ]
  // The next checks would report the same errors again.
  if (!isWrong(found)) found.push(...(await checkStatements(database)))
  if (!isWrong(found)) found.push(...(await checkStoredTypes(database)), ...(await checkData(database)))
  return [...answers, ...session, ...found, ...database.missed()]
}

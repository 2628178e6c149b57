/** The check of a host's database against the relations: everything that is wrong with it, at once. */
import { type Database, type RelationName, type Relations, relationNames } from '../relations.js'
import { type Source, sourceOf } from '../source.js'
import { checkColumns, checkKinds } from './columns.js'
import { checkData } from './data.js'
import type { Finding } from './finding.js'
import { checkIndexes } from './indexes.js'
import { checkPadding, checkSettings } from './settings.js'
import { checkStatements } from './statements.js'
import { knownColumns, subjectOf } from './subject.js'

/**
 * Checks a database as the server does when it gets ready, for scripts of a host's own. Needs no right
 * but SELECT.
 *
 * @returns what is wrong, all of it; nothing when the database fits the lists.
 * @throws Error when the database does not answer.
 * @example
 * const findings = await checkDatabase({ db, relations })
 * if (findings.length > 0) console.error(textOfFindings(findings))
 */
export const checkDatabase = async ({
  db,
  relations = {}
}: {
  db: Database
  relations?: Relations | undefined
}): Promise<Finding[]> => findingsOf(sourceOf(db, relations), relations)

export async function findingsOf(source: Source, relations: Relations): Promise<Finding[]> {
  const subject = subjectOf(source, namesOf(relations))
  const settings = await checkSettings(subject)
  // what comes back from this database cannot be read
  if (isWrong(settings)) return settings
  const known = await knownColumns(subject)
  const found = [
    ...settings,
    ...(await checkPadding(subject, known)),
    ...(await checkColumns(subject, known)),
    ...checkKinds(subject, known),
    ...checkIndexes(subject, known)
  ]
  // where something is wrong, what comes after it would only say so again
  if (!isWrong(found)) found.push(...(await checkStatements(subject, known)))
  if (!isWrong(found)) found.push(...(await checkData(subject)))
  return found
}

/** Whether answers would be wrong. */
export const isWrong = (findings: readonly Finding[]): boolean => findings.some(({ level }) => level === 'error')

/** Practitioners that are not given are the users. */
const namesOf = ({ practitioners }: Relations): RelationName[] =>
  relationNames.filter((name) => name !== 'practitioners' || practitioners !== undefined)

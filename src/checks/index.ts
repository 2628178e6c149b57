/** The check of a host's database against the relations: everything that is wrong with it, at once. */
import { type Database, type RelationName, type Relations, relationNames } from '../relations.js'
import { type Source, sourceOf } from '../source.js'
import { checkColumns, checkKinds } from './columns.js'
import { checkData } from './data.js'
import type { Finding } from './finding.js'
import { checkIndexes } from './indexes.js'
import { checkSettings } from './settings.js'
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
export const checkDatabase = ({ db, relations = {} }: { db: Database; relations?: Relations }): Promise<Finding[]> =>
  findingsOf(sourceOf(db, relations), relations)

export async function findingsOf(source: Source, relations: Relations): Promise<Finding[]> {
  const subject = subjectOf(source, namesOf(relations))
  const first = [...(await checkSettings(subject)), ...(await checkColumns(subject))]
  // without columns, or rows that can be read, the rest would only say the same again
  if (first.some(({ level }) => level === 'error')) return first
  const known = await knownColumns(subject)
  return [
    ...first,
    ...checkKinds(known, subject),
    ...(await checkStatements(subject)),
    ...checkIndexes(known, subject),
    ...(await checkData(subject))
  ]
}

/** Practitioners that are not given are the users. */
const namesOf = ({ practitioners }: Relations): RelationName[] =>
  relationNames.filter((name) => name !== 'practitioners' || practitioners !== undefined)

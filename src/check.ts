/** The start-up check: does the host's database have what the relations promise? */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Failure, failureOf } from './errors.js'
import type { Settings } from './options.js'
import { columnsOf, type RelationName, relationNames } from './relations.js'
import { type Source, sourceOf } from './source.js'

/** How long the boot may wait for the database, and then how long until it is asked again. */
const patience = 5_000

/**
 * Checks the database when the server gets ready. One that cannot be reached never stops the boot: it is
 * asked again every few seconds, and what is found then is logged.
 *
 * @throws Error with all findings, from the hook, when `checkOnReady` is `'error'`.
 */
export function checkWhenReady(app: FastifyInstance, { db, relations, checkOnReady }: Settings): void {
  // A database for each request cannot be looked at before there is one.
  if (checkOnReady === 'off' || typeof db === 'function') return
  const source = sourceOf(db, relations)
  // practitioners that are not given are the users
  const names = relationNames.filter((name) => name !== 'practitioners' || relations.practitioners !== undefined)
  let later: NodeJS.Timeout | undefined
  let closed = false

  app.addHook('onReady', async () => {
    const findings = await findingsOrFailure()
    if (Array.isArray(findings) && findings.length > 0 && checkOnReady === 'error') throw new Error(textOf(findings))
    report(findings)
  })
  app.addHook('onClose', async () => {
    closed = true
    clearTimeout(later)
  })

  async function findingsOrFailure(): Promise<Findings | Failure> {
    const deadline = new Promise<never>((_resolve, reject) => {
      later = setTimeout(reject, patience, { code: 'ETIMEDOUT' }).unref()
    })
    return Promise.race([checkRelations(source, names, patience), deadline])
      .catch(failureOf)
      .finally(() => clearTimeout(later))
  }

  function report(result: Findings | Failure): void {
    if (closed) return
    if (Array.isArray(result)) {
      if (result.length > 0) app.log.warn(textOf(result))
      return
    }
    app.log.warn({ kind: result.kind, ...result.facts }, 'The database could not be checked; it is asked again.')
    later = setTimeout(async () => report(await findingsOrFailure()), patience).unref()
  }
}

/** What is wrong, a line each; empty when nothing is. */
type Findings = string[]

const textOf = (findings: Findings): string =>
  ["The database does not fit the lists; mend the option 'relations' or the database:", ...findings].join('\n- ')

/**
 * Asks each relation for its columns, but for no row. Needs no right but SELECT.
 *
 * @throws Failure when the database does not answer.
 */
async function checkRelations(
  { db, dialect, relation }: Source,
  names: readonly RelationName[],
  milliseconds: number
): Promise<Findings> {
  const findings: Findings = []
  for (const name of names) {
    const columns = columnsOf[name].map((column) => sql.ref(`x.${column}`))
    const query = sql`select ${sql.join(columns)} from ${relation(name)} as x where 1 = 0`.compile(db)
    try {
      await db.executeQuery({ ...query, sql: dialect.within(query.sql, milliseconds) })
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'internal') throw failure
      findings.push(`${name} needs the columns ${columnsOf[name].join(', ')}. The database says: ${messageOf(error)}`)
    }
  }
  return findings
}

/** Here the driver's text is for the operator alone, and our statement has no values in it. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

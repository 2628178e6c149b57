/** The input of each check. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import { type Row, type Text, textOf } from '../database/cells.js'
import { openSession, type Session } from '../database/session.js'
import type { Source, Tables } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import { isReadLimit } from '../errors/driver-error-codes.js'
import { Failure } from '../errors/failure.js'
import { defaultLimits } from '../limits.js'
import type { List, ListColumns } from '../lists/list.js'
import { readTablesOf } from '../options/tables.js'
import type { Fitted } from '../question/fitted/fitted-sql.js'
import { knownNow } from '../question/fitted/known-tables.js'
import { type DatabaseFinding, finding } from './finding.js'

/** The database, with the tables of the moment when the check begins. */
export interface CheckedDatabase extends Omit<Source, 'tables'> {
  readonly lists: readonly List[]
  columns(name: string): ListColumns
  readonly tables: Tables
  readonly maxLimit: number
  /** Undefined after the milliseconds or at a limit of the session, as `missed` tells. `isDirect`: no transaction. */
  readonly ask: Ask
  /** Undefined also where the database cannot run the query. */
  readonly attempt: Ask
  /** What requests know of the tables of a list. Undefined after a timeout, as with `ask`. */
  fitted(list: List): Promise<Fitted | undefined>
  /** Notes what the check could not look at. An unsure check never stops the boot. */
  miss(what: string, reason: string): void
  missed(): DatabaseFinding[]
}

type Texts = Record<string, Text>[] | undefined
type Ask = (what: string, query: RawBuilder<unknown>, timeout?: number, isDirect?: boolean) => Promise<Texts>

/** Milliseconds for a query that reads no records. */
const defaultTimeout = 5_000

/** Milliseconds for a query that reads records. */
export const dataTimeout = 300

export function checkedDatabase(
  source: Source,
  lists: readonly List[],
  { wait = Number.POSITIVE_INFINITY, maxLimit = defaultLimits.maxLimit } = {}
): CheckedDatabase {
  const tables = source.tables(source.names)
  const { columns } = readTablesOf(lists)
  const end = performance.now() + wait
  const missedBy = new Map<string, Set<string>>()
  const miss: CheckedDatabase['miss'] = (what, reason) => {
    missedBy.set(reason, (missedBy.get(reason) ?? new Set()).add(what))
  }
  const inTime = async <Result>(what: string, timeout: number, run: (session: Session) => Promise<Result>) => {
    const timeLeft = end - performance.now()
    // The check is tried again later.
    if (timeLeft <= 0) throw new Failure('unavailable', 'The check took too long.', { code: 'ETIMEDOUT' })
    const milliseconds = Math.ceil(Math.min(timeout, timeLeft))
    const over = AbortSignal.timeout(milliseconds)
    const session = openSession(source, { timeLeft: () => (over.aborted ? 0 : milliseconds), over })
    // The extra second lets the session stop the statement, which frees the connection.
    const late = sleep(Math.min(milliseconds + 1_000, timeLeft), undefined, { ref: false }).then(() => undefined)
    let reason = `it took longer than ${timeout / 1000} s`
    const result = await Promise.race([run(session), late]).catch((error) => {
      const failure = failureOf(error)
      // `checkSession` tells the limit.
      if (isReadLimit(error)) reason = 'the session limits what a statement reads'
      else if (failure.kind !== 'timeout') throw failure.kind === 'unavailable' ? failure : error
      return undefined
    })
    if (result === undefined) miss(what, reason)
    return result
  }
  const ask: Ask = (what, query, timeout = defaultTimeout, isDirect = false) =>
    inTime(what, timeout, async (session) => {
      const compiled = session.compile(query as RawBuilder<Row>)
      const rows = await (isDirect ? session.direct() : session).run(compiled)
      return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, textOf(cell)])))
    })
  return {
    ...source,
    lists,
    columns: (name) => columns[name] as ListColumns,
    tables,
    maxLimit,
    ask,
    attempt: (what, ...query) =>
      ask(what, ...query).catch((error) => {
        if (error instanceof Failure) throw error
        miss(what, 'the database refuses the statement')
        return undefined
      }),
    fitted: (list) =>
      inTime(`the statements of the ${list.name}`, defaultTimeout, (session) => knownNow(list, tables, session)),
    miss,
    missed: () =>
      Array.from(missedBy, ([reason, whats]) =>
        finding('info', 'unchecked', `Not checked, because ${reason}: ${[...whats].join(', ')}.`)
      )
  }
}

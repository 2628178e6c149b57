/** Runs the statements of a request, each within the deadline and with a timing. */
import type { Row } from '../database/driver-samples.js'
import type { Session } from '../database/session.js'
import { matchedKey, textsOf } from './items.js'
import type { PageOptions } from './queries.js'
import type { Matches } from './search.js'
import type { ShareCount } from './shared-counts.js'
import type { Statements } from './statements.js'
import { totalIn } from './total.js'

export interface Steps {
  /** @param maxMilliseconds a limit besides the deadline */
  page(options: PageOptions, maxMilliseconds?: number): Promise<Row[]>
  total(matches?: Matches): Promise<number>
  /** The ids that the search matches, or undefined for more than `maxRows`. */
  idsOf(side: keyof Matches, maxRows: number): Promise<readonly string[] | undefined>
}

export function stepsOf(session: Session, statements: Statements, share: ShareCount | undefined): Steps {
  const { timed } = session
  return {
    page: (options, maxMilliseconds) => timed('page', () => session.run(statements.page(options), maxMilliseconds)),
    total(matches) {
      const statement = statements.total(matches)
      const count = async () => Number(totalIn(await session.run(statement)))
      return timed('total', () => (share ? share(session, statement, count) : count()))
    },
    async idsOf(side, maxRows) {
      const statement = statements.idsOf(side, maxRows + 1)
      const rows = statement ? await timed('matches', () => session.run(statement)) : []
      return rows.length > maxRows ? undefined : textsOf(rows, matchedKey)
    }
  }
}

/** Runs the statements of a request, each within the deadline and with a timing. */
import type { CompiledQuery } from 'kysely'
import type { Row } from '../database/cells.js'
import { execute } from '../database/execute.js'
import type { Source } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import { matchedKey, recordTotal, textsOf } from './items.js'
import type { Ids, Matches, PageOptions } from './page-options.js'
import type { ListRequest } from './request.js'
import type { ShareCount } from './shared-counts.js'
import type { Statements } from './statements.js'

export interface Steps {
  /** @param maxMilliseconds in addition to the deadline */
  page(options: PageOptions, maxMilliseconds?: number): Promise<Row[]>
  total(matches?: Matches): Promise<number>
  /** The ids that the search matches, or `many` for more than `maxRows`. */
  idsOf(side: keyof Matches, maxRows: number): Promise<Ids>
}

export function stepsOf(
  source: Source,
  statements: Statements,
  { timed, timeLeft, over, onWait }: ListRequest,
  share: ShareCount | undefined
): Steps {
  const run = (statement: CompiledQuery<Row>, maxMilliseconds = Number.POSITIVE_INFINITY) =>
    execute(source, statement, { over, onWait, timeLeft: () => Math.min(maxMilliseconds, timeLeft()) })

  return {
    page: (options, maxMilliseconds) => timed('page', () => run(statements.page(options), maxMilliseconds)),
    total(matches) {
      const statement = statements.total(matches)
      const count = async () => Number(totalIn(await run(statement)))
      const join = (share: ShareCount): Promise<number> => {
        onWait?.('statement')
        return share(source.shareable, statement, count).catch((error) => {
          // Only the request that started the count has timed out.
          if (failureOf(error).kind === 'timeout' && timeLeft() > 0) return join(share)
          throw error
        })
      }
      return timed('total', () => (share ? join(share) : count()))
    },
    async idsOf(side, maxRows) {
      const statement = statements.idsOf(side, maxRows + 1)
      const rows = statement ? await timed('matches', () => run(statement)) : []
      return rows.length > maxRows ? 'many' : textsOf(rows, matchedKey)
    }
  }
}

/** Undefined if the statement does not count. */
export const totalIn = (rows: Row[]): number | undefined => textsOf(rows.slice(0, 1), recordTotal).map(Number)[0]

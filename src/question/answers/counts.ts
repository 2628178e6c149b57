/** Adds counts to another answer: how many records have each value of a filter. */
import { countsOf } from '../sql/counts.js'
import type { Counts } from '../sql/items.js'
import type { AnswerKind } from './answer.js'
import { searchFor } from './planned-page.js'

export interface Counted {
  readonly counts?: Readonly<Record<string, Counts>>
}

/** Adds the numbers that the question asks for, by one statement for each filter, if the other kind has none. */
export const withCounts =
  <Answer extends Counted>(kind: AnswerKind<Answer>): AnswerKind<Answer & Counted> =>
  async (asking) => {
    const { question, run } = asking
    if (!question.counts) return kind(asking)
    const search = await searchFor(asking)
    const answer = await kind({ ...asking, search })
    if (answer.counts) return answer
    const counts: Record<string, Counts> = {}
    for (const counted of question.counts) {
      const { filter } = counted
      // The matching records were found under the filter itself.
      const matches = question.filters[filter] ? { users: search?.matches?.users } : search?.matches
      counts[filter] = await run(countsOf(counted, matches))
    }
    return { ...answer, counts }
  }

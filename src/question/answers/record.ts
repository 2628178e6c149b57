/** The answer `record`: the item of one record, or nothing where it does not exist or the caller may not see it. */
import type { AnswerKind } from './answer.js'

export interface OneRecord {
  readonly item: unknown
}

export const record: AnswerKind<OneRecord> = async ({ statements, run }) => {
  const span = { skip: 0, take: 1, backwards: false }
  // Otherwise MySQL and MariaDB may scan the records in the order of the list.
  const { items } = await run(statements.page({ span, plan: 'sorted', isBatch: true }))
  return { item: items[0] }
}

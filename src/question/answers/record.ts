/** The answer `record`: the item of one record. */
import { Failure } from '../../errors/failure.js'
import { pageOf } from '../sql/page.js'
import type { AnswerKind } from './answer.js'

/** Otherwise MySQL and MariaDB may scan the records in the order of the list. */
export const recordPage = { span: { skip: 0, take: 1, backwards: false }, plan: 'sort' } as const

/** @throws Failure of the kind `notFound`, whether the record does not exist or the caller may not see it */
export const record: AnswerKind<{ readonly item: unknown }> = async ({ run }) => {
  const { items } = await run(pageOf(recordPage))
  if (items.length === 0) throw new Failure('notFound', 'There is no such record in reach of the caller.')
  return { item: items[0] }
}

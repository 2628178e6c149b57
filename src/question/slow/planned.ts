/** Finds a page of all records: a later page, or a search on MySQL and MariaDB (see `needsPlan`). */
import type { Deadline } from '../../database/deadline.js'
import { failureOf } from '../../errors/classify.js'
import type { Thresholds } from '../../numbers.js'
import { type ItemsAndTotal, itemsAndTotal, type ReadPage } from '../items.js'
import type { PageOptions } from '../queries.js'
import { type Question, type Span, spanOf } from '../question.js'
import type { Matches } from '../search.js'
import type { Steps } from '../statements.js'

interface PlannedFind {
  question: Question
  steps: Steps
  thresholds: Thresholds
  deadline: Deadline
}

/** What a search matches. `few` has the ids of both sides. A side with too many ids is undefined. */
type Search = { kind: 'unlimited' | 'none' } | { kind: 'few' | 'many'; matches: Matches }

export async function findPlanned(find: PlannedFind): Promise<ItemsAndTotal> {
  const search = await readMatches(find)
  switch (search.kind) {
    case 'none':
      return { items: [], total: 0 }
    case 'few':
      return findSorted(find, search.matches)
    case 'many':
      return find.question.page === 1 ? findFirst(find, search.matches) : findLater(find, search.matches)
    case 'unlimited':
      return findLater(find)
  }
}

/** Reads the ids that the search matches, up to a maximum, where a statement can tell the database its plan. */
async function readMatches({ question: { list, term, filters }, steps, thresholds }: PlannedFind): Promise<Search> {
  if (term === undefined || !steps.canPlan) return { kind: 'unlimited' }
  const users = await steps.idsOf('users', thresholds)
  const isFiltered = Object.keys(filters).length > 0
  // The count of many users reads every record of the filter, so the ids of the records would save nothing.
  const isUseless = !users && isFiltered && list.search.records.length > 0
  const records = isUseless ? undefined : await steps.idsOf('records', thresholds)
  if (!users || !records) return { kind: 'many', matches: { users, records } }
  return users.length + records.length === 0 ? { kind: 'none' } : { kind: 'few', matches: { users, records } }
}

/** One statement sorts and counts all matches. */
async function findSorted({ question, steps }: PlannedFind, matches: Matches) {
  const read = await steps.page({ span: spanOf(question), plan: 'sorted', matches, withTotal: true })
  return itemsAndTotal(question, read, () => steps.total(matches))
}

/** Scans from the newest record, and counts. If the time is over, all matches may be old. */
async function findFirst(find: PlannedFind, matches: Matches): Promise<ItemsAndTotal> {
  const { question } = find
  const read = await scan(find, { span: spanOf(question), matches })
  return read ? itemsAndTotal(question, read, () => find.steps.total(matches)) : findSorted(find, matches)
}

/** Counts, and reads the page from the nearer end, in the fastest order for the total. */
async function findLater(find: PlannedFind, matches?: Matches): Promise<ItemsAndTotal> {
  const { question, steps, thresholds } = find
  const total = await steps.total(matches)
  const span = spanOf(question, total)
  if (span.take === 0) return { items: [], total }
  const plan = matches && laterPlan(span, total, thresholds)
  const scanned = plan === 'newest' ? await scan(find, { span, matches }) : undefined
  const { items } = scanned ?? (await steps.page({ span, plan: matches && 'sorted', matches }))
  return { items, total }
}

/** Undefined if the time is over before the page is full. */
async function scan(
  { deadline, steps, thresholds }: PlannedFind,
  options: Pick<PageOptions, 'span' | 'matches'>
): Promise<ReadPage | undefined> {
  try {
    return await steps.page({ ...options, plan: 'newest' }, thresholds.scanTime)
  } catch (error) {
    if (failureOf(error).kind === 'timeout' && deadline.timeLeft() > 0) return undefined
    throw error
  }
}

/** The plan of a later page of all records whose search matches many. */
export function laterPlan({ skip, take }: Span, total: number, thresholds: Thresholds): 'newest' | 'sorted' {
  const { minMatches, minMatchesPerRow } = thresholds
  return total > minMatches && (skip + take) * minMatchesPerRow <= total ? 'newest' : 'sorted'
}

/** A page of all records that takes several statements: a later page, or a search on MySQL and MariaDB. */
import { failureOf } from '../../errors/classify.js'
import { measured, type Thresholds } from '../../limits.js'
import { needsPlan, type Span, spanOf } from '../asked/question.js'
import type { ReadPage } from '../sql/items.js'
import type { PageOptions } from '../sql/queries.js'
import type { Matches } from '../sql/search.js'
import type { Asking, Search } from './answer.js'
import { readPage } from './read.js'
import { type ItemsAndTotal, itemsAndTotal } from './total.js'

interface Planning extends Asking {
  readonly thresholds: Thresholds
}

export async function plannedPage(asking: Asking, thresholds: Thresholds): Promise<ItemsAndTotal> {
  const planning = { ...asking, thresholds }
  const search = asking.search ?? (await readMatches(planning))
  switch (search.kind) {
    case 'none':
      return { items: [], total: 0 }
    case 'few':
      return readSorted(planning, search.matches)
    case 'many':
      return asking.question.page === 1 ? readFirst(planning, search.matches) : readLater(planning, search.matches)
    case 'unlimited':
      return readLater(planning)
  }
}

/** What the search of a question matches, where several statements need it. Undefined where each finds it by itself. */
export async function searchFor(asking: Asking): Promise<Search | undefined> {
  const { question, statements, search } = asking
  if (search || !needsPlan({ ...question, page: 1 }, statements)) return search
  return readMatches({ ...asking, thresholds: measured })
}

export async function readPlanned(asking: Asking, options: PageOptions, { kind, matches }: Search): Promise<ReadPage> {
  const found = { ...options, matches }
  const scanned = kind === 'many' ? await scan({ ...asking, thresholds: measured }, found) : undefined
  return scanned ?? readPage(asking, { ...found, plan: 'sorted' })
}

/** Reads the ids that the search matches, up to a maximum, where a statement can tell the database its plan. */
async function readMatches({ question, statements, run, thresholds }: Planning): Promise<Search> {
  const { list, term, filters } = question
  if (term === undefined || !statements.canPlan) return { kind: 'unlimited' }
  const idsOf = async (side: keyof Matches) => {
    const statement = statements.idsOf(side, thresholds)
    return statement ? run(statement) : []
  }
  const users = await idsOf('users')
  const isFiltered = Object.keys(filters).length > 0
  // Too many users: the count reads every record of the filter, so the ids of the records would save nothing.
  const isUseless = !users && isFiltered && list.search.records.length > 0
  const records = isUseless ? undefined : await idsOf('records')
  if (!users || !records) return { kind: 'many', matches: { users, records } }
  return { kind: users.length + records.length === 0 ? 'none' : 'few', matches: { users, records } }
}

/** One statement sorts and counts all matches. */
async function readSorted(planning: Planning, matches: Matches) {
  const { question, statements, run } = planning
  const read = await readPage(planning, { span: spanOf(question), plan: 'sorted', matches, withTotal: true })
  return itemsAndTotal(question, read, () => run(statements.total(matches)))
}

/** Scans from the newest record, and counts. If the time is over, all matches may be old. */
async function readFirst(planning: Planning, matches: Matches): Promise<ItemsAndTotal> {
  const { question, statements, run } = planning
  const read = await scan(planning, { span: spanOf(question), matches })
  return read ? itemsAndTotal(question, read, () => run(statements.total(matches))) : readSorted(planning, matches)
}

/** Counts, and reads the page from the nearer end, in the fastest order for the total. */
async function readLater(planning: Planning, matches?: Matches): Promise<ItemsAndTotal> {
  const { question, statements, run, thresholds } = planning
  const total = await run(statements.total(matches))
  const span = spanOf(question, total)
  if (span.take === 0) return { items: [], total }
  const plan = matches && laterPlan(span, total, thresholds)
  const scanned = plan === 'newest' ? await scan(planning, { span, matches }) : undefined
  const { items } = scanned ?? (await readPage(planning, { span, plan: matches && 'sorted', matches }))
  return { items, total }
}

/** Undefined if the time is over before the page is full. */
async function scan(planning: Planning, options: PageOptions): Promise<ReadPage | undefined> {
  try {
    return await readPage(planning, { ...options, plan: 'newest' }, planning.thresholds.scanTime)
  } catch (error) {
    if (failureOf(error).kind === 'timeout' && planning.deadline.timeLeft() > 0) return undefined
    throw error
  }
}

export function laterPlan({ skip, take }: Span, total: number, thresholds: Thresholds): 'newest' | 'sorted' {
  const { minMatches, minMatchesPerRow } = thresholds
  return total > minMatches && (skip + take) * minMatchesPerRow <= total ? 'newest' : 'sorted'
}

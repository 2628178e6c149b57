/** A page of all records that takes several statements: a later page, or a search on MySQL and MariaDB. */
import { failureOf } from '../../errors/classify.js'
import type { Thresholds } from '../../limits.js'
import { type Matches, needsPlan, type Span, spanOf } from '../asked/question.js'
import type { ReadPage } from '../sql/items.js'
import type { PageOptions } from '../sql/page.js'
import { totalOf } from '../sql/records.js'
import { matchesOf } from '../sql/search.js'
import type { Asking, Search } from './answer.js'
import { readPage } from './read.js'
import { type ItemsAndTotal, itemsAndTotal } from './total.js'

export async function plannedPage(asking: Asking): Promise<ItemsAndTotal> {
  const search = asking.search ?? (await readMatches(asking))
  switch (search.kind) {
    case 'none':
      return { items: [], total: 0 }
    case 'few':
      return readSorted(asking, search.matches)
    case 'many':
      return asking.question.page === 1 ? readFirst(asking, search.matches) : readLater(asking, search.matches)
    case 'unlimited':
      return readLater(asking)
  }
}

/** What the search of a question matches, where several statements need it. Undefined where each finds it by itself. */
export async function searchFor(asking: Asking): Promise<Search | undefined> {
  const { question, planning, search } = asking
  return search || !needsPlan({ ...question, page: 1 }, planning) ? search : readMatches(asking)
}

export async function readPlanned(asking: Asking, options: PageOptions, { kind, matches }: Search): Promise<ReadPage> {
  const found = { ...options, matches }
  return (kind === 'many' && (await scan(asking, found))) || readPage(asking, { ...found, plan: 'sort' })
}

/** Reads the ids that the search matches, up to a maximum, where a statement can tell the database its plan. */
async function readMatches({ question, planning, run }: Asking): Promise<Search> {
  const { list, term, filters } = question
  if (term === undefined || !planning) return { kind: 'unlimited' }
  const { thresholds } = planning
  const idsOf = async (side: keyof Matches) => (list.search[side].length > 0 ? run(matchesOf(side, thresholds)) : [])
  const users = await idsOf('users')
  const isFiltered = Object.keys(filters).length > 0
  // Too many users: the count reads every record of the filter, so the ids of the records would save nothing.
  const isUseless = !users && isFiltered && list.search.records.length > 0
  const records = isUseless ? undefined : await idsOf('records')
  if (!users || !records) return { kind: 'many', matches: { users, records } }
  return { kind: users.length + records.length === 0 ? 'none' : 'few', matches: { users, records } }
}

/** One statement sorts and counts all matches. */
async function readSorted(asking: Asking, matches: Matches) {
  const options = { span: spanOf(asking.question), plan: 'sort', matches, windowTotal: true } as const
  return itemsAndTotal(asking, await readPage(asking, options), matches)
}

/** Scans from the newest record, and counts. If the time is over, all matches may be old. */
async function readFirst(asking: Asking, matches: Matches): Promise<ItemsAndTotal> {
  const read = await scan(asking, { span: spanOf(asking.question), matches })
  return read ? itemsAndTotal(asking, read, matches) : readSorted(asking, matches)
}

/** Counts, and reads the page from the nearer end, in the fastest order for the total. */
async function readLater(asking: Asking, matches?: Matches): Promise<ItemsAndTotal> {
  const { question, planning, run } = asking
  const total = await run(totalOf(matches))
  const span = spanOf(question, total)
  if (span.take === 0) return { items: [], total }
  const isScanned = matches && planning && laterPlan(span, total, planning.thresholds) === 'scan'
  const scanned = isScanned ? await scan(asking, { span, matches }) : undefined
  const { items } = scanned ?? (await readPage(asking, { span, plan: matches && 'sort', matches }))
  return { items, total }
}

/** Undefined if the time is over before the page is full. */
async function scan(asking: Asking, options: PageOptions): Promise<ReadPage | undefined> {
  try {
    return await readPage(asking, { ...options, plan: 'scan' }, asking.planning?.thresholds.scanTime)
  } catch (error) {
    if (failureOf(error).kind === 'timeout' && asking.deadline.timeLeft() > 0) return undefined
    throw error
  }
}

export function laterPlan({ skip, take }: Span, total: number, thresholds: Thresholds): 'scan' | 'sort' {
  const { minMatches, minMatchesPerRow } = thresholds
  return total > minMatches && (skip + take) * minMatchesPerRow <= total ? 'scan' : 'sort'
}

/** Checks the totals and counts, the form of pages, and the uniqueness and the order of records on them. */
import { Value } from '@sinclair/typebox/value'
import { contentType } from '../http/error-answers.js'
import type { List, ListColumn, Order, Path } from '../lists/list.js'
import { fail, requireHeader } from './client.js'
import { fieldsOf, type ListUnderTest, type SeenItem, type SeenPage, type Viewer, valueIn } from './viewer.js'

export async function totalIsWhatPagingFinds({ list, settings, viewers }: ListUnderTest): Promise<void> {
  const isAfter = list.paging === 'after'
  let seen = 0
  for (const viewer of viewers) {
    const { first, limit, pages } = await viewer.walk()
    const { total } = first
    const requirePage = ({ answer, found, next, ...page }: SeenPage, number: number, limit: number) => {
      const isEnd = number * limit >= total
      if (isAfter && (next === undefined) !== isEnd)
        fail(answer, `'next' is ${next} after ${number} pages of ${total} records.`)
      const count = Math.max(0, Math.min(limit, total - (number - 1) * limit))
      if (page.total !== total) fail(answer, `the total is ${page.total}; without page and limit it was ${total}.`)
      if (found.length !== count) fail(answer, `expected ${count} of ${total} records, got ${found.length}.`)
      for (const [name, value] of Object.entries({ ...(!isAfter && { page: number }), limit })) {
        if (answer.body[name] !== value) fail(answer, `expected '${name}' to be ${value}, got ${answer.body[name]}.`)
      }
    }
    requirePage(first, 1, settings.defaultLimit)
    for (const [index, page] of pages.entries()) requirePage(page, index + 1, limit)
    const last = Math.ceil(total / limit) || 1
    for (const page of isAfter ? [] : [last, last + 1]) requirePage(await viewer.page({ page, limit }), page, limit)
    seen += total
  }
  if (seen === 0 && viewers.length > 0) {
    throw new Error(`No caller sees any ${list.name}, so nothing is checked: insert some into the database.`)
  }
}

export async function countsAreTotals(viewer: Viewer): Promise<void> {
  for (const [filter, { counted }] of Object.entries(viewer.view.filters)) {
    if (!counted) continue
    const { answer } = await viewer.page({ counts: filter })
    for (const value of counted) {
      const count = Object(Object(answer.body.counts)[filter])[value]
      const { total } = await viewer.page({ [filter]: value })
      if (count !== total) fail(answer, `the count of ${filter}=${value} is ${count}, and its total is ${total}.`)
    }
  }
}

/** A hook of the host can change a body or a header. */
export async function answersHaveTheirForm(viewer: Viewer): Promise<void> {
  const { first, pages } = await viewer.walk()
  for (const { answer } of [first, ...pages]) {
    const wrong = Value.Errors(viewer.view.page, answer.body).First()
    if (wrong) fail(answer, `${wrong.path.slice(1)}: ${wrong.message}, got ${JSON.stringify(wrong.value)}.`)
    requireHeader(answer, 'content-type', contentType)
    requireHeader(answer, 'cache-control', 'private, no-store')
  }
}

export async function noRecordComesTwice(viewer: Viewer): Promise<void> {
  const requests = new Map<string, string>()
  for (const { id, answer } of (await viewer.walk()).found) {
    if (requests.has(id)) fail(answer, `record ${id} is also in the answer to ${requests.get(id)}.`)
    requests.set(id, answer.request)
  }
}

/** Where items do not show the value that sorts them, only a change of order between page sizes is found. */
export async function recordsAreInOrder(viewer: Viewer): Promise<void> {
  const { list } = viewer.tested
  const { first, found } = await viewer.walk()
  requireOrder(list, found, list.order)
  for (const [place, { id, answer }] of first.found.entries()) {
    const same = found[place]
    if (same && same.id !== id) {
      fail(answer, `record ${id} is at the place of record ${same.id} in ${same.answer.request}.`)
    }
  }
  for (const [sort, order] of Object.entries(viewer.view.orders)) {
    if (sort === '') continue
    const { answer, total, found } = await viewer.page({ sort, limit: viewer.maxLimit })
    requireOrder(list, found, order)
    if (total !== first.total) fail(answer, `the total is ${total}, and ${first.total} without 'sort'.`)
  }
}

/** The database decides the order of texts and ids. A record without a value, or that does not show it, comes last. */
function requireOrder(list: List, found: readonly SeenItem[], { column, direction }: Order): void {
  const path: Path = `r.${column}`
  if (fieldsOf(list, path).length === 0) return
  const { rules, whenNull } = list.columns[column] as ListColumn
  const records = found.map(({ id, item, answer }) => {
    const value = valueIn(item, list, path) as string | number
    const hasNone = String(value ?? '') === '' && (whenNull !== 'error' || value === undefined)
    return { id, answer, value, hasNone }
  })
  for (const [index, { id, answer, value, hasNone }] of records.entries()) {
    const before = records[index - 1]
    if (!before || hasNone) continue
    const comes = `record ${id} of ${value} comes after ${before.id}`
    if (before.hasNone) fail(answer, `${comes}, which has no ${column}.`)
    const isWrong = direction === 'asc' ? value < before.value : before.value < value
    if (rules.sortedBy === 'item' && isWrong) fail(answer, `${comes} of ${before.value}.`)
  }
}

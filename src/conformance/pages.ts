/** Checks the totals, the uniqueness and the order of records on pages. */
import { Value } from '@sinclair/typebox/value'
import { contentType } from '../http/error-answers.js'
import type { List, ListColumn, Order } from '../lists/list.js'
import { fail, requireHeader } from './client.js'
import { fieldsOf, type ListUnderTest, type SeenItem, type SeenPage } from './list-under-test.js'

export async function totalIsWhatPagingFinds(tested: ListUnderTest): Promise<void> {
  const { list, settings, allowed } = tested
  let seen = 0
  const isAfter = list.paging === 'after'
  for await (const { caller, first, limit, pages } of tested.walks()) {
    const { total } = first
    const last = Math.ceil(total / limit) || 1
    const hasPage = ({ answer, found, next, ...page }: SeenPage, number: number, limit: number) => {
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
    hasPage(first, 1, settings.defaultLimit)
    for (const [index, page] of pages.entries()) hasPage(page, index + 1, limit)
    for (const number of isAfter ? [] : [last, last + 1])
      hasPage(await tested.page(caller, { page: number, limit }), number, limit)
    seen += total
  }
  if (seen === 0 && allowed.length > 0) {
    throw new Error(`No caller sees any ${list.name}, so nothing is checked: insert some into the database.`)
  }
}

/** A hook of the host can change a body or a header. */
export async function answersHaveTheirForm(tested: ListUnderTest): Promise<void> {
  for await (const { caller, first, pages } of tested.walks()) {
    for (const { answer } of [first, ...pages]) {
      const wrong = Value.Errors(tested.listOf(caller).page, answer.body).First()
      if (wrong) fail(answer, `${wrong.path.slice(1)}: ${wrong.message}, got ${JSON.stringify(wrong.value)}.`)
      requireHeader(answer, 'content-type', contentType)
      requireHeader(answer, 'cache-control', 'private, no-store')
    }
  }
}

export async function noRecordComesTwice(tested: ListUnderTest): Promise<void> {
  for await (const { found } of tested.walks()) {
    const requests = new Map<string, string>()
    for (const { id, answer } of found) {
      if (requests.has(id)) fail(answer, `record ${id} is also in the answer to ${requests.get(id)}.`)
      requests.set(id, answer.request)
    }
  }
}

/** Where items do not show the value that sorts them, only a change of order between page sizes is found. */
export async function inOrder(tested: ListUnderTest): Promise<void> {
  const { list, settings } = tested
  for await (const { caller, first, found } of tested.walks()) {
    requireOrder(list, found, list.order)
    for (const [index, { id, answer }] of found.entries()) {
      const same = first.found[index]
      if (same && same.id !== id) {
        fail(same.answer, `record ${same.id} is at the place of record ${id} in ${answer.request}.`)
      }
    }
    const view = tested.listOf(caller)
    for (const [sort, order] of Object.entries(view.orders).filter(([sort]) => sort !== '')) {
      const sorted = await tested.page(caller, { sort, limit: settings.maxLimit })
      requireOrder(view, sorted.found, order)
      if (sorted.total !== first.total) {
        fail(sorted.answer, `the total is ${sorted.total}, and ${first.total} without 'sort'.`)
      }
    }
  }
}

/** The database decides the order of texts and ids. A record without a value, or that does not show it, comes last. */
function requireOrder(list: List, found: readonly SeenItem[], { column, direction }: Order): void {
  const fields = fieldsOf(list, `r.${column}`)
  if (fields.length === 0) return
  const { rules, whenNull } = list.columns[column] as ListColumn
  const shown = ({ item }: SeenItem) =>
    item[String(fields.find((field) => Object.hasOwn(item, field)))] as string | number
  const hasNone = (record: SeenItem) =>
    String(shown(record) ?? '') === '' && (whenNull !== 'error' || shown(record) === undefined)
  for (const [index, record] of found.entries()) {
    const before = found[index - 1]
    if (!before || hasNone(record)) continue
    if (hasNone(before)) {
      fail(record.answer, `record ${record.id} of ${shown(record)} comes after ${before.id}, which has no ${column}.`)
    }
    if (rules.sortedBy !== 'item') continue
    const [lower, higher] = direction === 'asc' ? [before, record] : [record, before]
    if (shown(higher) < shown(lower)) {
      fail(record.answer, `record ${record.id} of ${shown(record)} comes after ${before.id} of ${shown(before)}.`)
    }
  }
}

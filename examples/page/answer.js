/** Shows an answer: a page of the table, that there is nothing, or what went wrong. */
import { showCounts } from './controls.js'
import { element, number, write } from './element.js'
import { showProblem } from './problem.js'
import { draw } from './table.js'

/** @typedef {ReturnType<typeof import('./controls.js').chosen>} Question */

const scroll = element('scroll')
scroll.tabIndex = 0
const table = element('table', HTMLTableElement)
const empty = element('empty')
const pagers = element('records').getElementsByTagName('nav')

/** @param {number} page @param {number} pages @param {boolean} isFound */
export function fitPages(page, pages, isFound) {
  for (const pager of pagers) {
    for (const each of pager.querySelectorAll('button')) {
      const isOff = each.value === 'last' ? page === pages : each.value === 'next' ? page >= pages : page <= 1
      // not `disabled`, which would take the focus away
      each.ariaDisabled = String(isOff)
    }
    for (const each of pager.querySelectorAll('span')) each.textContent = ` of ${number(pages)}`
    for (const each of pager.querySelectorAll('input')) each.value = String(page)
  }
  for (const id of ['insert', 'csv']) element(id).ariaDisabled = String(!isFound)
}

/** What stands in the table. @type {{ total: number, items: Record<string, unknown>[] }} */
let shown = { total: 0, items: [] }

/**
 * @param {Question} question
 * @param {import('./request.js').Answer} answer
 * @param {boolean} isMore whether it goes below what is shown
 * @returns {{ pages: number, next?: string | null }} `next` of a list whose pages have no numbers
 */
export function showFound(question, { text, milliseconds }, isMore) {
  const { list, caller, search, filters, parameters } = question
  const body = JSON.parse(text)
  const { page, limit, next, counts = {} } = body
  const total = isMore ? shown.total : body.total
  const items = isMore ? [...shown.items, ...body[list.items]] : body[list.items]
  shown = { total, items }
  const pages = Math.max(1, Math.ceil(total / limit))
  const numbered = `, page ${number(page ?? 1)} of ${number(pages)}`
  const place = total === 0 ? '' : list.isEndless ? `, ${number(items.length)} shown` : numbered
  write('outcome', `${number(total)} ${list.title.toLowerCase()}${place}, ${milliseconds} ms`)
  element('problem').replaceChildren()
  for (const pager of pagers) pager.hidden = list.isEndless || total === 0
  const more = element('more')
  more.hidden = !list.isEndless || total === 0
  more.ariaDisabled = String(!next)
  more.textContent = next ? 'More' : 'No more'
  if (!isMore) showCounts(counts)

  scroll.hidden = items.length === 0
  const sort = new Map(parameters).get('sort') ?? ''
  const order = list.columns.find((column) => (sort ? column.sort === sort.replace('-', '') : column.isOrder))
  // its column of the order need not be a field of a list
  const newest = `newest first, by ${order?.title ?? 'the time of creation, which no column shows'}`
  const first = sort ? `sorted by ${order?.title}` : newest
  write('caption', `${list.title} that ${caller.name} (${caller.role}) may see, ${first}`)
  // Some roles get fewer fields.
  const columns = list.columns.filter(
    ({ fields: [field = ''] }) => items.length === 0 || items.some((/** @type {object} */ item) => field in item)
  )
  draw(table, columns, items, search, sort, Boolean(list.record))

  empty.hidden = items.length > 0
  write('nothing', total > 0 ? `Page ${number(page ?? 1)} is past the last page, ${number(pages)}.` : nothing(question))
  element('clear').hidden = total > 0 || !(search || filters.length > 0)
  return { pages, next }
}

/** @param {Question} question that nothing matches */
function nothing({ list, caller, search, filters }) {
  const wanted = [search, ...filters.map(([, value]) => value)].filter(Boolean).map((value) => `“${value}”`)
  const what = wanted.length > 0 ? `match ${wanted.join(' and ')}` : `that ${caller.name} may see`
  return `No ${list.title.toLowerCase()} ${what}.`
}

/** Inserts a record beside the open page, and marks what has come. @param {Question} question @param {() => Promise<void>} ask */
export async function showInserted({ list, caller }, ask) {
  const asked = location.href
  const heads = () => [...table.querySelectorAll('tbody th')]
  const before = heads().map(({ textContent }) => textContent)
  const body = JSON.stringify({ list: list.name, userId: caller.userId })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('demo/records', { method: 'POST', headers, body }).catch(() => undefined)
  const { id, error = 'The server does not answer.' } = (await response?.json().catch(() => undefined)) ?? {}
  if (!list.isEndless) await ask()
  if (!id) return write('inserted', error)
  // something else may have been asked since
  const came = location.href === asked ? heads().filter(({ textContent }) => !before.includes(textContent)) : []
  for (const { parentElement: row } of came) if (row) row.className = 'came'
  const moved = list.isEndless
    ? 'It moves no row here: ask again to see it.'
    : came.some(({ textContent }) => textContent?.trim() === id)
      ? 'The last record of each page moves to the next page.'
      : came.length > 0
        ? 'The marked record comes from the page before: who turns pages sees it twice. listings.each has each once.'
        : 'It is not on this page.'
  write('inserted', `Record ${id} is the newest now. ${moved}`)
}

/** @param {import('./request.js').Answer} answer */
export function showError(answer) {
  scroll.hidden = true
  empty.hidden = true
  element('more').hidden = true
  showCounts({})
  // a button that has the focus keeps it
  for (const pager of pagers) pager.hidden = !pager.contains(document.activeElement)
  showProblem('', answer)
}

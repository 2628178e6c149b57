/** Shows the answer to the controls: the total and the table, that there is nothing, or what went wrong. */
import { element, write } from './element.js'
import { showProblem } from './problem.js'
import { draw } from './table.js'

/** @typedef {ReturnType<typeof import('./controls.js').chosen>} Question */

const pageButtons = element('pages', HTMLElement)
const table = element('table', HTMLTableElement)
const empty = element('empty', HTMLElement)

/**
 * @param {Question} question
 * @param {import('./request.js').Answer} answer
 * @returns {number} how many pages there are
 */
export function showFound(question, { text, milliseconds }) {
  const { list, caller, search, status } = question
  const body = JSON.parse(text)
  const { page, total, limit } = body
  const items = body[list.items]
  const pages = Math.max(1, Math.ceil(total / limit))
  const place = total > 0 ? `, page ${number(page)} of ${number(pages)}` : ''
  write('outcome', `${number(total)} ${list.title.toLowerCase()}${place}, ${milliseconds} ms`)
  element('problem', HTMLElement).replaceChildren()
  pageButtons.hidden = total === 0

  table.hidden = items.length === 0
  write('caption', `${list.title} that ${caller.name} (${caller.role}) may see, newest first (${list.order})`)
  draw(table, list.columns, items, search)

  empty.hidden = items.length > 0
  write('nothing', total > 0 ? `Page ${number(page)} is past the last page, ${number(pages)}.` : nothing(question))
  element('clear', HTMLElement).hidden = total > 0 || !(search || status)
  return pages
}

/** @param {Question} question that nothing matches */
function nothing({ list, caller, search, status }) {
  const wanted = [search && `“${search}”`, status && `the status “${status}”`].filter(Boolean).join(' and ')
  return `No ${list.title.toLowerCase()} ${wanted ? `match ${wanted}` : `that ${caller.name} may see`}.`
}

/** @param {import('./request.js').Answer} answer */
export function showError(answer) {
  table.hidden = true
  empty.hidden = true
  // a button that has the focus keeps it
  pageButtons.hidden = !pageButtons.contains(document.activeElement)
  showProblem('', answer)
}

/** @param {number} page @param {number} pages */
export function fitPages(page, pages) {
  // not `disabled`, which would take the focus away
  for (const id of ['first', 'previous']) element(id, HTMLElement).ariaDisabled = String(page <= 1)
  element('next', HTMLElement).ariaDisabled = String(page >= pages)
  element('last', HTMLElement).ariaDisabled = String(page === pages)
}

/** @param {number} value */
const number = (value) => value.toLocaleString('en')

/** Shows an answer: the total and the table, or what went wrong, as the list says it. */
import { element, write } from './element.js'
import { draw } from './table.js'

/**
 * @typedef {object} Page
 * @property {number} page
 * @property {number} pages
 */

/**
 * @param {{ list: import('./lists.js').List, caller: import('../app.js').DemoCaller, term: string }} asked
 * @param {{ page: number, limit: number, total: number, [items: string]: any }} body
 * @param {number} milliseconds
 * @returns {Page} where the answer stands
 */
export function showFound({ list, caller, term }, body, milliseconds) {
  const { page, total, limit } = body
  const pages = Math.max(1, Math.ceil(total / limit))
  const records = `${number(total)} ${list.title.toLowerCase()}`
  write('outcome', `${records}, page ${number(page)} of ${number(pages)}, ${milliseconds} ms`)
  write('caption', `${list.title} that ${caller.name} (${caller.role}) may see, newest first`)
  draw(element('table', HTMLTableElement), list.columns, body[list.items], term)
  // not `disabled`, which would take the focus away
  for (const id of ['first', 'previous']) element(id, HTMLElement).ariaDisabled = String(page <= 1)
  for (const id of ['next', 'last']) element(id, HTMLElement).ariaDisabled = String(page >= pages)
  showProblem('')
  return { page, pages }
}

/** @param {string} status @param {string} body @param {number} milliseconds */
export function showError(status, body, milliseconds) {
  write('outcome', `${status}, ${milliseconds} ms`)
  showProblem(body)
}

export function showNoAnswer() {
  write('outcome', 'No answer')
  showProblem('The server cannot be reached. Does npm start still run?')
}

/** @param {string} text empty when there is none */
function showProblem(text) {
  write('problem', text)
  element('found', HTMLElement).hidden = text !== ''
}

/** @param {number} value */
const number = (value) => value.toLocaleString('en')

/** Shows what went wrong: the raw error, and in words what it means and what to do. */
import { element, make, write } from './element.js'
import { askDemo } from './request.js'

/** @type {Record<string, string>} */
const meanings = (await askDemo('meanings')) ?? {}

/** @param {string} prefix of the ids of the place @param {import('./request.js').Answer} answer */
export function showProblem(prefix, { code, status, text, milliseconds }) {
  write(`${prefix}outcome`, code ? `${status}, ${milliseconds} ms` : status)
  const meaning = make('p', {}, meanings[code] ?? meanings.other ?? '')
  element(`${prefix}problem`).replaceChildren(meaning, make('pre', {}, text))
}

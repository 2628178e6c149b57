/** Shows what went wrong: the raw error, and in words what it means and what to do. */
import { element, make, write } from './element.js'

/** @type {Record<number, string>} */
const meanings = {
  0: 'The server cannot be reached. Look whether npm start still runs, and ask again.',
  400: 'The list refuses a parameter. The message says which one, and what is allowed. Change the parameter, and ask again.',
  401: 'The list does not know who asks: the token is missing, wrong or expired. Load this page again: it then has new tokens.',
  403: 'The list knows the caller, but the role of the caller may not see these records. Choose another caller.',
  500: 'Something failed in the server, and the request is not the reason. Look at the terminal of npm start.',
  503: 'The server cannot reach its database. Wait a moment, and ask again.',
  504: 'The server took longer than its deadline allows. Search for fewer records, or wait a moment and ask again.'
}
const unknown =
  'The list itself has no such answer: something between this page and the list may have sent it. Look at the terminal of npm start, and ask again.'

/** @param {string} prefix of the ids of the place @param {import('./request.js').Answer} answer */
export function showProblem(prefix, { code, status, text, milliseconds }) {
  write(`${prefix}outcome`, code ? `${status}, ${milliseconds} ms` : status)
  const meaning = make('p', {}, meanings[code] ?? unknown)
  element(`${prefix}problem`).replaceChildren(meaning, make('pre', {}, text))
}

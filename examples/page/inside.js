/** Under the hood: the statements that ran for the answer, the time of each step, the headers and the body. */
import { element, make, write } from './element.js'
import { addressOf, askView } from './request.js'

/** @param {number} value */
const ms = (value) => `${value.toFixed(1)} ms`

/**
 * @param {import('./answer.js').Question} question
 * @param {import('./request.js').Answer} answer
 */
export async function showInside(question, { status, headers, text, milliseconds }) {
  const { pathname, search } = new URL(addressOf(question))
  write('asked', `GET ${pathname}${search} → ${status}, ${milliseconds} ms`)
  const entries = headers.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)])
  element('headers').replaceChildren(...entries)
  write('json', indented(text))

  const id = new Map(headers).get('x-request-id')
  /** @type {Partial<import('../demo/requests.js').Inside>} */
  const { statements = [], steps = [] } = (await askView(`requests/${id}`)) ?? {}
  write('ran', statements.length > 0 ? `${statements.length} ran.` : 'None ran that the demo knows of.')
  element('statements').replaceChildren(...statements.map(statementOf))
  const longest = Math.max(1, ...steps.map(({ milliseconds }) => milliseconds))
  const bars = steps.flatMap(({ step, milliseconds, failed }) => {
    const bar = make('i', {})
    bar.style.setProperty('--part', String(milliseconds / longest))
    return [make('dt', {}, step), make('dd', {}, bar, ` ${ms(milliseconds)}${failed ? ', failed' : ''}`)]
  })
  element('steps').replaceChildren(...bars)
}

/** @param {import('../demo/requests.js').Inside["statements"][number]} statement */
function statementOf({ sql, parameters, milliseconds, failed, step = '' }) {
  const head = make('h3', {}, step, ' ', make('small', {}, `${ms(milliseconds)}${failed ? ', failed' : ''}`))
  const values = parameters.map((value) => make('li', {}, JSON.stringify(value)))
  return make('article', {}, head, make('pre', {}, sql), make('ol', {}, ...values))
}

/** @param {string} text a proxy's error may be no JSON */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

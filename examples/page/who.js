/** Who sees what: one question, and the answers to all callers side by side. */

import { showChanges } from './change.js'
import { allCallers, control } from './controls.js'
import { breakable, element, make, number, write } from './element.js'
import { askView } from './request.js'

/** @param {import('./answer.js').Question} question */
export async function showWho({ list, caller: current, parameters }) {
  const query = String(new URLSearchParams(parameters))
  /** @type {Partial<import('../demo/who.js').WhoSees & { code: string, reaches: string[], refused: string, message: string }>} */
  const answer = (await askView('who', { list: list.name, query, changes: control('changes').value })) ?? {}
  const { callers, records = [], code = '', reaches = [], refused = '', message } = answer
  element('matrix').hidden = !callers || refused !== ''
  write('refused', refused)
  showChanges(allCallers(), reaches, code)
  if (refused) return write('who-outcome', 'The library refuses these options:')
  if (!callers) return write('who-outcome', message ?? 'The server does not answer.')
  const title = list.title.toLowerCase()
  const most = Math.max(...callers.map(({ total }) => total))
  write(
    'who-outcome',
    most > 0
      ? `${number(most)} ${title} match in all.`
      : callers.some(({ status }) => status === 200)
        ? `No caller sees ${title} that match.`
        : 'The list refuses the question: see Records.'
  )

  const heads = callers.map(({ role, name, status, total, without }) => {
    const button = make('button', { type: 'button', value: role, title: `Ask as ${name}` }, make('b', {}, role))
    button.append(make('bdi', {}, name))
    button.ariaPressed = String(role === current.role)
    const bar = make('i', {})
    bar.style.setProperty('--part', String(total / Math.max(1, most)))
    const count = make('span', {}, status === 200 ? number(total) : `HTTP ${status}`, bar)
    const missing = without.length > 0 ? [make('small', {}, `without ${without.join(', ').toLowerCase()}`)] : []
    return head(button, count, ...missing)
  })
  const rows = records.map(({ id, texts, isSeen }) => {
    const [first = [], second = []] = texts.map((text) => [breakable(text)].flat())
    const faint = make('bdi', { className: 'faint' }, ...second)
    const about = [make('b', {}, id), ' ', make('bdi', {}, ...first), ' ', faint]
    const cells = isSeen.map((is) => {
      return make('td', { className: is ? 'seen' : '' }, make('span', { className: 'unseen' }, is ? 'yes' : 'no'))
    })
    return make('tr', {}, head(...about), ...cells)
  })
  const top = make('tr', {}, head('First records'), ...heads)
  const caption = make('caption', { className: 'unseen' }, `Who sees which of the ${title}`)
  const parts = [caption, make('thead', {}, top), make('tbody', {}, ...rows)]
  element('matrix').replaceChildren(make('table', {}, ...parts))
}

/** The browser tells a row's head from a column's by its place. @param {(Node | string)[]} content */
const head = (...content) => make('th', {}, ...content)

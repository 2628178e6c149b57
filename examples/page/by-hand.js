/** What a list written by hand would have answered, beside what the list answers. */
import { control } from './controls.js'
import { element, make, write } from './element.js'
import { askView } from './request.js'

/** @param {import('./answer.js').Question} question */
export async function showByHand({ list, caller, parameters }) {
  const place = element('by-hand')
  const isOn = () => control('by_hand').checked
  place.hidden ||= !isOn()
  if (!isOn()) return
  const query = String(new URLSearchParams(parameters))
  /** @type {Partial<import('../demo/beside.js').Beside>} */
  const { rows, about = '', sql = '' } = (await askView('by-hand', { list: list.name, role: caller.role, query })) ?? {}
  // the list itself says why it refuses a question
  place.hidden = !rows || !isOn()
  const drawn = (rows ?? []).map(({ what, library, byHand, wrong }) => {
    const written = make('td', {}, byHand, ...(wrong ? [': ', make('mark', {}, wrong)] : []))
    return make('tr', {}, make('th', {}, what), make('td', {}, library), written)
  })
  element('by-hand-rows').replaceChildren(...drawn)
  write('by-hand-about', about)
  write('by-hand-sql', sql)
}

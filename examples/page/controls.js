/** The controls: the state of the page, which its address has too. A token is never in it. */
import { element, write } from './element.js'
import { lists } from './lists.js'

/** @typedef {import('../app.js').DemoCaller} DemoCaller */

const form = element('question', HTMLFormElement)
const role = element('role', HTMLSelectElement)
const status = element('status', HTMLSelectElement)

/** @type {DemoCaller[]} */
const callers = await fetch('demo/callers')
  .then((response) => response.json())
  .catch((error) => {
    write('outcome', 'The demo cannot be reached: start it, and load this page again.')
    throw error
  })
role.replaceChildren(...callers.map(({ name, role }) => new Option(`${role}: ${name}`, role)))
role.value = 'Admin'
for (const [name, { title }] of Object.entries(lists)) {
  const radio = Object.assign(document.createElement('input'), { type: 'radio', name: 'list', value: name })
  radio.defaultChecked = name === 'assessments'
  const label = document.createElement('label')
  label.append(radio, ` ${title}`)
  element('lists', HTMLFieldSetElement).append(label)
}
fitList()
const initial = state()

/** @returns {Record<string, string>} the value of each control, by its name */
function state() {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
}

/** The question of the controls. */
export function chosen() {
  const { role, search = '', status = '', page = '', limit = '' } = state()
  const caller = /** @type {DemoCaller} */ (callers.find((caller) => caller.role === role))
  const list = chosenList()
  /** @type {Record<string, string>} */
  const parameters = { ...(list.searched && { search }), ...(list.filter && { [list.filter]: status }), page, limit }
  return { list, caller, search, status, path: list.path, token: caller.token, parameters }
}

/** The token of the first caller of a role. @param {string} wanted */
export const tokenOf = (wanted) => callers.find(({ role }) => role === wanted)?.token ?? ''

/** Offers the statuses of the chosen list. */
export function fitList() {
  const { searched, filterTitle, statuses } = chosenList()
  write('searched', `in ${searched}`)
  write('filter', filterTitle)
  element('search-label', HTMLElement).hidden = searched === ''
  element('status-label', HTMLElement).hidden = statuses.length === 0
  status.replaceChildren(new Option('any', ''), ...statuses.map((name) => new Option(name)))
}

function chosenList() {
  return /** @type {import('./lists.js').List} */ (lists[String(state().list)] ?? lists.assessments)
}

/** The address with what is not as it was at first. */
export function address() {
  const changed = Object.entries(state()).filter(([name, value]) => value !== initial[name])
  return new URL(changed.length > 0 ? `?${new URLSearchParams(changed)}` : './', location.href).href
}

/** Sets the controls to what the address says. */
export function restore() {
  const wanted = new URLSearchParams(location.search)
  for (const [name, otherwise] of Object.entries(initial)) {
    const control = /** @type {RadioNodeList | HTMLInputElement | HTMLSelectElement} */ (form.elements.namedItem(name))
    // a radio keeps its value where the address has an unknown one, and a select then has none
    control.value = otherwise
    control.value = wanted.get(name) ?? otherwise
    if (!new FormData(form).has(name)) control.value = otherwise
    if (name === 'list') fitList()
  }
}

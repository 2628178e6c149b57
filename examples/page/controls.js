/** The controls: the state of the page, which its address has too. A token is never in it. */
import { element, number, write } from './element.js'
import { askDemo } from './request.js'

export const form = element('question', HTMLFormElement)
const controls = /** @type {Iterable<HTMLInputElement>} */ (/** @type {unknown} */ (form.elements))
const boxes = [...form.querySelectorAll('fieldset')].filter(({ dataset }) => dataset.list)

/** @type {[import('../demo/page.js').DemoCaller[], import('../demo/lists.js').PageList[]]} */
const [callers, lists] = await Promise.all([askDemo('callers'), askDemo('lists')])
if (!callers || !lists) fail()

/** @returns {never} */
function fail() {
  write('outcome', 'The demo cannot be reached: start it, and load this page again.')
  throw new Error('no answer')
}

/** @type {Record<string, string>} */
const initial = { list: 'assessments', role: 'Admin', limit: '12', page: '1', view: 'records' }

/** @param {string} name */
export const control = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name))

const state = () => /** @type {[string, string][]} */ ([...new FormData(form)])

/** The question of the controls. */
export function chosen() {
  const given = state()
  const of = (/** @type {string} */ wanted) => given.find(([name]) => name === wanted)?.[1] ?? ''
  // a control has no value but those that it offers
  const [list = fail()] = lists.filter(({ name }) => name === of('list'))
  const [caller = fail()] = callers.filter(({ role }) => role === of('role'))
  // an empty search may be required
  const parameters = given.filter(([name, value]) => list.names.includes(name) && (value || name === 'search'))
  if (list.isEndless) parameters.push(['total', 'true'])
  for (const name of list.counted) parameters.push(['counts', name])
  const filters = parameters.filter(([name]) => list.filters.some((filter) => filter.name === name))
  return {
    list,
    caller,
    search: of('search'),
    view: of('view'),
    record: of('record'),
    filters,
    path: list.path,
    token: caller.token,
    parameters
  }
}

/** The roles of all callers. */
export const allCallers = () => callers.map(({ role }) => role)

/** The token of the first caller of a role. @param {string} wanted */
export const tokenOf = (wanted) => callers.find(({ role }) => role === wanted)?.token ?? ''

/** Offers the filters of the chosen list. @param {string} [list] */
export function fitList(list) {
  for (const radio of controls) {
    if (radio.name !== 'list') continue
    if (list) radio.checked = radio.value === list
    if (!radio.checked) continue
    const { searched = '' } = radio.dataset
    write('searched', searched)
    element('search-label').hidden = searched === ''
    for (const box of boxes) box.hidden = box.disabled = box.dataset.list !== radio.value
  }
}

/** The address with what is not as it was at first. */
export function address() {
  const changed = state().filter(([name, value]) => value !== (initial[name] ?? ''))
  return new URL(changed.length > 0 ? `?${new URLSearchParams(changed)}` : './', location.href).href
}

/** What has changed is a step of the browser's history. */
export function addStep() {
  if (address() !== location.href) history.pushState(null, '', address())
}

/** Sets the controls to what the address says. */
export function restore() {
  const wanted = new URLSearchParams(location.search)
  const list = wanted.get('list') ?? ''
  fitList(lists.some(({ name }) => name === list) ? list : initial.list)
  for (const control of controls) {
    const { name, type } = control
    if (!name || type === 'radio' || control.matches(':disabled')) continue
    if (type === 'checkbox') control.checked = wanted.getAll(name).includes(control.value)
    else control.value = wanted.get(name) ?? ''
    // a select has no unknown value
    control.value ||= initial[name] ?? ''
  }
}

/** Empties the search and the filters. */
export function clear() {
  for (const control of controls) {
    if (!control.matches('.filters :enabled, #search')) continue
    if (control.type === 'checkbox') control.checked = false
    else control.value = ''
  }
}

/** Puts the number of records beside each value of a filter. @param {Record<string, Record<string, number>>} counts */
export function showCounts(counts) {
  const values = form.querySelectorAll('.filters:enabled :is(option, [type="checkbox"])')
  for (const each of /** @type {NodeListOf<HTMLOptionElement & HTMLInputElement>} */ (values)) {
    const name = each.name ?? each.closest('select')?.name
    const count = counts[name]?.[each.value]
    const text = count === undefined ? '' : `(${number(count)})`
    if (each.nextElementSibling?.matches('span')) each.nextElementSibling.textContent = text
    else if (each.value) each.text = `${each.text.replace(/ \(.*/, '')} ${text}`
  }
}

/** Says how many filters of the box are set. */
export function countActive() {
  const box = boxes.find(({ hidden }) => !hidden)
  const first = box?.querySelector('select')?.name
  const badge = box?.querySelector('b')
  if (badge) badge.textContent = String(chosen().filters.filter(([name]) => name !== first).length || '')
}

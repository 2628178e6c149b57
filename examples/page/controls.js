/** The controls: filled with what there is to choose, and read as a question. */
import { element, write } from './element.js'
import { lists } from './lists.js'

/** @typedef {import('../app.js').DemoCaller} DemoCaller */

const form = element('question', HTMLFormElement)
const status = element('status', HTMLSelectElement)
const caller = element('caller', HTMLSelectElement)

/** @type {DemoCaller[]} */
const callers = await fetch('demo/callers')
  .then((response) => response.json())
  .catch((error) => {
    write('outcome', 'The demo cannot be reached: start it, and load this page again.')
    throw error
  })
caller.replaceChildren(...callers.map(({ name, role }, index) => new Option(`${role}: ${name}`, String(index))))
chooseRole('Admin')
fitList()

/** What they say. @param {number} page */
export function chosen(page) {
  const [search, limit] = [value('search'), value('limit')]
  const caller = /** @type {DemoCaller} */ (callers[Number(value('caller'))])
  const list = chosenList()
  /** @type {Record<string, string>} */
  const parameters = { search, [list.filter]: status.value, page: String(page), limit }
  return { list, caller, term: search, path: list.path, token: caller.token, parameters }
}

/** Offers the statuses of the chosen list. */
export function fitList() {
  const { searched, filterTitle, statuses } = chosenList()
  write('searched', `in ${searched}`)
  write('filter', filterTitle)
  status.replaceChildren(new Option('any', ''), ...statuses.map((name) => new Option(name)))
}

/** Chooses the list of assessments. */
export function chooseAssessments() {
  element('assessments', HTMLInputElement).checked = true
  fitList()
}

/** Chooses the first caller of a role. @param {string} wanted */
export function chooseRole(wanted) {
  caller.value = String(callers.findIndex(({ role }) => role === wanted))
}

function chosenList() {
  return value('list') === 'payments' ? lists.payments : lists.assessments
}

/** @param {string} name */
function value(name) {
  return String(new FormData(form).get(name))
}

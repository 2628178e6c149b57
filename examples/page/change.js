/** What somebody changes in "Who sees what": the reach of roles, and second roles of callers. */
import { element, make, write } from './element.js'

const select = (/** @type {string} */ id) => element(id, HTMLSelectElement)
const [role, reach, caller, also] = ['reach-role', 'reach', 'also-caller', 'also'].map(select)
/** @typedef {{ roles: Record<string, string>, also: Record<string, string> }} Changes */
/** @type {Changes} */
let changes = { roles: {}, also: {} }
let changedList = ''

/** @param {string} list another list begins as it was */
export function changesOf(list) {
  if (list !== changedList) changes = { roles: {}, also: {} }
  changedList = list
  return JSON.stringify(changes)
}

/** @param {HTMLSelectElement | undefined} select @param {string[]} values */
function offer(select, values) {
  if (!select || select.textContent === values.join('')) return
  select.replaceChildren(...values.map((value) => make('option', {}, value)))
}

/** Shows the code of what is changed. @param {string[]} callers @param {string[]} reaches @param {string} code */
export function showChanges(callers, reaches, code) {
  const roles = callers.filter((name) => !name.includes(' and '))
  offer(role, roles)
  offer(reach, ['as it was', ...reaches])
  offer(caller, callers)
  offer(also, ['nothing else', ...roles])
  fit()
  const more = Object.entries(changes.also).map(([caller, second]) => `// ${caller}: role: ['${caller}', '${second}']`)
  const lines = [...(Object.keys(changes.roles).length > 0 ? [code] : []), ...more]
  element('changes').hidden = lines.length === 0
  write('changes', lines.join('\n'))
}

/** The second select of a pair shows what the first one has. */
function fit() {
  if (role && reach) reach.value = changes.roles[role.value] ?? 'as it was'
  if (caller && also) also.value = changes.also[caller.value] ?? 'nothing else'
}

/** @param {() => unknown} ask */
export function onChange(ask) {
  element('change').addEventListener('change', ({ target }) => {
    if (target === role || target === caller) return fit()
    const [of, first, second] = target === reach ? [changes.roles, role, reach] : [changes.also, caller, also]
    if (!first || !second) return
    if (second.selectedIndex === 0) delete of[first.value]
    else of[first.value] = second.value
    return ask()
  })
  element('undo').addEventListener('click', () => {
    changes = { roles: {}, also: {} }
    return ask()
  })
}

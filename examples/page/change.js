/** What somebody changes in "Who sees what": the reach of roles, and second roles of callers. */
import { addStep, control } from './controls.js'
import { element, make, write } from './element.js'

const select = (/** @type {string} */ id) => element(id, HTMLSelectElement)
const [role, reach, caller, also] = ['reach-role', 'reach', 'also-caller', 'also'].map(select)

/** The changes in the address. @returns {{ roles: Record<string, string>, also: Record<string, string> }} */
function changed() {
  try {
    const { roles, also } = JSON.parse(control('changes').value)
    return { roles: { ...roles }, also: { ...also } }
  } catch {
    return { roles: {}, also: {} }
  }
}

/** @param {HTMLSelectElement | undefined} select @param {string[]} values */
function offer(select, values) {
  if (!select || select.textContent === values.join('')) return
  select.replaceChildren(...values.map((value) => make('option', {}, value)))
}

/** Shows the changes. @param {string[]} callers @param {string[]} reaches @param {string} code */
export function showChanges(callers, reaches, code) {
  const roles = callers.filter((name) => !name.includes(' and '))
  offer(role, roles)
  offer(reach, ['as it was', ...reaches])
  offer(caller, callers)
  offer(also, ['nothing else', ...roles])
  fit()
  const changes = changed()
  const more = Object.entries(changes.also).map(([caller, second]) => `// ${caller}: role: ['${caller}', '${second}']`)
  if (control('changes').value) element('change', HTMLDetailsElement).open = true
  write('changes', [...more, code].join('\n'))
}

/** The second select of a pair shows what the first one has. */
function fit() {
  const changes = changed()
  if (role && reach) reach.value = changes.roles[role.value] ?? 'as it was'
  if (caller && also) also.value = changes.also[caller.value] ?? 'nothing else'
}

/** @param {() => unknown} ask */
export function onChange(ask) {
  const keep = (/** @type {string} */ changes) => {
    control('changes').value = changes
    addStep()
    return ask()
  }
  element('change').addEventListener('change', ({ target }) => {
    if (target === role || target === caller) return fit()
    const changes = changed()
    const [of, first, second] = target === reach ? [changes.roles, role, reach] : [changes.also, caller, also]
    if (!first || !second) return
    if (second.selectedIndex === 0) delete of[first.value]
    else of[first.value] = second.value
    const isNone = Object.values(changes).every((part) => Object.keys(part).length === 0)
    return keep(isNone ? '' : JSON.stringify(changes))
  })
  element('undo').addEventListener('click', () => keep(''))
}

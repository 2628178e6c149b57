/** Tabs: one stop of the Tab key, and the arrow keys choose. */
import { buttonOf, element } from './element.js'

/**
 * @param {HTMLElement} list with a button for each tab, whose value is the name
 * @param {(name: string) => void} onSelect
 * @param {string} [only] the id of the one panel of all tabs
 * @returns {(name: string) => void} shows a tab, and the panel of its name
 */
export function tabs(list, onSelect, only) {
  const all = () => [...list.querySelectorAll('button')]
  list.addEventListener('click', (event) => {
    const tab = buttonOf(event)
    if (tab) onSelect(tab.value)
  })
  list.addEventListener('keydown', (event) => {
    const buttons = all()
    const now = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement))
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: -1 }[event.key]
    const tab = next === undefined ? undefined : buttons.at(next % buttons.length)
    if (!tab) return
    event.preventDefault()
    onSelect(tab.value)
    tab.focus()
  })
  return (name) => {
    for (const tab of all()) {
      const isChosen = tab.value === name
      tab.role = 'tab'
      tab.ariaSelected = String(isChosen)
      tab.tabIndex = isChosen ? 0 : -1
      const panel = element(only ?? tab.value)
      tab.setAttribute('aria-controls', panel.id)
      panel.tabIndex = 0
      if (!only) panel.hidden = !isChosen
    }
  }
}

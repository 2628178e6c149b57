/** Tabs: one stop of the Tab key, and the arrow keys choose. */
import { buttonOf } from './element.js'

/**
 * @param {HTMLElement} list with a button for each tab, whose value is the name
 * @param {(name: string) => void} onSelect
 * @returns {(name: string) => void} shows a tab, and the panel of its name
 */
export function tabs(list, onSelect) {
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
    all()
      .find(({ value }) => value === tab.value)
      ?.focus()
  })
  return (name) => {
    for (const tab of all()) {
      const isChosen = tab.value === name
      tab.ariaSelected = String(isChosen)
      tab.tabIndex = isChosen ? 0 : -1
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '')
      if (!panel) continue
      panel.tabIndex = 0
      if (panel.id === tab.value) panel.hidden = !isChosen
    }
  }
}

/** The parts of the page, by their id. */

/**
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function element(id, kind) {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`The page has no ${kind.name} with the id '${id}'.`)
}

/** Puts text, never HTML, in the place of what an element has. @param {string} id @param {string} text */
export function write(id, text) {
  element(id, HTMLElement).textContent = text
}

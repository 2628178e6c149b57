/** The parts of the page, by their id, and new ones. */

/**
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @param {new () => Kind} [kind]
 */
export function element(id, kind) {
  const found = document.getElementById(id)
  if (found instanceof (kind ?? HTMLElement)) return /** @type {Kind} */ (found)
  throw new Error(`The page has no '${id}'.`)
}

/** Puts text, never HTML, in an element. @param {string} id @param {string} text */
export function write(id, text) {
  element(id).textContent = text
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLInputElement>} properties
 * @param {(Node | string)[]} children
 */
export function make(tag, properties, ...children) {
  /** @type {HTMLElement} */
  const made = document.createElement(tag)
  Object.assign(made, properties).append(...children)
  return /** @type {HTMLElementTagNameMap[Tag]} */ (made)
}

/** @param {number} value */
export const number = (value) => value.toLocaleString('en')

/** An email address that needs two lines is broken before its @. @param {HTMLElement | string} part */
export const breakable = (part) =>
  typeof part === 'string'
    ? part.split(/(?=@)/).flatMap((text, index) => (index ? [make('wbr', {}), text] : text))
    : part

/** The button of a click. @param {Event} event */
export const buttonOf = ({ target }) => (target instanceof Element ? target.closest('button') : null)

/** The trial page: asks a list what the controls say, whenever they change, and shows the answer. */
import { fitPages, showError, showFound } from './answer.js'
import { address, chosen, fitList, restore } from './controls.js'
import { element, write } from './element.js'
import { asker, curlOf } from './request.js'
import './trials.js'

const form = element('question', HTMLFormElement)
const answer = element('answer', HTMLElement)
const page = element('page', HTMLInputElement)
const { ask: askOne, giveUp } = asker()
let pages = 1
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing

/** What is on its way, or waits for the end of a word, is not what is asked now. */
function wait() {
  clearTimeout(typing)
  giveUp()
  answer.ariaBusy = 'true'
}

/** Asks, and shows the answer unless something else has been asked since. */
async function ask() {
  wait()
  const question = chosen()
  write('curl', curlOf(question))
  write('copied', '')
  const received = await askOne(question)
  if (!received) return
  // what changes in a place that is busy may not be read out
  answer.ariaBusy = 'false'
  write('json', indented(received.text))
  if (received.code === 200) pages = showFound(question, received)
  else showError(received)
  fitPages(Number(page.value), pages)
}

/** @param {string} text a proxy's error may be no JSON */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Asks for a page, as a step of the browser's history. @param {number} number @param {boolean} [isTyping] */
async function turnTo(number, isTyping = false) {
  page.value = String(number)
  const next = address()
  // a word is one step, however slowly it is typed
  if (isTyping && history.state === 'typing') history.replaceState('typing', '', next)
  else if (next !== location.href) history.pushState(isTyping ? 'typing' : null, '', next)
  else if (!isTyping) history.replaceState(null, '', next)
  await ask()
}

form.addEventListener('input', ({ target }) => {
  const { name } = /** @type {HTMLInputElement | HTMLSelectElement} */ (target)
  if (name === 'list') fitList()
  wait()
  const isTyping = name === 'search'
  // a word is asked for once, not letter by letter
  typing = setTimeout(turnTo, isTyping ? 200 : 0, 1, isTyping)
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  return turnTo(1)
})

/** @param {string} id @param {() => Promise<void>} act */
function onClick(id, act) {
  const button = element(id, HTMLButtonElement)
  button.addEventListener('click', () => (button.ariaDisabled === 'true' ? undefined : act()))
}

onClick('first', () => turnTo(1))
// two quick clicks lead no further than there are pages, nor does one from past the end
onClick('previous', () => turnTo(Math.min(Math.max(Number(page.value) - 1, 1), pages)))
onClick('next', () => turnTo(Math.min(Number(page.value) + 1, pages)))
onClick('last', () => turnTo(pages))

onClick('clear', () => {
  const search = element('search', HTMLInputElement)
  search.value = ''
  element('status', HTMLSelectElement).value = ''
  search.focus()
  return turnTo(1)
})

onClick('copy', async () => {
  try {
    // there is no clipboard where the page has come by plain HTTP from another machine
    await navigator.clipboard.writeText(element('curl', HTMLElement).textContent ?? '')
    write('copied', 'Copied.')
  } catch {
    write('copied', 'The browser does not allow it: select the line and copy it.')
  }
})

addEventListener('popstate', () => {
  restore()
  return ask()
})
restore()
// an address may have more than the state
history.replaceState(null, '', address())
await ask()

/** The trial page: asks a list what the controls say, whenever they change, and shows the answer. */
import { showError, showFound, showNoAnswer } from './answer.js'
import { chooseAssessments, chooseRole, chosen, fitList } from './controls.js'
import { element, write } from './element.js'
import { answerTo, curlOf } from './request.js'

/** Where the pages stand. */
let place = { page: 1, pages: 1 }
let asking = new AbortController()
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing
const answer = element('answer', HTMLElement)

/** What is on its way, or waits for the end of a word, is not what is asked now. */
function giveUp() {
  clearTimeout(typing)
  asking.abort()
  answer.ariaBusy = 'true'
}

/** Asks, and shows the answer unless something else has been asked since. */
async function ask(question = chosen(place.page)) {
  giveUp()
  asking = new AbortController()
  const { signal } = asking
  write('curl', curlOf(question))
  write('copied', '')
  const received = await answerTo(question, signal).catch(() => undefined)
  if (signal.aborted) return
  // what changes in a place that is busy may not be read out
  answer.ariaBusy = 'false'
  write('json', indented(received?.text ?? ''))
  if (!received) return showNoAnswer()
  const { isOk, status, text, milliseconds } = received
  if (isOk) place = showFound(question, JSON.parse(text), milliseconds)
  else showError(status, text, milliseconds)
}

/** @param {string} text a proxy's error may be no JSON */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** @param {number} page */
async function turnTo(page) {
  place.page = page
  await ask()
}

const form = element('question', HTMLFormElement)
form.addEventListener('input', ({ target }) => {
  const { name } = /** @type {HTMLInputElement | HTMLSelectElement} */ (target)
  if (name === 'list') fitList()
  giveUp()
  // a word is asked for once, not letter by letter
  typing = setTimeout(turnTo, name === 'search' ? 200 : 0, 1)
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
// two quick clicks lead no further than there are pages
onClick('previous', () => turnTo(Math.max(place.page - 1, 1)))
onClick('next', () => turnTo(Math.min(place.page + 1, place.pages)))
onClick('last', () => turnTo(place.pages))

/** Asks something that the controls would not. @param {Record<string, string>} parameters */
async function askWith(parameters) {
  const question = chosen(place.page)
  await ask({ ...question, parameters: { ...question.parameters, ...parameters } })
}

onClick('bad-token', () => ask({ ...chosen(place.page), token: 'not-a-token' }))
onClick('forbidden-role', () => {
  chooseAssessments()
  chooseRole('ordinary user')
  return turnTo(1)
})
onClick('bad-page', () => askWith({ page: '0' }))
onClick('misspelt-parameter', () => askWith({ staus: 'pending' }))

onClick('copy', async () => {
  try {
    // there is no clipboard where the page has come by plain HTTP from another machine
    await navigator.clipboard.writeText(element('curl', HTMLElement).textContent ?? '')
    write('copied', 'Copied.')
  } catch {
    write('copied', 'The browser does not allow it: select the line and copy it.')
  }
})

await ask()

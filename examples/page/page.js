/** The trial page: asks a list what the controls say, whenever they change, and shows the answer. */
import { showError, showFound, showNoAnswer } from './answer.js'
import { chooseAssessments, chooseRole, chosen, fitList } from './controls.js'
import { element, write } from './element.js'
import { answerTo, curlOf } from './request.js'

/** Where the pages stand. */
let place = { page: 1, pages: 1 }
let asking = new AbortController()
const answer = element('answer', HTMLElement)

/** Asks, and shows the answer unless something else has been asked since. */
async function ask(question = chosen(place.page)) {
  asking.abort()
  asking = new AbortController()
  const { signal } = asking
  answer.ariaBusy = 'true'
  write('curl', curlOf(question))
  write('copied', '')
  try {
    const { isOk, status, text, milliseconds } = await answerTo(question, signal)
    const body = JSON.parse(text)
    write('json', JSON.stringify(body, null, 2))
    if (isOk) place = showFound(question, body, milliseconds)
    else showError(status, text, milliseconds)
  } catch {
    if (signal.aborted) return
    write('json', '')
    showNoAnswer()
  }
  answer.ariaBusy = 'false'
}

/** @param {number} page */
async function turnTo(page) {
  place.page = page
  await ask()
}

const form = element('question', HTMLFormElement)
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing
form.addEventListener('input', ({ target }) => {
  const { name } = /** @type {HTMLInputElement | HTMLSelectElement} */ (target)
  if (name === 'list') fitList()
  answer.ariaBusy = 'true'
  clearTimeout(typing)
  // a word is asked for once, not letter by letter
  typing = setTimeout(turnTo, name === 'search' ? 200 : 0, 1)
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  clearTimeout(typing)
  return turnTo(1)
})

/** @param {string} id @param {() => Promise<void>} act */
function onClick(id, act) {
  const button = element(id, HTMLButtonElement)
  button.addEventListener('click', () => (button.ariaDisabled === 'true' ? undefined : act()))
}

onClick('first', () => turnTo(1))
onClick('previous', () => turnTo(place.page - 1))
onClick('next', () => turnTo(place.page + 1))
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

onClick('copy', () =>
  navigator.clipboard.writeText(element('curl', HTMLElement).textContent ?? '').then(
    () => write('copied', 'Copied.'),
    () => write('copied', 'The browser does not allow it: select the line and copy it.')
  )
)

await ask()

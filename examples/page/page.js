/** The trial page: asks a list what the controls say, whenever they change, and shows the answer. */
import { fitPages, showError, showFound, showInserted } from './answer.js'
import { showByHand } from './by-hand.js'
import { onChange } from './change.js'
import { showCode } from './code.js'
import { address, addStep, chosen, clear, control, countActive, fitList, form, restore } from './controls.js'
import './csv.js'
import { buttonOf, element, write } from './element.js'
import { showInside } from './inside.js'
import { showRecord } from './record.js'
import { asker } from './request.js'
import { tabs } from './tabs.js'
import './trials.js'
import { showWho } from './who.js'

const answer = element('answer')
const page = control('page')
const askList = asker()
/** @type {import('./request.js').Answer | undefined} the answer to what is asked */
let received
/** The question of that answer. */
let asked = chosen()
/** The first page, which all but "Under the hood" is about. @type {[typeof asked, NonNullable<typeof received>]} */
let first
let pages = 1
/** The `after` of the next page. @type {string | null | undefined} */
let next
let typing = 0

/** What is on its way, or waits for the end of a word, is not what is asked now. */
function wait() {
  clearTimeout(typing)
  void askList()
  received = undefined
  next = undefined
  answer.ariaBusy = 'true'
  element('copy', HTMLButtonElement).disabled = true
}

/** Asks, and shows the answer unless something else has been asked since. */
async function ask() {
  wait()
  const question = chosen()
  const { list, caller } = question
  countActive()
  write('inserted', '')
  element('swagger', HTMLAnchorElement).href = `docs#/${list.name}/${list.operation}/${encodeURIComponent(caller.role)}`
  const answered = await askList(question)
  if (!answered) return
  await Promise.all([show(question, answered), showRecord(question)])
}

/** @param {ReturnType<typeof chosen>} question @param {import('./request.js').Answer} answered */
async function show(question, answered, isMore = false) {
  received = answered
  asked = question
  if (!isMore) first = [question, answered]
  if (answered.code === 200) ({ pages, next } = showFound(question, answered, isMore))
  else showError(answered)
  fitPages(Number(page.value), pages, answered.code === 200)
  await showView()
}

/** Asks for what follows the last record, without counting anything again. */
async function more() {
  if (!next) return
  const question = chosen()
  const parameters = question.parameters.filter(([name]) => !['total', 'counts'].includes(name))
  question.parameters = [...parameters, ['after', next]]
  wait()
  const answered = await askList(question)
  if (answered) await show(question, answered, true)
}

/** Shows a record, or none, as a step of the browser's history. @param {string} id */
async function openRecord(id) {
  control('record').value = id
  addStep()
  await showRecord(chosen())
  if (id) element('close').focus()
}

const select = tabs(element('views'), (name) => {
  control('view').value = name
  addStep()
  return showView()
})

/** Fills the chosen view, if there is an answer. */
async function showView() {
  const { view } = chosen()
  const now = received
  select(view)
  if (!now) return
  const [question, opened] = first
  answer.ariaBusy = 'true'
  if (view === 'records') await showByHand(question)
  if (view === 'who') await showWho(question)
  if (view === 'inside') await showInside(asked, now)
  if (view === 'code') await showCode(question, opened)
  // what changes in a place that is busy may not be read out
  if (received === now) answer.ariaBusy = 'false'
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

addEventListener('input', (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target)
  if (target.form !== form) return
  if (target.name === 'list') {
    for (const name of ['sort', 'record', 'changes']) control(name).value = ''
    fitList()
  }
  wait()
  const isTyping = ['search', 'text', 'number'].includes(target.type)
  // a word is asked for once, not letter by letter
  typing = window.setTimeout(turnTo, isTyping ? 200 : 0, target.name === 'by_hand' ? Number(page.value) : 1, isTyping)
})
form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('keydown', ({ key, target }) => {
  if (key === 'Enter' && /** @type {HTMLInputElement} */ (target).type === 'search') return turnTo(1)
  const box = /** @type {Element} */ (target).closest('details')
  if (key !== 'Escape' || !box) return
  box.open = false
  box.querySelector('summary')?.focus()
})

// a box of filters closes once somebody is elsewhere
for (const kind of ['pointerdown', 'focusin']) {
  addEventListener(kind, ({ target }) => {
    for (const box of form.querySelectorAll('details')) box.open &&= box.contains(/** @type {Node} */ (target))
  })
}

/** @param {string} id @param {(button: HTMLButtonElement) => unknown} act */
function onClick(id, act) {
  element(id).addEventListener('click', async (event) => {
    const button = buttonOf(event)
    if (!button || button.ariaDisabled === 'true') return
    const place = [...element(id).querySelectorAll('button')].indexOf(button)
    await act(button)
    // a button that is drawn anew keeps the focus
    if (document.activeElement === document.body) element(id).querySelectorAll('button')[place]?.focus()
  })
}

for (const pager of document.querySelectorAll('.pages')) {
  pager.addEventListener('change', ({ target }) => {
    return turnTo(Number(/** @type {HTMLInputElement} */ (target).value.replace(/\D/g, '')) || 1)
  })
  pager.addEventListener('click', (event) => {
    const button = buttonOf(event)
    if (!button || button.ariaDisabled === 'true') return
    const now = Number(page.value)
    // neither two quick clicks nor one from past the end lead too far
    const previous = Math.min(Math.max(now - 1, 1), pages)
    const to = { first: 1, previous, next: Math.min(now + 1, pages), last: pages }
    return turnTo(to[/** @type {keyof typeof to} */ (button.value)])
  })
}
onClick('again', ask)
onClick('more', more)
// on the way down, what follows comes by itself
const onScroll = (/** @type {Event} */ { target }) => {
  const box = target instanceof Element ? target : document.documentElement
  const table = element('table')
  if (!table.checkVisibility() || !box.contains(table)) return
  if (box.scrollTop + box.clientHeight > box.scrollHeight - 300) void more()
}
addEventListener('scroll', onScroll, true)
onClick('close', async () => {
  const { record } = chosen()
  await openRecord('')
  const opened = document.querySelector(`button[name="record"][value="${CSS.escape(record)}"]`)
  if (opened instanceof HTMLElement) opened.focus()
})
onClick('table', ({ name, value }) => {
  if (name === 'record') return openRecord(value)
  control('sort').value = value
  return turnTo(1)
})
onClick('matrix', ({ value }) => {
  control('role').value = value
  return turnTo(1)
})
onChange(showView)
onClick('clear', () => {
  clear()
  element('search').focus()
  return turnTo(1)
})
onClick('insert', () => showInserted(chosen(), ask))

addEventListener('popstate', () => {
  restore()
  return ask()
})
restore()
// an address may have more than the state
history.replaceState(null, '', address())
await ask()

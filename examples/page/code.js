/** The code behind an answer, in each way to ask for the same. A token is in it only when it is copied. */
import { element, make, write } from './element.js'
import { askView } from './request.js'
import { tabs } from './tabs.js'

const languages = element('languages')
const copy = element('copy', HTMLButtonElement)
/** @type {Record<string, string>} */
let code = {}
let chosen = 'Server'
let token = ''

const show = (/** @type {string} */ name) => {
  chosen = name
  fill()
}
const select = tabs(languages, show, 'snippet')

/** @param {import('./answer.js').Question} question @param {import('./request.js').Answer} answer */
export async function showCode({ caller, list, parameters }, answer) {
  const { total = 0 } = answer.code === 200 ? JSON.parse(answer.text) : {}
  const query = String(new URLSearchParams(parameters))
  const asked = { role: caller.role, list: list.name, query, status: String(answer.code), total: String(total) }
  code = (await askView('code', asked)) ?? {}
  token = caller.token
  if (languages.childElementCount === 0) {
    languages.append(...Object.keys(code).map((name) => make('button', { type: 'button', value: name }, name)))
  }
  fill()
  copy.disabled = !code[chosen]
}

function fill() {
  select(chosen)
  write('copied', '')
  write('snippet', code[chosen]?.replaceAll(token, '••••••••') ?? '')
}

copy.addEventListener('click', async () => {
  const text = code[chosen] ?? ''
  try {
    // by plain HTTP from another machine there is no clipboard
    await navigator.clipboard.writeText(text)
    write('copied', text.includes(token) ? 'Copied, with the token.' : 'Copied.')
  } catch {
    write('copied', 'The browser does not allow it: select the text and copy it.')
  }
})

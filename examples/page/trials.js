/** The errors to try. Each is a question of its own, and leaves the controls alone. */
import { tokenOf } from './controls.js'
import { buttonOf, element, write } from './element.js'
import { showProblem } from './problem.js'
import { addressOf, asker } from './request.js'

const ask = asker()
const place = element('trial')

element('errors').addEventListener('click', async (event) => {
  const [name = '', value = ''] = buttonOf(event)?.value.split('=') ?? []
  if (!name) return
  const token = name === 'token' ? value : tokenOf(name === 'role' ? value : 'Admin')
  /** @type {[string, string][]} */
  const parameters = [['search', '']]
  if (token !== value && name !== 'role') parameters.push([name, value])
  const question = { path: '/assessment/list', token, parameters }
  place.hidden = false
  place.ariaBusy = 'true'
  write('trial-curl', `curl -H 'Authorization: Bearer ••••••••' '${addressOf(question)}'`)
  const answer = await ask(question)
  if (!answer) return
  place.ariaBusy = 'false'
  showProblem('trial-', answer)
})

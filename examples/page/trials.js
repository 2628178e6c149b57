/** The errors to try. Each is a question of its own: it neither reads the controls nor changes them. */
import { tokenOf } from './controls.js'
import { element, write } from './element.js'
import { showProblem } from './problem.js'
import { asker, curlOf } from './request.js'

/** @type {Record<string, { token?: string, parameters?: Record<string, string> }>} */
const trials = {
  'bad-token': { token: 'not-a-token' },
  'forbidden-role': { token: tokenOf('ordinary user') },
  'bad-page': { parameters: { page: '0' } },
  'misspelt-parameter': { parameters: { staus: 'pending' } }
}

const { ask } = asker()
const place = element('trial', HTMLElement)

for (const [id, { token = tokenOf('Admin'), parameters }] of Object.entries(trials)) {
  element(id, HTMLButtonElement).addEventListener('click', async () => {
    const question = { path: 'assessment/list', token, parameters: { search: '', ...parameters } }
    place.hidden = false
    place.ariaBusy = 'true'
    write('trial-curl', curlOf(question))
    const answer = await ask(question)
    if (!answer) return
    place.ariaBusy = 'false'
    showProblem('trial-', answer)
    place.scrollIntoView({ block: 'nearest' })
  })
}

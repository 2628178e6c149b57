/** The errors to try. Each is a question of its own: it neither reads the controls nor changes them. */
import { tokenOf } from './controls.js'
import { element, write } from './element.js'
import { showProblem } from './problem.js'
import { addressOf, asker } from './request.js'

/** @type {Record<string, { token?: string, parameter?: [string, string] }>} */
const trials = {
  'bad-token': { token: 'not-a-token' },
  'forbidden-role': { token: tokenOf('ordinary user') },
  'bad-page': { parameter: ['page', '0'] },
  'misspelt-parameter': { parameter: ['staus', 'pending'] }
}

const ask = asker()
const place = element('trial')

for (const [id, { token = tokenOf('Admin'), parameter }] of Object.entries(trials)) {
  element(id).addEventListener('click', async () => {
    /** @type {import('./request.js').Question} */
    const question = {
      path: '/assessment/list',
      token,
      parameters: [['search', ''], ...(parameter ? [parameter] : [])]
    }
    place.hidden = false
    place.ariaBusy = 'true'
    write('trial-curl', `curl -H 'Authorization: Bearer ••••••••' '${addressOf(question)}'`)
    const answer = await ask(question)
    if (!answer) return
    place.ariaBusy = 'false'
    showProblem('trial-', answer)
  })
}

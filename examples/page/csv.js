/** The form of the CSV: the page asks with the token and the question of the controls. */
import { chosen } from './controls.js'
import { element } from './element.js'

const csv = element('export', HTMLFormElement)
csv.addEventListener('submit', (event) => element('csv').ariaDisabled === 'true' && event.preventDefault())
// the page itself has no token
csv.addEventListener('formdata', ({ formData }) => {
  const { list, token, parameters } = chosen()
  const query = parameters.filter(([name]) => !['page', 'limit', 'sort', 'total', 'counts'].includes(name))
  const given = { token, list: list.name, query: String(new URLSearchParams(query)) }
  for (const [name, value] of Object.entries(given)) formData.set(name, value)
})

/** One record, by its own route: whoever may not see it in the list gets the 404 of a record that there is not. */
import { breakable, element, make, write } from './element.js'
import { showProblem } from './problem.js'
import { asker } from './request.js'
import { hidden } from './table.js'

const ask = asker()

/** @param {import('./answer.js').Question} question */
export async function showRecord({ list, record, token }) {
  const path = record && list.record?.replace(/\{.*\}/, encodeURIComponent(record))
  element('record').hidden = !path
  if (!path) return ask()
  const answer = await ask({ path, token, parameters: [] })
  if (!answer) return
  element('record-problem').replaceChildren()
  element('fields').replaceChildren()
  if (answer.code !== 200) showProblem('record-', answer)
  else {
    const { status, message, ...found } = JSON.parse(answer.text)
    const [item = {}] = /** @type {Record<string, unknown>[]} */ (Object.values(found))
    const names = new Set([...Object.keys(item), ...list.columns.flatMap(({ fields }) => fields)])
    const fields = [...names].flatMap((name) => {
      const { [name]: value = hidden } = item
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [make('dt', {}, name), make('dd', {}, ...[breakable(text)].flat())]
    })
    element('fields').replaceChildren(...fields)
  }
  write('record-outcome', `GET ${path} → ${answer.status}, ${answer.milliseconds} ms`)
}

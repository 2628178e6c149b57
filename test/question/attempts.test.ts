/** Each attempt is asked with other SQL, until the database takes the texts of a question. */
import t from 'tap'
import { sampleName, samples } from '../../src/database/cells.js'
import { finder, questionFor, sessionOf, withoutDatabase } from '../support/session.js'

const refused = Object.assign(new Error('Illegal mix of collations'), { errno: 1267 })
const looked = Object.fromEntries(samples.map((sample, place) => [sampleName(place), sample]))

t.test('a text that the database refuses in every attempt is an error', async (t) => {
  for (const [name, attempts] of [
    ['mysql', 3],
    ['postgres', 3],
    ['sqlite', 1]
  ] as const) {
    const session = sessionOf(withoutDatabase(name))
    let asked = 0
    const run: typeof session.run = async ({ sql }) => {
      if (!sql.includes('cell 0')) return [looked]
      asked++
      throw refused
    }
    const snapshot: typeof session.snapshot = (work) => work({ ...session, run })
    const question = questionFor({ reach: 'own', search: 'a' })
    await t.rejects(finder().find(question, { ...session, run, snapshot }), { kind: 'internal', cause: refused })
    t.equal(asked, attempts, `${name} has ${attempts}`)
  }
})

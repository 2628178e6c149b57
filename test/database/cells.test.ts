import t from 'tap'
import { sampleName, samples } from '../../src/database/cells.js'
import { assessments } from '../../src/lists/ready/assessments.js'
import { conversions } from '../support/oracle/conversions.js'
import { openDatabase } from '../support/servers/databases.js'
import { look, sessionOf } from '../support/servers/session.js'
import { openWorld } from '../support/servers/tables.js'

t.test('rows with changed samples, and an answer without rows, are an error', async (t) => {
  const session = sessionOf(await openDatabase(t, 'sqlite'))
  for (const rows of [[], [{}], [{ [sampleName(0)]: 'x' }]]) {
    await t.rejects(look(assessments, { ...session, run: async () => rows }), { name: 'Failure' })
  }
  const rare = { 'numbers with an exponent': (text: string) => (/^\de\d$/.test(text) ? Number(text) : text) }
  for (const [name, convert] of Object.entries({ ...conversions, ...rare })) {
    const cells = samples.map((text, place) => [sampleName(place), text === null ? null : convert(text)])
    const run = async () => [Object.fromEntries(cells)]
    await t.rejects(look(assessments, { ...session, run }), { name: 'Failure' }, name)
  }
})

t.test('cells are read as bytes through a connection that changes text', async (t) => {
  const latin1 = { connectionLimit: 1, charset: 'latin1_swedish_ci' }
  const [whole, changing] = [await openWorld(t, 'mysql'), await openWorld(t, 'mysql', { pool: latin1 })].map((db) =>
    look(assessments, sessionOf(db))
  )
  t.match(await changing, { hasBytes: true })
  t.match(await whole, { hasBytes: false })
})

import t from 'tap'
import { run } from '../../support/fixtures/definition-code.js'

t.test('a column stands in the field that shows it, with what OpenAPI says of it', async (t) => {
  const level = "{ whenNull: 'null', description: 'Of the exam.', examples: ['basic', null] }"
  const others =
    "columns: { holder_id: column.id(), issued_at: column.utcTime({ whenNull: 'error' }) }; unshown: ['issued_at']"
  const list = run(`${others}; fields.level: column.enum(['basic', 'expert'], ${level})`)
  t.strictSame(Object.keys(list.columns), ['certificate_id', 'title', 'level', 'holder_id', 'issued_at'])
  t.match(list.item.properties, {
    level: { description: 'Of the exam.', examples: ['basic', null], anyOf: [{ enum: ['basic', 'expert'] }, {}] }
  })
  const wrong = `${others}; filters: ; fields.level: column.integer({ examples: ["3"] })`
  t.throws(() => run(wrong), { message: /the example "3" does not fit field 'level'/ })
})

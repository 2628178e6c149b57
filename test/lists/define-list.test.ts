/** The properties of a correct list. The tests of `mistakes` have the others. */
import t from 'tap'
import { assessments } from '../../src/lists/assessments.js'
import { column } from '../../src/lists/columns.js'
import { defineList } from '../../src/lists/define-list.js'
import type { Field } from '../../src/lists/list.js'
import { payments } from '../../src/lists/payments.js'
import { run } from '../support/definition-code.js'

t.test('a column stands in the field that shows it, with what OpenAPI says of it', (t) => {
  const level = "{ whenNull: 'null', description: 'Of the exam.', examples: ['basic', null] }"
  const others = "columns: { holder_id: column.id(), issued_at: column.utcTime({ whenNull: 'error' }) }"
  const list = run(`${others}; fields.level: column.enum(['basic', 'expert'], ${level})`)
  t.strictSame(Object.keys(list.columns), ['certificate_id', 'title', 'level', 'holder_id', 'issued_at'])
  t.match(list.item.properties, {
    level: { description: 'Of the exam.', examples: ['basic', null], anyOf: [{ enum: ['basic', 'expert'] }, {}] }
  })
  const wrong = `${others}; filters: ; fields.level: column.integer({ examples: ["3"] })`
  t.throws(() => run(wrong), { message: /the example "3" does not fit field 'level'/ })
  t.end()
})

t.test('a list may have neither search nor filters, and an extended one another description of its search', (t) => {
  const { query, search, filters } = run('search: ; filters: ')
  t.strictSame([Object.keys(query.properties), filters], [['page', 'limit'], {}])
  t.match(search, { records: [], users: [] })
  const list = run("extend: { search: { description: 'In the title.' } }")
  t.match(list.query.properties.search, { description: 'In the title.', examples: ['aid'] })
  const searched = run("search: ; extend: { search: { columns: ['title'], examples: ['aid'] } }")
  t.match(searched.search, { records: ['r.title'], users: [] })
  t.ok(searched.query.properties.search)
  t.end()
})

t.test('a later change of a definition has no effect, and a list cannot change', (t) => {
  const { definition } = run()
  const parts = [{ own: 'holder_id' }]
  const roles: Record<string, unknown> = { Admin: 'all', Coach: parts }
  const readers = ['Admin']
  const note = { column: 'title', roles: readers, examples: ['x'] }
  const changed = { ...definition, fields: { ...definition.fields, note }, roles, otherRoles: parts }
  const list = defineList(changed as never as typeof definition)
  roles.User = 'all'
  parts.push({ own: 'coach_id' })
  readers.push('User')
  t.strictSame(list.roles, { Admin: 'all', Coach: [{ own: 'holder_id' }] })
  t.strictSame([list.otherRoles, Object(list.fields).note.roles], [[{ own: 'holder_id' }], ['Admin']])
  for (const part of [list, list.roles, list.columns]) t.ok(Object.isFrozen(part))
  t.strictSame(list.extend({ filters: undefined }).columns, list.columns)
  t.strictSame(Object(list).extend().columns, list.columns)
  t.end()
})

t.test('the properties of a part of a reach come in any order', (t) => {
  const { roles } = run(
    "roles: { Coach: [{ by: 'staff', linked: 'coach_id' }, { linked: 'coach_id', by: undefined }] }"
  )
  t.strictSame(roles.Coach, [
    { by: 'staff', linked: 'coach_id' },
    { linked: 'coach_id', by: undefined }
  ])
  t.end()
})

t.test('the fields of a list decide its joins, and a column may have the name of a joined table', (t) => {
  t.strictSame(assessments.joins, { u: 'users', p: 'practitioners', m: 'memberships' })
  t.strictSame(payments.joins, { u: 'users' })
  const fields = "{ certificate_id: column.id({ examples: ['81'] }), users: column.integer({ examples: [3] }) }"
  t.strictSame(run(`search: ; fields: ${fields}`).joins, {})
  t.end()
})

t.test('the schema of an item requires every field and allows no other', (t) => {
  for (const { item, fields } of [assessments, payments]) {
    const schemas = Object.entries<Field>(fields).map(([name, { schema }]) => [name, schema])
    t.match(item, { type: 'object', additionalProperties: false, required: Object.keys(fields) })
    t.strictSame(item.properties, Object.fromEntries(schemas))
  }
  t.end()
})

t.test('a list that is extended twice has what both extensions add', (t) => {
  const text = column.text({ whenNull: 'error' })
  const examples = ['x']
  const list = payments
    .extend({
      columns: { one: text },
      joined: { users: { title: text } },
      filters: { one: { examples } },
      sort: ['one']
    })
    .extend({
      columns: { other: text },
      joined: { users: { team: text } },
      fields: { title: { column: 'users.title', examples }, team: { column: 'users.team', examples } },
      filters: { other: { examples } },
      sort: ['other']
    })
  t.strictSame(Object.keys(list.parameters), ['search', 'processor_status', 'one', 'other', 'sort'])
  t.strictSame(Object.keys(list.orders), ['', 'one', '-one', 'other', '-other'])
  t.match(list.fields, { title: { column: 'u.title' }, team: { column: 'u.team' } })
  t.end()
})

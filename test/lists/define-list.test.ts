/** The properties of a correct list. The tests of `mistakes` have the others. */
import t from 'tap'
import { defineList } from '../../src/lists/define-list.js'
import { assessments } from '../../src/lists/ready/assessments.js'
import { payments } from '../../src/lists/ready/payments.js'
import { run } from '../support/fixtures/definition-code.js'

t.test('a later change of a definition has no effect, and a list cannot change', async (t) => {
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
})

t.test('the fields of a list decide its joins, and a column may have the name of a joined table', async (t) => {
  t.strictSame(assessments.joins, { u: 'users', p: 'practitioners', m: 'memberships' })
  t.strictSame(payments.joins, { u: 'users' })
  const fields = "{ certificate_id: column.id({ examples: ['81'] }), users: column.integer({ examples: [3] }) }"
  t.strictSame(run(`search: ; fields: ${fields}`).joins, {})
})

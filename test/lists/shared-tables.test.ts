import t from 'tap'
import { assessments } from '../../src/lists/ready/assessments.js'
import { joinsOf } from '../../src/lists/shared-tables.js'

t.test('a list joins the tables that its fields read, by their aliases', async (t) => {
  t.strictSame(joinsOf({}), {})
  t.strictSame(joinsOf(assessments.fields), { u: 'users', p: 'practitioners', m: 'memberships' })
  const ofUsers = Object.entries(assessments.fields).filter(([, { column }]) => column.startsWith('u.'))
  t.strictSame(joinsOf(Object.fromEntries(ofUsers)), { u: 'users' })
})

import { sql } from 'kysely'
import t from 'tap'
import { allOf, anyOf } from '../../../src/question/sql/conditions.js'
import { sessionOf, withoutDatabase } from '../../support/servers/session.js'

t.test('conditions are joined, one stands alone, and none is true of every record or of no record', async (t) => {
  const session = sessionOf(withoutDatabase('sqlite'))
  const conditions = ['a', 'b', 'c'].map((name) => sql<boolean>`${sql.ref(name)}`)
  const textOf = (condition: ReturnType<typeof allOf>) => session.compile(sql`${condition}`).sql.replaceAll('"', '')
  t.equal(textOf(allOf(conditions)), '(a and b and c)')
  t.equal(textOf(anyOf(conditions)), '(a or b or c)')
  t.equal(textOf(allOf(conditions.slice(0, 1))), 'a')
  t.equal(textOf(anyOf(conditions.slice(0, 1))), 'a')
  t.equal(textOf(allOf([])), '1 = 1')
  t.equal(textOf(anyOf([])), '1 = 0')
})

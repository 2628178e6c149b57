import t from 'tap'
import { shapeOf } from '../../../src/question/asked/question.js'
import { countsSql } from '../../../src/question/sql/counts.js'
import { byNumber } from '../../support/fixtures/tasks.js'
import { questionFor, sessionOf, sourceOf, unfittedFor, withoutDatabase } from '../../support/servers/session.js'

const list = byNumber as never

/** The counts of the states for all records, beside a filter of its own and another. */
function sqlOf(name: string, parameters: Record<string, string[]>, reach: unknown = 'all') {
  const db = withoutDatabase('mysql')
  const session = { ...sessionOf(db), tables: sourceOf(db, {}, [list]).tables(['tasks', 'links']) }
  const shape = shapeOf(questionFor({ list, reach: reach as never, parameters }))
  const counts = countsSql({ filter: name, reach: shape.reach }, shape, unfittedFor(session, list))
  return counts.compile(db).sql.replaceAll('`', '')
}

t.test('one statement counts each value under every condition but that of the filter itself', async (t) => {
  const text = sqlOf('state', { state: ['open'], title: ['a'] })
  t.equal(text.match(/count\(case when/g)?.length, 4)
  t.match(text, /as count 0, .* as count 3 from tasks as r +where \(r\.title = /)
  t.notMatch(text.split(' from tasks')[1], 'r.state')
  t.equal(sqlOf('noted', {}).match(/count\(case when/g)?.length, 2)
})

t.test('a union selects the column that is counted, and a record of several parts counts once', async (t) => {
  const parts = [{ own: 'helper_id' }, { own: 'owner_id' }]
  t.match(
    sqlOf('state', {}, parts),
    /case when .*r\.sort_key = .* from \(select .*r\.state as sort_key .* union select /
  )
  // A union copies no long texts to see whether there are any.
  t.match(sqlOf('noted', {}, parts), / as v inner join tasks as r on /)
})

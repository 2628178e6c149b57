import t from 'tap'
import { idParameterOf, type RecordRoute } from '../../src/lists/list.js'

t.test('the id of a record is the parameter in its path', async (t) => {
  const of = (path: RecordRoute['path']) => idParameterOf({ path, key: 'x', messages: { found: 'x', notFound: 'x' } })
  t.equal(of('/:id'), 'id')
  t.equal(of('/lesson/:lesson_id'), 'lesson_id')
  t.equal(of('/lesson/:Lesson2/details'), 'Lesson2')
})

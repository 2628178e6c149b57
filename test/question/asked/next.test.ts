import t from 'tap'
import { column, defineList } from '../../../src/index.js'
import type { Order } from '../../../src/lists/list.js'
import { nextOf, placeOf, positionOf } from '../../../src/question/asked/next.js'
import { byAfter } from '../../support/fixtures/tasks.js'

const down: Order = { column: 'made_at', direction: 'desc' }
const second = '2026-01-01 09:30:00'

t.test('a position is the exact value and the exact id of the last record', async (t) => {
  for (const order of [down, { ...down, direction: 'asc' } as const]) {
    for (const time of [second, `${second}.123456`, '2026-01-01T09:30:00.25Z']) {
      t.strictSame(positionOf(nextOf(byAfter, order, { value: time, id: '7' }), byAfter, order), {
        value: time,
        id: '7'
      })
    }
  }
  const byTitle = { column: 'title', direction: 'asc' } as const
  for (const id of ['kurs-köln-a-2026', 'ΑΒΓ', '🙂', ' ', "'"]) {
    t.strictSame(positionOf(nextOf(byAfter, byTitle, { value: 'Zoë', id }), byAfter, byTitle), { value: 'Zoë', id })
  }
})

t.test('a place without a value is one of an order in which some records have none', async (t) => {
  const given = byAfter.definition
  const empty = defineList({
    ...given,
    fields: { ...given.fields, room: column.integer({ whenNull: 'null', examples: [5] }) },
    sort: [...given.sort, 'room']
  } as never) as never as typeof byAfter
  const byRoom = { column: 'room', direction: 'asc' } as const
  t.strictSame(positionOf(nextOf(empty, byRoom, { value: null, id: '7' }), empty, byRoom), { value: null, id: '7' })
  t.throws(() => nextOf(byAfter, down, { value: null, id: '7' }), { message: /made_at/, statusCode: 500 })
})

t.test('a position that the list has not given in this order is none', async (t) => {
  const of = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  t.strictSame(positionOf(of('tasks', '-made_at', second, '1'), byAfter, down), { value: second, id: '1' })
  for (const wrong of [
    ...['', 'x', `${of('tasks', '-made_at', second, '1')}=`],
    ...[of(), of('tasks', '-made_at'), of('tasks', '-made_at', second), of('tasks', 'made_at', second, '1')],
    of('tasks', '-made_at', second, null),
    ...[
      of('payments', '-made_at', second, '1'),
      of('tasks', '-made_at', second, 1),
      of('tasks', '-made_at', null, '1')
    ],
    ...[of('tasks', '-made_at', second, ''), of('tasks', '-made_at', second, '\0'), of('tasks', '-made_at', 'x', '1')],
    ...[
      of('tasks', '-made_at', '0000-00-00', '1'),
      of('tasks', '-made_at', second, '1', 2),
      of('tasks', '-made_at', second, '1', '')
    ],
    Buffer.from(JSON.stringify({ a: 1 })).toString('base64url')
  ]) {
    t.equal(positionOf(wrong, byAfter, down), undefined, wrong)
  }
})

t.test('a record that no URL or no statement can name is an error that names it', async (t) => {
  const byTitle = { column: 'title', direction: 'asc' } as const
  const message =
    'Nothing can be read after the task_id 7, because its title or its task_id is too long, is empty or has a NUL: sort by another column.'
  for (const time of ['a'.repeat(900), 'a\0b', '\ud800']) {
    t.throws(() => nextOf(byAfter, byTitle, { value: time, id: '7' }), { message, statusCode: 500 })
  }
  t.throws(() => nextOf(byAfter, byTitle, { value: 'a', id: '' }), { message: /is empty/, statusCode: 500 })
  // A place that is never written into a URL may be long.
  t.strictSame(placeOf(byAfter, byTitle, { value: 'a'.repeat(900), id: '' }), { value: 'a'.repeat(900), id: '' })
  t.throws(() => placeOf(byAfter, byTitle, { value: 'a\0b', id: '7' }), { message, statusCode: 500 })
  const place = { value: 'a', id: '7' }
  t.throws(() => placeOf(byAfter, byTitle, place, { ...place }), { statusCode: 500, message: /a NUL/ }, 'no progress')
  t.strictSame(placeOf(byAfter, byTitle, place, { value: 'a', id: '8' }), place)
  t.throws(() => placeOf(byAfter, byTitle, { value: 'a', id: '7\0' }), { message: /a NUL/, statusCode: 500 })
})

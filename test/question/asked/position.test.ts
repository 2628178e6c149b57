import t from 'tap'
import type { Key, RecordKey } from '../../../src/database/dialect.js'
import type { Order } from '../../../src/lists/list.js'
import { keyAfter, nextOf, positionOf, type Stretch } from '../../../src/question/asked/position.js'
import { byAfter } from '../../support/tasks.js'

const [down, up]: [Order, Order] = [
  { column: 'made_at', direction: 'desc' },
  { column: 'made_at', direction: 'asc' }
]

const second = '2026-01-01 09:30:00'
const key = (id: string, time = second): RecordKey => ({ time, id })
const stretch = (keys: RecordKey[], following: RecordKey, from?: Key): Stretch => ({ keys, following, from })
const placeOf = (order: Order, ...given: Parameters<typeof stretch>) =>
  positionOf(nextOf(byAfter, order, stretch(...given)), byAfter, order)

t.test('the next page begins after the last record', async (t) => {
  t.strictSame(keyAfter(stretch([key('2'), key('1')], key('0'))), key('1'))
  t.match(placeOf(down, [key('2'), key('1')], key('0')), key('1'))
})

t.test('ids that a database may equate are told one by one', async (t) => {
  const last = [key('Zoe', '2026-01-02 00:00:00'), key('b'), key('ZOË'), key('zoe')]
  t.strictSame(keyAfter(stretch(last, key('Zoe-'))), { ...key('zoe'), shown: ['ZOË', 'zoe'] })
  t.strictSame(keyAfter(stretch(last, key('c'))), key('zoe'))
  t.strictSame(keyAfter(stretch(last, key('Zoe', '2026-01-03 00:00:00'))), key('zoe'), 'another time')
  const next = stretch([key('Zoé')], key('zöe'), { ...key('zoe'), shown: ['ZOË', 'zoe'] })
  t.strictSame(keyAfter(next), { ...key('Zoé'), shown: ['ZOË', 'zoe', 'Zoé'] }, 'those of the pages before')
  t.strictSame(keyAfter({ ...next, from: key('zoe') }).shown, ['zoe', 'Zoé'])
  t.strictSame(keyAfter({ ...next, from: { time: second } }).shown, ['Zoé'])
  t.match(placeOf(down, last, key('Zoe-')), { shown: ['ZOË', 'zoe'] })
  const isTold = (one: string, other: string) => keyAfter(stretch([key(one)], key(other))).shown !== undefined
  t.ok(isTold('Ж7', 'ж7') && isTold('æ7', 'ae7') && isTold('x٣', 'x3') && isTold('ﬁ³', 'FI3'))
  t.notOk(isTold('М100001', 'М100002') || isTold('a7', 'b7'), 'no collation equates other digits')
})

t.test('a position has whole seconds, as items have, and the ids that are shown of its second', async (t) => {
  const [at, later] = [(fraction: string) => `${second}.${fraction}`, '2026-01-01 09:30:01']
  const before = key('9', '2026-01-01 09:29:59.9')
  t.match(placeOf(down, [key('1', at('25'))], before), { time: later, id: undefined, shown: ['1'] })
  t.match(placeOf(up, [key('1', at('25'))], key('9', `${later}.5`)), { time: second, id: undefined, shown: ['1'] })
  const keys = [key('7', `${later}.1`), key('2', at('5')), key('1', at('25'))]
  t.match(placeOf(down, keys, key('0', at('2'))), { time: later, id: undefined, shown: ['2', '1'] })
  const next = stretch([key('0', at('2'))], key('8', at('1')), { ...key('1', at('25')), shown: ['2', '1'] })
  t.match(positionOf(nextOf(byAfter, down, next, { time: later, shown: ['2', '1'] }), byAfter, down), {
    time: later,
    shown: ['2', '1', '0']
  })
  t.match(placeOf(up, [key('1', at('25'))], key('2', at('5')), { time: second }), { time: second, shown: ['1'] })
  const iso = [key('1', '2026-01-01T09:30:00.123Z'), key('0', '2026-01-01T09:29:00.123Z')] as const
  t.match(placeOf(down, [iso[0]], iso[1]), { time: '2026-01-01T09:30:01' })
  t.match(placeOf(up, [iso[1]], iso[0]), { time: '2026-01-01T09:29:00' })
})

t.test('fractions are told only where nothing else tells the place', async (t) => {
  const [one, other] = [`${second}.25`, `${second}.5`]
  const many = Array.from({ length: 300 }, (_, place) => key(String(9000 - place), other))
  t.match(placeOf(down, many, key('1', one)), { time: other, id: '8701' }, 'more records than a URL can name')
  t.match(placeOf(up, [key('2', one)], key('1', other), key('3')), { time: one, id: '2' }, 'after such a place')
  const whole = key('2', '2026-01-01T10:00:00')
  t.match(placeOf(down, [whole], key('1', one)), whole, 'a time without fractions')
  const [last, none] = [key('1', '9999-12-31 23:59:59.5'), key('1', '2026-13-01 00:00:00.5')]
  t.match(placeOf(down, [last], key('0')), last, 'the end of the last year')
  const partsOf = (order: Order, last: RecordKey) =>
    JSON.parse(Buffer.from(nextOf(byAfter, order, stretch([last], key('0'))), 'base64url').toString())
  t.match(partsOf(down, none), ['tasks', '-made_at', none.time, '1'])
  const title = key('1', `${one} a title`)
  t.match(partsOf({ column: 'title', direction: 'asc' }, title), ['tasks', 'title', title.time, '1'], 'a text')
})

t.test('a position that the list has not given in this order is none', async (t) => {
  const of = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  t.strictSame(positionOf(of('tasks', '-made_at', second, '1'), byAfter, down), { time: second, id: '1' })
  t.strictSame(positionOf(of('tasks', '-made_at', second, null), byAfter, down), { time: second, id: undefined })
  for (const wrong of [
    ...['', 'x', `${of('tasks', '-made_at', second, '1')}=`],
    ...[of(), of('tasks', '-made_at'), of('tasks', '-made_at', second), of('tasks', 'made_at', second, '1')],
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

t.test('a value that is too long for a URL is an error that names the record', async (t) => {
  const order = { column: 'title', direction: 'asc' } as const
  const message = 'The title of task_id 7 is too long to continue after: sort by a shorter column.'
  t.throws(() => nextOf(byAfter, order, stretch([key('7', 'a'.repeat(900))], key('8', 'b'))), {
    message,
    statusCode: 500
  })
})

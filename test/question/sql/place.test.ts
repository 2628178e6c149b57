import { sql } from 'kysely'
import t from 'tap'
import type { Key } from '../../../src/database/dialect.js'
import { shapeOf } from '../../../src/question/asked/question.js'
import { placeConditions } from '../../../src/question/sql/place.js'
import { questionFor, sessionOf, unfittedFor, withoutDatabase } from '../../support/session.js'

const asked = (more: object, direction: 'asc' | 'desc' = 'desc') =>
  shapeOf({ ...questionFor({ order: { column: 'created_at', direction } }), ...more })

/** The SQL of PostgreSQL, whose comparison of two values is one. */
function sqlOf(shape: ReturnType<typeof asked>, from?: Key | 'unreachable') {
  const db = withoutDatabase('postgres')
  const conditions = placeConditions(shape, unfittedFor(sessionOf(db)), from)
  const { sql: text, parameters } = sql`${sql.join([sql`1`, ...conditions], sql` and `)}`.compile(db)
  return [text.replace(/^1( and )?/, '').replaceAll('"', ''), ...parameters]
}

const key = { time: '2024-03-01 09:30:00', id: 'a' }
const same = '(r.payment_id = $1 and coalesce(cast(r.payment_id as text) collate C = $2, false))'

t.test('a page with a number has no condition of its place', async (t) => {
  t.strictSame(sqlOf(asked({})), [''])
})

t.test('what follows a record, strictly', async (t) => {
  const after = '(r.created_at, r.payment_id) < ($1, $2)'
  t.strictSame(sqlOf(asked({ from: key })), [after, key.time, 'a'])
  t.strictSame(sqlOf(asked({}), key), [after, key.time, 'a'], 'a place that the question does not know')
  t.strictSame(sqlOf(asked({ from: key }, 'asc')), [after.replace('<', '>'), key.time, 'a'])
})

t.test('ids that are shown already are left out among those that the database equates', async (t) => {
  const [text, ...parameters] = sqlOf(asked({ from: { ...key, shown: ['A', 'a'] } }))
  t.match(String(text), /^\(r\.created_at, r\.payment_id\) <= \(\$1, \$2\) and not \(.*\$4.*\) and not \(.*\$6.*\)$/)
  t.strictSame(parameters, [key.time, 'a', 'A', 'A', 'a', 'a'])
})

t.test('a place between two times needs no id', async (t) => {
  t.strictSame(sqlOf(asked({ from: { time: key.time } })), ['r.created_at < $1', key.time])
  t.strictSame(sqlOf(asked({ from: { time: key.time } }, 'asc')), ['r.created_at >= $1', key.time])
  const [text] = sqlOf(asked({ from: { time: key.time, shown: ['1'] } }))
  t.match(String(text), /^r\.created_at < \$1 and not /)
})

t.test('one record is found by its id, and what has no place by its nulls', async (t) => {
  t.strictSame(sqlOf(asked({ id: 'a' })), [same, 'a', 'a'])
  t.strictSame(sqlOf(asked({ from: key }), 'unreachable'), ['(r.created_at is null or r.payment_id is null)'])
})

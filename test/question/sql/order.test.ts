import { sql } from 'kysely'
import t from 'tap'
import type { RecordKey } from '../../../src/database/dialect.js'
import { payments } from '../../../src/lists/ready/payments.js'
import { shapeOf } from '../../../src/question/asked/question.js'
import { fittedOf, unknownTraits } from '../../../src/question/fitted/fitted-sql.js'
import { placeConditions } from '../../../src/question/sql/order.js'
import { questionFor, sessionOf, withoutDatabase } from '../../support/servers/session.js'

const asked = (more: object, direction: 'asc' | 'desc' = 'desc') =>
  shapeOf({ ...questionFor({ order: { column: 'created_at', direction } }), ...more })

/** The SQL of PostgreSQL, whose comparison of two values is one. */
function sqlOf(
  shape: ReturnType<typeof asked>,
  from?: RecordKey | 'unreachable',
  isSorted = true,
  exactIds: string[] = []
) {
  const db = withoutDatabase('postgres')
  const session = sessionOf(db)
  const fitted = fittedOf(payments, session.tables, session.dialect, { ...unknownTraits, exactIds })
  const conditions = placeConditions(shape, fitted, from, isSorted)
  const { sql: text, parameters } = sql`${sql.join([sql`1`, ...conditions], sql` and `)}`.compile(db)
  return [text.replace(/^1( and )?/, '').replaceAll('"', ''), ...parameters]
}

const key = { value: '2024-03-01 09:30:00', id: 'a' }
const same = '(r.payment_id = $1 and coalesce(cast(r.payment_id as text) collate C = $2, false))'

t.test('a page with a number has no condition of its place', async (t) => {
  t.strictSame(sqlOf(asked({})), [''])
})

t.test('what follows a record, strictly', async (t) => {
  const after = '(r.created_at, r.payment_id) < ($1, $2)'
  const exactly = ['r.payment_id']
  t.strictSame(sqlOf(asked({ after: key }), undefined, true, exactly), [after, key.value, 'a'])
  t.strictSame(sqlOf(asked({}), key, true, exactly), [after, key.value, 'a'], 'a place that the question does not know')
  t.strictSame(sqlOf(asked({ after: key }, 'asc'), undefined, true, exactly), [after.replace('<', '>'), key.value, 'a'])
})

t.test('where the database equates ids, their bytes decide', async (t) => {
  const from = '(r.created_at, r.payment_id) <= ($1, $2)'
  const bytes = '((r.created_at, r.payment_id) < ($3, $4) or cast(r.payment_id as text) collate C < $5)'
  t.strictSame(sqlOf(asked({ after: key })), [`${from} and ${bytes}`, key.value, 'a', key.value, 'a', 'a'])
  const [seen, ...parameters] = sqlOf(asked({ after: key }), undefined, false)
  t.equal(seen, `${from} and not ${same.replace('$1', '$3').replace('$2', '$4')}`, 'a page that looks for such ids')
  t.strictSame(parameters, [key.value, 'a', 'a', 'a'])
})

t.test('one record is found by its id, and what has no place by its nulls', async (t) => {
  t.strictSame(sqlOf(asked({ id: 'a' })), [same, 'a', 'a'])
  t.strictSame(sqlOf(asked({ after: key }), 'unreachable'), ['(r.created_at is null or r.payment_id is null)'])
})

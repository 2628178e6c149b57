import { sql } from 'kysely'
import t from 'tap'
import { migrations } from '../../src/index.js'
import { databases, openDatabase } from '../support/databases.js'
import { filled, findings } from './support.js'

for (const name of databases) {
  t.test(`data on ${name}`, async (t) => {
    t.test('empty tables are well', async (t) => {
      const db = await openDatabase(t, name)
      for (const { up } of Object.values(migrations)) await up(db)
      t.strictSame(await findings(db), [])
    })

    t.test('states that the contract does not have, and records that cannot be read, are told', async (t) => {
      const db = await filled(t, name, ["update assessments set status = 'done' where assessment_id = 1"])
      t.match(await findings(db), [
        /^warning data: assessments.status is done in some records, which are then an error: map it to completed, pending, reserved\.$/
      ])
      const columns = [
        'payment_id',
        'user_id',
        'quantity',
        'payment_intent',
        'paid_at',
        'payment_method',
        'payment_status',
        'processor_status',
        'created_at'
      ] as const
      const payments = db.selectFrom('payments').select([...columns, sql<string>`'12,50'`.as('amount')])
      t.match(
        (await findings(db, { payments: payments as never }))[1],
        /^warning data: Column payments.amount of payment_id \d+ is not a number of this kind\.$/
      )
    })
  })
}

t.test('data that takes long is left alone', async (t) => {
  const db = await filled(t, 'mysql')
  const columns = [
    'assessment_id',
    'licence',
    'assessment_type',
    'user_id',
    'practitioner_id',
    'date_assignment',
    'date_conclusion',
    'created_at'
  ] as const
  const slow = sql<string>`if(sleep(1), status, status)`
  const assessments = db.selectFrom('assessments').select([...columns, slow.as('status')])
  const start = performance.now()
  t.strictSame(await findings(db, { assessments: assessments as never }), [])
  t.ok(performance.now() - start < 3000)
})

t.test('no right but SELECT is needed', async (t) => {
  const db = await filled(t, 'mysql', ['create view people as select * from users'])
  const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
  const user = `reader_${process.pid}`
  await sql.raw(`create user ${user}@'%' identified by 'secret'`).execute(db)
  t.teardown(() => sql.raw(`drop user ${user}@'%'`).execute(db))
  await sql.raw(`grant select on ${rows[0]?.name}.* to ${user}@'%'`).execute(db)
  const reader = await openDatabase(t, 'mysql', { pool: { user, password: 'secret', database: String(rows[0]?.name) } })
  t.strictSame(await findings(reader), [])
  t.strictSame(await findings(reader, { users: 'people' }), [])
})

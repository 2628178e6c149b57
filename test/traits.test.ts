import { sql } from 'kysely'
import t from 'tap'
import { databases, openDatabase } from './support/databases.js'
import { serve } from './support/server.js'
import { fill } from './support/world.js'

const admin = { userId: 20, role: 'Admin' }

const collations = {
  mysql: [
    'varchar(190) collate utf8mb4_bin',
    'varchar(190) collate utf8mb4_turkish_ci',
    'varchar(190) character set latin1 collate latin1_general_cs',
    'varbinary(190)'
  ],
  postgres: ['varchar(190) collate "C"', 'varchar(190) collate "und-x-icu"'],
  sqlite: ['varchar(190) collate binary', 'varchar(190) collate nocase']
}

for (const name of databases) {
  t.test(`ASCII letters match in either case, whatever the collation of the column on ${name}`, async (t) => {
    for (const type of collations[name]) {
      const db = await openDatabase(t, name)
      await fill(db)
      await sql
        .raw(
          `create table people (user_id integer primary key, first_name ${type}, last_name ${type}, email ${type}, avatar_url ${type})`
        )
        .execute(db)
      await sql`insert into people values (1, 'Inés', 'WILLIAM', 'ines@example.org', null)`.execute(db)
      await sql.raw(`create table orders (payment_intent ${type})`).execute(db)
      await sql`insert into orders values ('PI_Ines')`.execute(db)
      const order = db
        .selectFrom('payments')
        .innerJoin('orders', (join) => join.onTrue())
        .selectAll('payments')
        .clearSelect()
      const columns = [
        'payment_id',
        'user_id',
        'amount',
        'quantity',
        'paid_at',
        'payment_method',
        'payment_status',
        'processor_status',
        'created_at'
      ]
      const payments = order
        .select([...columns.map((column) => `payments.${column}` as const), 'orders.payment_intent'])
        .where('payment_id', '=', 1)
      const { get } = await serve(t, { db, relations: { users: 'people', payments: payments as never } })
      const total = async (url: string) => (await get(url, admin)).body.total
      for (const [term, expected] of [
        ['inés', 3],
        ['INéS', 3],
        ['william', 3],
        ['WiLLiaM', 3],
        ['INES@EXAMPLE.ORG', 3],
        ['w_lliam', 0],
        ['inex', 0]
      ] as const) {
        t.equal(await total(`/assessment/list?search=${encodeURIComponent(term)}`), expected, `${term} in ${type}`)
      }
      t.equal(await total('/payment/list?search=pi_ines'), 1, type)
      t.equal(await total('/payment/list?search=Pi_INEs'), 1, type)
      t.equal(await total('/payment/list?search=pi-ines'), 0, type)
    }
  })
}

t.test('the database is asked for its traits once, and again when that failed', async (t) => {
  const statements: string[] = []
  const db = await openDatabase(t, 'mysql', { onQuery: ({ sql }) => statements.push(sql) })
  const { get } = await serve(t, { db, checkOnReady: 'off' })
  t.equal((await get('/assessment/list?search=ada', admin)).status, 500, 'there are no tables yet')
  await fill(db)
  statements.length = 0
  for (let request = 0; request < 3; request++) t.equal((await get('/assessment/list?search=ada', admin)).status, 200)
  t.equal(statements.filter((statement) => statement.includes('1 = 0')).length, 1)
})

t.test('a driver that garbles what the database says of its collations hides no row', async (t) => {
  for (const pool of [{ rowsAsArray: true }, { nestTables: '_' }]) {
    const db = await openDatabase(t, 'mysql', { pool })
    await fill(db)
    await sql`alter table users modify email varchar(190) collate utf8mb4_bin`.execute(db)
    const { get } = await serve(t, { db, checkOnReady: 'off' })
    t.equal((await get('/assessment/list?search=ADA@', admin)).status, 500, Object.keys(pool).join())
  }
})

import { sql } from 'kysely'
import t from 'tap'
import { baseColumns } from '../../src/checks/base-columns.js'
import { factsOf } from '../../src/checks/catalog.js'
import { driverSays } from '../../src/checks/columns.js'
import { sourceOf } from '../../src/source.js'
import { databases, openDatabase } from '../support/databases.js'
import { filled, findings } from './support.js'

t.test('a column is followed to its table as far as the select says', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const select = db
    .selectFrom('crm.members as m')
    .innerJoin('teams', 'teams.id', 'm.team')
    .select(['m.id as user_id', 'teams.name', 'photo', sql`1`.as('one'), sql`2`.as(sql`two`)])
  const baseOf = baseColumns(select)
  t.strictSame(baseOf('user_id'), { schema: 'crm', table: 'members', column: 'id' })
  t.strictSame(baseOf('name'), { schema: undefined, table: 'teams', column: 'name' })
  // of which of the two tables nobody says; computed; not there
  for (const column of ['photo', 'one', 'two', 'three']) t.equal(baseOf(column), undefined, column)

  t.strictSame(baseColumns(db.selectFrom('users').selectAll())('email'), {
    schema: undefined,
    table: 'users',
    column: 'email'
  })
  t.equal(baseColumns(db.selectFrom('users'))('email'), undefined)
  const nested = db.selectFrom(db.selectFrom('users').select('email').as('u')).select('email')
  for (const select of [
    nested,
    db.selectFrom('users').select('email').groupBy('email'),
    db.selectFrom('users').select('email').union(db.selectFrom('people').select('email')),
    db
      .with('u', (db) => db.selectFrom('users').select('email'))
      .selectFrom('u')
      .select('email'),
    sql`(select 1 as email)`
  ]) {
    t.equal(baseColumns(select)('email'), undefined)
  }
})

for (const name of databases) {
  t.test(`a table that the catalog does not have is not judged on ${name}`, async (t) => {
    const source = sourceOf(await openDatabase(t, name), {})
    t.equal(await factsOf(source, { schema: undefined, table: 'nobody' }, () => 1000), undefined)
  })
}

t.test('a temporary table gets no advice', async (t) => {
  const db = await filled(t, 'sqlite', ['create temporary table people as select * from users'])
  t.strictSame(await findings(db, { users: 'people' }), [])
})

t.test('a database that is gone is no finding', (t) => {
  t.throws(() => driverSays({ code: 'ECONNREFUSED' }), {
    message: 'A server that this request needs cannot be reached.'
  })
  t.end()
})

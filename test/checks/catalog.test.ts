import t from 'tap'
import { readCatalog } from '../../src/checks/catalog.js'
import { checkedDatabase } from '../../src/checks/database.js'
import { defaultLists } from '../../src/lists/index.js'
import { execute, findings, openForReader } from '../support/check.js'
import { type Db, databases, openDatabase } from '../support/databases.js'
import { sourceOf } from '../support/session.js'
import { openTables } from '../support/tables.js'
import { fill } from '../support/world.js'

const catalogOf = (db: Db, table: string, schema?: string) =>
  readCatalog(checkedDatabase(sourceOf(db, {}), defaultLists), { schema, table })

for (const name of databases) {
  t.test(`the catalog of ${name}`, async (t) => {
    const db = await openDatabase(t, name)
    await execute(
      db,
      'create table "O\'\'Hara\\" (a integer, b integer, c varchar(20), primary key (b, a))'
        .replaceAll('"', name === 'mysql' ? '`' : '"')
        .replace("''", "'"),
      'create table plain (id integer primary key, n integer)',
      'create index two on plain (n, id)',
      'create view seen as select n, id from plain'
    )
    const strange = await catalogOf(db, "O'Hara\\")
    t.match(strange?.isTable, true)
    t.strictSame([...(strange?.types.keys() ?? [])].sort(), ['a', 'b', 'c'])
    t.strictSame(strange?.indexes.get("O'Hara\\")?.slice(0, 1), [['b', 'a']])
    const plain = await catalogOf(db, 'plain')
    t.strictSame(
      plain?.indexes
        .get('plain')
        ?.map((columns) => columns.join())
        .sort(),
      ['id', 'n,id']
    )
    t.match(plain?.types.get('n'), /^int/)
    const seen = await catalogOf(db, 'seen')
    t.strictSame([seen?.isTable, seen?.indexes.get('seen')], [false, []])
    t.strictSame([...(seen?.types.keys() ?? [])].sort(), ['id', 'n'])
    t.equal(await catalogOf(db, 'nothing'), undefined)
    t.equal(await catalogOf(db, 'plain', 'nowhere'), undefined)
  })
}

t.test('a materialized view of PostgreSQL has indexes', async (t) => {
  const db = await openTables(t, 'postgres')
  await execute(db, 'create materialized view seen as select * from links')
  t.match(await findings(db, { links: 'seen' }), [/create index "seen_owner_id_user_id" on "seen"/])
})

t.test('what the catalog does not tell, the database says', async (t) => {
  const { owner, reader } = await openForReader(t, 'postgres')
  await fill(owner)
  await execute(owner, 'create schema hidden', 'create table hidden.links as select * from links')
  t.match(await findings(await reader(), { links: 'hidden.links' }), [
    /^error tables: links needs the columns owner_id, user_id, and cannot be read; the database says: permission denied for schema hidden$/
  ])
})

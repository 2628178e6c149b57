import t from 'tap'
import { readCatalog } from '../../src/checks/catalog.js'
import { checkedDatabase } from '../../src/checks/database.js'
import { defaultLists } from '../../src/lists/ready/index.js'
import { fill } from '../support/fixtures/world.js'
import { execute, finds, openForReader } from '../support/oracle/check.js'
import { onDatabases, openDatabase } from '../support/servers/databases.js'
import { sourceOf } from '../support/servers/session.js'

onDatabases(t, 'the catalog', async (t, name) => {
  const db = await openDatabase(t, name)
  const quoted = name === 'mysql' ? "`O'Hara\\`" : '"O\'Hara\\"'
  await execute(
    db,
    `create table ${quoted} (a integer, b integer, c varchar(20), primary key (b, a))`,
    'create table plain (id integer primary key, n integer)',
    'create index two on plain (n, id)',
    'create view seen as select n, id from plain'
  )
  const catalogOf = async (table: string, schema?: string) => {
    const catalog = await readCatalog(checkedDatabase(sourceOf(db, {}), defaultLists), { schema, table })
    if (!catalog) return undefined
    const { isTable, types, indexes } = catalog
    const columns = new Set(indexes.get(table)?.map((columns) => columns.join()))
    return [isTable, [...types.keys()].sort(), [...columns].sort(), types.get('n')]
  }
  t.strictSame(await catalogOf("O'Hara\\"), [true, ['a', 'b', 'c'], ['b,a'], undefined])
  t.match(await catalogOf('plain'), [true, ['id', 'n'], ['id', 'n,id'], /^int/])
  t.match(await catalogOf('seen'), [false, ['id', 'n'], [], /^int/])
  t.equal(await catalogOf('nothing'), undefined)
  t.equal(await catalogOf('plain', 'nowhere'), undefined)
})

t.test('what the catalog does not tell, the database says', async (t) => {
  const { owner, reader } = await openForReader(t, 'postgres')
  await fill(owner)
  await execute(owner, 'create schema hidden', 'create table hidden.links as select * from links')
  const told =
    /^error tables: links needs the columns owner_id, user_id, and cannot be read; the database says: permission denied for schema hidden$/
  await finds(t, await reader(), [told], { links: 'hidden.links' }, /^info/)
})

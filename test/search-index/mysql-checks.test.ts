import t from 'tap'
import { searchIndex } from '../../src/index.js'
import { execute } from '../support/check.js'
import { databases, openDatabase } from '../support/databases.js'
import { isMariadb } from '../support/search-index.js'

t.test('what a search index needs', { skip: !databases.includes('mysql') }, async (t) => {
  t.test('what the index cannot hold is refused', async (t) => {
    const db = await openDatabase(t, 'mysql')
    const tables = [
      `create table notes (id int primary key, other int, price decimal(5, 2) unique, at point,
        uri varchar(800) character set latin1 unique, text varchar(90), plain varchar(90) character set latin1,
        long_text text, odd varchar(90) collate ${(await isMariadb(db)) ? 'utf8mb4_uca1400_ai_cs' : 'utf8mb4_turkish_ci'})`,
      'create table pairs (tenant int, id int, text varchar(90), primary key (tenant, id))',
      'create table logins (email varchar(90) primary key)',
      'create table members (id int primary key, email varchar(90), foreign key (email) references logins (email) on update cascade)',
      'create table old (id int primary key, text varchar(90)) engine = MyISAM',
      'create view notes_view as select * from notes'
    ]
    await execute(db, ...tables)
    const before = (await db.introspection.getTables()).map(({ name }) => name)
    const notId =
      'must be a primary key or a unique key of one column: a whole number or a text of at most 750 characters.'
    for (const [table, id, column, problem] of [
      ['notes', 'id', 'txt', ' lacks the column txt.'],
      ['notes', 'id', 'plain', '.plain must have the character set utf8mb4.'],
      ['notes', 'id', 'long_text', '.long_text must have at most 1000 characters.'],
      ['notes', 'id', 'odd', /\.odd has the collation utf8mb4_\w+, which a search index does not support\.$/],
      ['notes', 'other', 'text', `.other ${notId}`],
      ['notes', 'price', 'text', `.price ${notId}`],
      ['notes', 'at', 'text', `.at ${notId}`],
      ['notes', 'uri', 'text', `.uri ${notId}`],
      ['pairs', 'id', 'text', `.id ${notId}`],
      [
        'members',
        'id',
        'email',
        '.email has a foreign key with `on update`, which changes the column without triggers.'
      ],
      ['old', 'id', 'text', ' must be a table of the engine InnoDB.'],
      ['notes_view', 'id', 'text', ' must be a table of the engine InnoDB.']
    ] as const) {
      const message = typeof problem === 'string' ? `searchIndex: ${table}${problem}` : problem
      await t.rejects(searchIndex({ table, id, columns: [column] }).up(db), { message })
    }
    const after = (await db.introspection.getTables()).map(({ name }) => name)
    t.strictSame(after, before)
  })
})

import { type RawBuilder, sql } from 'kysely'
import t from 'tap'
import { clientText } from '../../src/database/dialect.js'
import { mysql } from '../../src/database/dialects/mysql.js'
import { searchIndex } from '../../src/index.js'
import { candidates, type IndexDescription } from '../../src/search-index/mysql-keys.js'
import { type Db, databases, openDatabase } from '../support/databases.js'
import { changed, pick, random, text } from '../support/texts.js'

const common = ['general_ci', 'unicode_ci', 'bin', 'czech_ci', 'german2_ci', 'danish_ci', 'hungarian_ci']
const collations = {
  MySQL: [
    '0900_ai_ci',
    '0900_as_cs',
    '0900_bin',
    'tr_0900_ai_ci',
    'cs_0900_ai_ci',
    'ja_0900_as_cs',
    'de_pb_0900_ai_ci'
  ],
  MariaDB: [
    'unicode_520_ci',
    'turkish_ci',
    'unicode_nopad_ci',
    'uca1400_ai_ci',
    'uca1400_turkish_ai_ci',
    'uca1400_czech_ai_ci'
  ]
}

const literal = (value: string) => sql`_utf8mb4 ${Buffer.from(value)}`
const insert = (db: Db, rows: readonly (readonly [number, string])[]) =>
  sql`insert into texts values ${sql.join(rows.map(([id, value]) => sql`(${id}, ${literal(value)})`))}`.execute(db)

async function described(db: Db): Promise<IndexDescription> {
  const { rows } = await sql<{ comment: string }>`select table_comment as comment from information_schema.tables
    where table_schema = database() and table_name = 'texts_search'`.execute(db)
  return JSON.parse(String(rows[0]?.comment))
}

t.test('the candidates of a search index', { skip: !databases.includes('mysql') }, async (t) => {
  const db = await openDatabase(t, 'mysql', { pool: { connectionLimit: 1 } })
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const server = /MariaDB/.test(String(rows[0]?.version)) ? 'MariaDB' : 'MySQL'
  let compared = 0
  for (const collation of [...common, ...collations[server]].map((name) => `utf8mb4_${name}`)) {
    await t.test(`contain every text that \`like\` finds with ${collation}`, async (t) => {
      await sql`drop table if exists texts`.execute(db)
      await sql`create table texts (id int primary key, text varchar(200) collate ${sql.raw(collation)})`.execute(db)
      const migration = searchIndex({ table: 'texts', id: 'id', columns: ['text'] })
      const texts = Array.from({ length: 200 }, (_, id) => [id, text(random(5) ? 12 : 50)] as const)
      await insert(db, texts.slice(0, 130))
      await migration.up(db)
      // The triggers write the rest.
      await insert(db, texts.slice(130))
      for (const [id, value] of texts.filter(() => random(4) === 0)) {
        const now = random(2) ? changed([...value]).join('') : text(20)
        await sql`update texts set text = ${literal(now)} where id = ${id}`.execute(db)
      }
      await sql`update texts set id = id + 1000 where id % 11 = 5`.execute(db)
      await sql`delete from texts where id % 7 = 3`.execute(db)

      const { columns } = await described(db)
      const [{ isSensitive } = { isSensitive: false }] = columns
      const { contains } = (isSensitive && mysql.letterCase) || mysql
      const terms = Array.from({ length: 60 }, () => {
        const source = [...pick(texts)[1]]
        const start = random(source.length)
        return random(3) ? changed(source.slice(start, start + 1 + random(random(4) ? 5 : 40))).join('') : text(4)
      })
      const missed: string[] = []
      let found = 0
      const statements = terms.map((value, place): RawBuilder<unknown> => {
        const term = clientText(value)
        const ids = candidates(sql.id('texts_search'), [{ ...columns[0], places: [1] } as never], 'none', term)
        return sql`select ${sql.lit(place)} as place, count(*) as found, coalesce(sum(c.id is null), 0) as missed
          from texts as x left join (${ids}) as c on c.id = x.id where ${contains(sql.ref('x.text'), term)}`
      })
      for (let from = 0; from < terms.length; from += 25) {
        const query = sql.join(statements.slice(from, from + 25), sql` union all `)
        const { rows } = await sql<{ place: number; found: number; missed: number }>`${query}`.execute(db)
        for (const row of rows) {
          found += Number(row.found)
          if (Number(row.missed) > 0) missed.push(JSON.stringify(terms[row.place]))
        }
      }
      t.strictSame(missed, [])
      t.ok(found > 100, `${found} matches`)
      const count = async () => (await sql<{ n: number }>`select count(*) as n from texts`.execute(db)).rows[0]?.n
      compared += Number(await count()) * terms.length

      const written = await sql`select place, chars, id from texts_search where place > 0 order by 1, 2, 3`.execute(db)
      await migration.down(db)
      await migration.up(db)
      const filled = await sql`select place, chars, id from texts_search where place > 0 order by 1, 2, 3`.execute(db)
      t.strictSame(written.rows, filled.rows, 'the triggers leave what the fill writes')
    })
  }
  t.ok(compared > 100_000, `${compared} comparisons`)
})

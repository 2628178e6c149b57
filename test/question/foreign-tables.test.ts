import { type RawBuilder, sql } from 'kysely'
import t from 'tap'
import { mysql } from '../../src/database/dialects/mysql.js'
import { postgres } from '../../src/database/dialects/postgres.js'
import { sqlite } from '../../src/database/dialects/sqlite.js'
import { type ForeignTables, foreignTablesOf } from '../../src/question/foreign-tables.js'
import { createForeignTable } from '../support/check.js'
import { databases } from '../support/databases.js'
import { expected } from '../support/oracle.js'
import { serve, shown } from '../support/server.js'
import { withoutDatabase } from '../support/session.js'
import { openWorld } from '../support/tables.js'
import { callers } from '../support/world.js'

const compiler = withoutDatabase('postgres')
const textOf = (built: RawBuilder<unknown> = sql``) =>
  built.compile(compiler).sql.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim()

t.test('only PostgreSQL has foreign tables', (t) => {
  t.equal(foreignTablesOf(mysql), undefined)
  t.equal(foreignTablesOf(sqlite), undefined)
  t.ok(foreignTablesOf(postgres))
  t.end()
})

t.test('a foreign table gets ids as an array', (t) => {
  const foreign = foreignTablesOf(postgres) as ForeignTables
  const { join, where, user } = foreign.linked(
    sql`select 7 as user_id, '7' as bytes`,
    sql.ref('r.user_id'),
    sql.ref('u.user_id')
  )
  const visible = (column: string) =>
    `${column} = any(array(select v.user_id from (select 7 as user_id, '7' as bytes) as v)) ` +
    `and cast(${column} as text) collate C = any(array(select v.bytes from (select 7 as user_id, '7' as bytes) as v))`
  t.strictSame([join, ...where, user].map(textOf), ['', visible('r.user_id'), visible('u.user_id')])
  t.equal(
    textOf(foreign.ofPage(sql.ref('p.user_id'), sql.ref('r.practitioner_id'))),
    'and p.user_id = any(array(select r.practitioner_id from page records as r))'
  )
  const page = foreign.page({
    select: sql`select k.id`,
    ids: sql`select 1 as id`,
    id: sql.ref('r.payment_id'),
    table: sql`payments as r`,
    columns: [sql.ref('r.payment_id'), sql.ref('r.amount')]
  })
  t.equal(
    textOf(page),
    'with page ids as (select 1 as id), page records as ( select r.payment_id, r.amount from payments as r ' +
      'where r.payment_id = any(array(select k.id from page ids as k)) ) ' +
      'select k.id from page ids as k left join page records as r'
  )
  t.end()
})

t.test(
  'the statements for foreign tables give every caller the same pages',
  { skip: !databases.includes('postgres') },
  async (t) => {
    const pages: string[] = []
    const db = await openWorld(t, 'postgres', {
      onQuery: ({ sql }) => {
        if (sql.includes('sort key')) pages.push(sql)
      }
    })
    await createForeignTable(db)
    const { get } = await serve(t, { db })
    for (const caller of callers) {
      for (const list of ['/assessment/list', '/payment/list']) {
        for (const query of ['search=', 'search=e&limit=2', 'search=e&page=2&limit=2', 'search=&page=3&limit=4']) {
          const url = `${list}?${query}`
          t.strictSame(shown(await get(url, caller)), expected(url, caller), `${caller.role} ${url}`)
        }
      }
    }
    t.ok(pages.length > 40)
    t.ok(pages.every((page) => page.includes('with "page ids" as (')))
  }
)

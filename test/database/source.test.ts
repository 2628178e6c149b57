import {
  CamelCasePlugin,
  FromNode,
  type KyselyPlugin,
  LimitNode,
  SelectionNode,
  SelectQueryNode,
  sql,
  WithSchemaPlugin
} from 'kysely'
import { Kysely as Kysely28, MysqlDialect as MysqlDialect28 } from 'kysely-0.28'
import { createPool } from 'mysql2'
import t from 'tap'
import type { Source } from '../../src/database/source.js'
import { columnsOf, type TableName } from '../support/fixtures/columns.js'
import { admin, fill, practitioner } from '../support/fixtures/world.js'
import { tenantPlugin, transforming, withSchema } from '../support/hosts/plugins.js'
import { serve, shown } from '../support/hosts/server.js'
import { dropIndex, execute, findings, openForReader } from '../support/oracle/check.js'
import { expected } from '../support/oracle/oracle.js'
import { type Db, mysqlPool, onServers } from '../support/servers/databases.js'
import { sourceOf, withoutDatabase } from '../support/servers/session.js'

t.test('the lists work with an instance of Kysely 0.28', async (t) => {
  const logged: { sql: string; query: { kind: string } }[] = []
  const pool = createPool(await mysqlPool(t))
  const db = new Kysely28<Record<string, Record<string, unknown>>>({
    dialect: new MysqlDialect28({ pool }),
    log: ({ query }) => {
      logged.push(query)
    }
  })
  t.teardown(() => db.destroy())
  await fill(db as unknown as Db)
  const users = db.selectFrom('users').select(['user_id', 'first_name', 'last_name', 'email', 'avatar_url'])
  logged.length = 0
  const byFunction = (given: typeof db) => ({ users: given.selectFrom('users').selectAll() as never })
  for (const options of [
    { db, tables: { users: users as never } },
    { db, tables: byFunction },
    { db: () => db, tables: byFunction }
  ]) {
    const { get } = await serve(t, options)
    for (const _request of [1, 2]) {
      const url = '/assessment/list?search=a'
      t.strictSame(shown(await get(url, practitioner)), expected(url, practitioner))
    }
  }
  t.ok(logged.length > 6)
  t.ok(
    logged.every(({ query }) => query.kind === 'RawNode'),
    'the host’s log sees each statement'
  )
})

/** The tables of a source, as a statement reads them. */
const tablesOf = (source: Source) => {
  const { names, db } = source
  const tables = source.tables(names)
  return (name: TableName) => sql`from ${tables.of(name).table} as x`.compile(db).sql
}

t.test('a table name is used directly', async (t) => {
  const db = withoutDatabase('sqlite')
  const tables = { users: 'crm.members', links: 'pairs as p', payments: db.selectFrom('payments').selectAll() }
  const from = tablesOf(sourceOf(db, tables as never))
  t.equal(from('assessments'), 'from "assessments" as x')
  t.equal(from('users'), 'from "crm"."members" as x')
  t.equal(from('practitioners'), 'from "crm"."members" as x')
  t.equal(from('links'), 'from "pairs" as x')
  t.equal(from('payments'), 'from (select * from "payments") as x')
})

const selectOf = (name: TableName, from: string) =>
  `from (select ${columnsOf[name].map((column) => `"${column}"`).join(', ')} from ${from}) as x`

t.test('a table is used directly if a plugin changes only the schema of its name', async (t) => {
  const db = withoutDatabase('sqlite')
  const from = (...plugins: KyselyPlugin[]) =>
    tablesOf(
      sourceOf(
        plugins.reduce((db, plugin) => db.withPlugin(plugin), db),
        {}
      )
    )('memberships')
  t.equal(from(new WithSchemaPlugin('one')), 'from "one"."memberships" as x')
  t.equal(from(new CamelCasePlugin()), 'from "memberships" as x')
  t.equal(from(tenantPlugin(() => 1)), selectOf('memberships', '"memberships" where user_id % 2 = ?'))

  /** A plugin that replaces parts of each select. */
  const changing = (change: (node: SelectQueryNode) => object) =>
    transforming((node) => (SelectQueryNode.is(node) ? { ...node, ...change(node) } : node))
  const users = db.selectFrom('users').selectAll().toOperationNode()
  const one = SelectionNode.create(sql`1`.as('user_id').toOperationNode())
  for (const [what, plugin, text] of [
    ['another query', transforming(() => users), /^from \(select \* from "users"\)/],
    ['fewer columns', changing(({ selections }) => ({ selections: selections?.slice(0, 1) })), /select "user_id" from/],
    ['no columns', changing(() => ({ selections: undefined })), /select +from/],
    [
      'another order',
      changing(({ selections }) => ({ selections: selections?.toReversed() })),
      /^from "memberships" as x$/
    ],
    [
      'a computed column',
      changing(({ selections }) => ({ selections: [one, selections?.[1]] })),
      /select 1 as "user_id", /
    ],
    ['a limit', changing(() => ({ limit: LimitNode.create(sql`1`.toOperationNode()) })), /limit 1\) as x$/],
    [
      'two tables',
      changing(({ from }) => ({ from: FromNode.create([...(from?.froms ?? []), users]) })),
      /, \(select \*/
    ],
    ['no table', changing(() => ({ from: undefined })), /^from \(select "user_id", "org_name"\) as x$/]
  ] as const) {
    t.match(from(plugin), text, what)
  }
})

t.test('tables stay the tables of their moment', async (t) => {
  let schema = 'one'
  const source = sourceOf(withoutDatabase('sqlite', [withSchema(() => schema)]), {})
  const first = tablesOf(source)
  schema = 'two'
  for (const _time of [1, 2]) {
    t.equal(first('links'), 'from "one"."links" as x')
    t.equal(tablesOf(source)('links'), 'from "two"."links" as x')
  }
})

t.test('tables are the same while the SQL and the parameters of the selects are', async (t) => {
  let tenant: unknown
  const db = withoutDatabase('sqlite').withPlugin(tenantPlugin(() => tenant))
  const select = db.selectFrom('payments').selectAll() as never
  for (const source of [sourceOf(db, {}), sourceOf(db, { payments: select })]) {
    const tablesFor = (value: unknown) => {
      tenant = value
      return source.tables(['payments'])
    }
    const all = [1, 2, '1', 1n, true, null, 'one', 'One', '', new Date(0), new Date(1), Buffer.from('1'), { tenant: 1 }]
    for (const value of all) {
      const tables = tablesFor(value)
      t.equal(tablesFor(value), tables, 'new nodes')
      t.not(source.tables(['payments', 'users']), tables, 'other tables')
      t.equal(tablesFor(value), tables)
      t.strictSame(sql`${tables.of('payments').table}`.compile(source.db).parameters, [value])
      for (const other of all.filter((other) => other !== value)) {
        t.not(tablesFor(other), tables)
        t.strictSame(sql`${tablesFor(other).of('payments').table}`.compile(source.db).parameters, [other])
      }
    }
  }
})

onServers(t, 'an account needs only the select privilege on the columns of the tables', async (t, name) => {
  const { owner, reader } = await openForReader(t, name)
  await fill(owner)
  await execute(owner, 'alter table users add column password_hash varchar(100)')
  const { practitioners: _, ...columns } = columnsOf
  const db = await reader(columns)
  await t.rejects(sql`select * from users`.execute(db), 'the account may not read all columns')
  t.strictSame(await findings(db), [])
  await execute(owner, dropIndex(name, 'payments_created_at_payment_id'))
  t.match(await findings(db), [/create index/], 'the account sees the indexes')
  const { get } = await serve(t, { db })
  t.match((await get('/assessment/list?search=a&status=pending', admin)).status, 200)
  t.match((await get('/assessment/list?search=', practitioner)).status, 200)
  t.match((await get('/payment/list?search=a&page=2&limit=2', admin)).status, 200)
})

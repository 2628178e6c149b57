import {
  CamelCasePlugin,
  type Expression,
  FromNode,
  type KyselyPlugin,
  LimitNode,
  SelectionNode,
  SelectQueryNode,
  sql,
  WithSchemaPlugin
} from 'kysely'
import t from 'tap'
import type { Source } from '../../src/database/source.js'
import { columnsOf, type TableName } from '../support/columns.js'
import { tenantPlugin, transforming } from '../support/plugins.js'
import { sourceOf, withoutDatabase } from '../support/session.js'

/** The tables of a source, as a statement reads them. */
const tablesOf = (source: Source) => {
  const { names, db } = source
  const tables = source.tables(names)
  return (name: TableName) => sql`from ${tables.of(name).table} as x`.compile(db).sql
}
const selectOf = (name: TableName, from: string) =>
  `from (select ${columnsOf[name].map((column) => `"${column}"`).join(', ')} from ${from}) as x`

t.test('a select that only names columns of one table is read as the table', async (t) => {
  const db = withoutDatabase('sqlite')
  const named = ['id as user_id', 'given as first_name', 'last_name', 'mail as email', 'mail as avatar_url'] as const
  const members = db.selectFrom('crm.members as m')
  const users = members.select([...named])
  const open = (select: object, database = db) => {
    const source = sourceOf(database, { users: select } as never)
    return source.tables(source.names)
  }
  const textOf = (expression: Expression<unknown>) => sql`${expression}`.compile(db).sql
  const tables = open(users)
  t.equal(textOf(tables.of('users').table), '"crm"."members"')
  t.equal(textOf(tables.of('practitioners').table), '"crm"."members"')
  t.equal(textOf(tables.of('users').select), `(${users.compile().sql})`)
  t.strictSame(
    ['user_id', 'first_name', 'last_name', 'email'].map((column) => tables.of('users').column(column)),
    ['id', 'given', 'last_name', 'mail']
  )
  t.equal(tables.of('practitioners').column('practitioner_id'), 'id')
  t.strictSame(tables.of('users').columns, ['id', 'given', 'last_name', 'mail'], 'each once')
  t.equal(textOf(open(users, db.withSchema('one')).of('users').table), '"crm"."members"', 'the schema of the select')
  for (const [what, select] of Object.entries({
    'a condition': users.where('m.id', '>', 0),
    'a join': users.innerJoin('teams', 'teams.id', 'm.team'),
    'a computed column': users.select(sql`1`.as('one')),
    'a name that is SQL': users.select((eb) => eb.ref('m.id').as(sql<string>`"more"`)),
    'all columns': members.selectAll(),
    'a missing column': members.select(['id as user_id', 'given as first_name', 'last_name', 'mail as email']),
    'a column twice': users.select('m.other as email'),
    'a table of a select': db.selectFrom(users.as('x')).selectAll(),
    'an order': users.orderBy('m.id'),
    'distinct rows': users.distinct()
  })) {
    const tables = open(select)
    t.match(textOf(tables.of('users').table), /^\(select /, what)
    t.equal(tables.of('users').column('email'), 'email')
    t.equal(tables.of('practitioners').column('practitioner_id'), 'user_id')
  }
  let mail = 'mail'
  const renaming = transforming((node) =>
    SelectQueryNode.is(node)
      ? members.select([...named.slice(0, 3), `${mail} as email`, 'photo as avatar_url']).toOperationNode()
      : node
  )
  const source = sourceOf(db, { users: db.withPlugin(renaming).selectFrom('x').select('y') } as never)
  const tablesFor = (column: string) => {
    mail = column
    return source.tables(['users'])
  }
  const kept = tablesFor('mail')
  t.equal(tablesFor('mail'), kept)
  t.equal(tablesFor('address').of('users').column('email'), 'address')
  t.equal(kept.of('users').column('email'), 'mail', 'a request keeps its tables')
})

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

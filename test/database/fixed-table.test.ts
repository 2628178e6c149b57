import { type Expression, SelectQueryNode, sql } from 'kysely'
import t from 'tap'
import { transforming } from '../support/hosts/plugins.js'
import { sourceOf, withoutDatabase } from '../support/servers/session.js'

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
  const renamed = ['user_id', 'first_name', 'last_name', 'email'].map((column) => tables.of('users').column(column))
  t.strictSame(renamed, ['id', 'given', 'last_name', 'mail'])
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

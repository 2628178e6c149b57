import { type Expression, SelectQueryNode, sql } from 'kysely'
import t from 'tap'
import { fixedTable } from '../../src/database/fixed-table.js'
import { transforming } from '../support/hosts/plugins.js'
import { sourceOf, withoutDatabase } from '../support/servers/session.js'

const db = withoutDatabase('sqlite')
const fixed = (select: Expression<unknown>) => fixedTable(select.toOperationNode(), [])
const members = db.selectFrom('members')
const id = members.select('id')

const one = sql`1`.as('one')
const users = members.select(['id as user_id', 'members.mail as email', 'name', one])
const all = members.selectAll().select(one)
const both = db.selectFrom(['members', 'teams'])
const joined = db
  .selectFrom('team_members as tm')
  .innerJoin('hr.teams as t', 't.id', 'tm.team')
  .leftJoin(db.selectFrom('logos').select('id').as('l'), 'l.id', 't.logo')
  .select(['tm.member as user_id', 't.name as org_name', 'logo', 'l.id as logo_id', 'x.y'])

/** Each `schema.table.column` that a column of a select can be. */
const bases: [select: Expression<unknown>, column: string, base: string][] = [
  [users, 'user_id', 'members.id'],
  [users, 'email', 'members.mail'],
  [users, 'name', 'members.name'],
  [users, 'one', ''],
  [users, 'id', ''],
  [db.selectFrom('crm.members as m').select('m.id'), 'id', 'crm.members.id'],
  [db.withSchema('crm').selectFrom('members').select('id').distinct(), 'id', 'crm.members.id'],
  [all, 'id', 'members.id'],
  [all, 'one', ''],
  [db.selectFrom('members as m').selectAll('m'), 'id', 'members.id'],
  [both.selectAll(), 'id', 'members.id,teams.id'],
  [both.selectAll('teams'), 'id', 'teams.id'],
  [joined, 'user_id', 'team_members.member'],
  [joined, 'org_name', 'hr.teams.name'],
  // Only the database knows the table.
  [joined, 'logo', 'team_members.logo,hr.teams.logo'],
  // Of a subquery.
  [joined, 'logo_id', ''],
  [joined, 'y', ''],
  // Rows that are no table's.
  [id.groupBy('id'), 'id', ''],
  [id.union(id), 'id', ''],
  [
    db
      .with('members', () => id)
      .selectFrom('members')
      .select('id'),
    'id',
    ''
  ],
  [db.selectFrom(id.as('x')).select('id'), 'id', ''],
  [db.selectNoFrom(sql`1`.as('id')), 'id', ''],
  [db.selectNoFrom([]), 'id', ''],
  [members, 'id', ''],
  [members.select(sql`1`.as(sql.id('id'))), 'id', ''],
  [members.select(sql<number>`id` as never), 'id', '']
]

t.test('the columns of a select are those of its tables', async (t) => {
  for (const [place, [select, name, expected]] of bases.entries()) {
    const found = fixed(select).bases(name)
    const paths = found.map(({ schema, table, column }) => [...(schema ? [schema] : []), table, column].join('.'))
    t.equal(paths.join(), expected, `${place}: ${name}`)
  }
})

t.test('a select says the names of its columns, unless only the database knows them', async (t) => {
  t.strictSame(fixed(users).names, ['user_id', 'email', 'name', 'one'])
  t.strictSame(fixed(members).names, [])
  for (const unknown of [all, members.select('id').select(sql<number>`1` as never)]) {
    t.equal(fixed(unknown).names, undefined)
  }
})

t.test('a select that only names columns of one table is read as the table', async (t) => {
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

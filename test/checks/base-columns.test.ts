import { type Expression, sql } from 'kysely'
import t from 'tap'
import { baseColumns, selectedNames } from '../../src/checks/base-columns.js'
import { withoutDatabase } from '../support/session.js'

const db = withoutDatabase('sqlite')

/** Each `schema.table.column` that the column can be. Undefined for a computed column. */
const base = (table: Expression<unknown>, name: string) =>
  baseColumns(table)(name)
    ?.map(({ schema, table, column }) => [schema, table, column].filter((part) => part !== undefined).join('.'))
    .join()

t.test('columns of one table', (t) => {
  const users = db.selectFrom('members').select(['id as user_id', 'members.mail as email', 'name', sql`1`.as('one')])
  t.equal(base(users, 'user_id'), 'members.id')
  t.equal(base(users, 'email'), 'members.mail')
  t.equal(base(users, 'name'), 'members.name')
  t.equal(base(users, 'one'), undefined)
  t.equal(base(users, 'id'), '')
  t.equal(base(db.selectFrom('crm.members as m').select('m.id'), 'id'), 'crm.members.id')
  t.equal(base(db.withSchema('crm').selectFrom('members').select('id').distinct(), 'id'), 'crm.members.id')
  t.end()
})

t.test('a table itself', (t) => {
  const node = (name: 'members' | 'crm.members') => db.selectFrom(name).toOperationNode().from?.froms[0]
  const table = (name: 'members' | 'crm.members') => ({ toOperationNode: () => node(name) }) as Expression<unknown>
  t.equal(base(table('members'), 'id'), 'members.id')
  t.equal(base(table('crm.members'), 'id'), 'crm.members.id')
  t.end()
})

t.test('all columns of one table, but for what else is selected under the name', (t) => {
  const all = db.selectFrom('members').selectAll().select(sql`1`.as('one'))
  t.equal(base(all, 'id'), 'members.id')
  t.equal(base(all, 'one'), undefined)
  t.equal(base(db.selectFrom('members as m').selectAll('m'), 'id'), 'members.id')
  t.equal(base(db.selectFrom(['members', 'teams']).selectAll(), 'id'), 'members.id,teams.id')
  t.equal(base(db.selectFrom(['members', 'teams']).selectAll('teams'), 'id'), 'teams.id')
  t.end()
})

t.test('columns of joined tables', (t) => {
  const joined = db
    .selectFrom('team_members as tm')
    .innerJoin('hr.teams as t', 't.id', 'tm.team')
    .leftJoin(db.selectFrom('logos').select('id').as('l'), 'l.id', 't.logo')
    .select(['tm.member as user_id', 't.name as org_name', 'logo', 'l.id as logo_id', 'x.y'])
  t.equal(base(joined, 'user_id'), 'team_members.member')
  t.equal(base(joined, 'org_name'), 'hr.teams.name')
  t.equal(base(joined, 'logo'), 'team_members.logo,hr.teams.logo', 'only the database knows the table')
  t.equal(base(joined, 'logo_id'), '', 'of a subquery')
  t.equal(base(joined, 'y'), '')
  t.end()
})

t.test('rows that are no table’s', (t) => {
  const id = db.selectFrom('members').select('id')
  t.equal(base(id.groupBy('id'), 'id'), '')
  t.equal(base(id.union(id), 'id'), '')
  t.equal(
    base(
      db
        .with('members', () => id)
        .selectFrom('members')
        .select('id'),
      'id'
    ),
    ''
  )
  t.equal(base(db.selectFrom(id.as('x')).select('id'), 'id'), '')
  t.equal(base(db.selectNoFrom(sql`1`.as('id')), 'id'), undefined)
  t.equal(base(db.selectNoFrom([]), 'id'), '')
  t.equal(base(db.selectFrom('members'), 'id'), '')
  t.equal(base(db.selectFrom('members').select(sql`1`.as(sql.id('id'))), 'id'), '')
  t.equal(base(db.selectFrom('members').select(sql<number>`id` as never), 'id'), '')
  t.equal(base(sql`(select 1 as id)`, 'id'), '')
  t.end()
})

t.test('a select says the names of its columns, unless only the database knows them', (t) => {
  const members = db.selectFrom('members')
  const names = (select: Parameters<typeof selectedNames>[0]) => selectedNames(select)
  t.strictSame(names(members.select(['id as user_id', 'name', sql`1`.as('one')])), ['user_id', 'name', 'one'])
  t.strictSame(names(members), [])
  t.equal(names(members.selectAll()), undefined)
  t.equal(names(members.select('id').select(sql<number>`1` as never)), undefined)
  t.equal(names(sql.table('members')), undefined)
  t.end()
})

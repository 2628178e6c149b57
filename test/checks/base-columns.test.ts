import { type Expression, sql } from 'kysely'
import t from 'tap'
import { baseColumns, selectedNames } from '../../src/checks/base-columns.js'
import { withoutDatabase } from '../support/servers/session.js'

const db = withoutDatabase('sqlite')
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

const tableOf = (name: 'members' | 'crm.members') =>
  ({ toOperationNode: () => db.selectFrom(name).toOperationNode().from?.froms[0] }) as Expression<unknown>

/** Each `schema.table.column` that a column of a select can be. Undefined for a computed column. */
const bases: [select: Expression<unknown>, column: string, base: string | undefined][] = [
  [users, 'user_id', 'members.id'],
  [users, 'email', 'members.mail'],
  [users, 'name', 'members.name'],
  [users, 'one', undefined],
  [users, 'id', ''],
  [db.selectFrom('crm.members as m').select('m.id'), 'id', 'crm.members.id'],
  [db.withSchema('crm').selectFrom('members').select('id').distinct(), 'id', 'crm.members.id'],
  [tableOf('members'), 'id', 'members.id'],
  [tableOf('crm.members'), 'id', 'crm.members.id'],
  [all, 'id', 'members.id'],
  [all, 'one', undefined],
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
  [db.selectNoFrom(sql`1`.as('id')), 'id', undefined],
  [db.selectNoFrom([]), 'id', ''],
  [members, 'id', ''],
  [members.select(sql`1`.as(sql.id('id'))), 'id', ''],
  [members.select(sql<number>`id` as never), 'id', ''],
  [sql`(select 1 as id)`, 'id', '']
]

t.test('the columns of a select are those of its tables', async (t) => {
  for (const [place, [select, name, expected]] of bases.entries()) {
    const found = baseColumns(select)(name)?.map(({ schema, table, column }) => [schema, table, column])
    const paths = found?.map((parts) => parts.filter((part) => part !== undefined).join('.'))
    t.equal(paths?.join(), expected, `${place}: ${name}`)
  }
})

t.test('a select says the names of its columns, unless only the database knows them', async (t) => {
  t.strictSame(selectedNames(users), ['user_id', 'email', 'name', 'one'])
  t.strictSame(selectedNames(members), [])
  for (const unknown of [all, members.select('id').select(sql<number>`1` as never), sql.table('members')]) {
    t.equal(selectedNames(unknown), undefined)
  }
})

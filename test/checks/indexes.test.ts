import { sql } from 'kysely'
import t from 'tap'
import { databases } from '../support/databases.js'
import { filled, findings } from './support.js'

for (const name of databases) {
  t.test(`indexes on ${name}`, async (t) => {
    t.test('each missing one is told as the statement that makes it, which does', async (t) => {
      const drop = (index: string, table: string) => `drop index ${index}${name === 'mysql' ? ` on ${table}` : ''}`
      const db = await filled(t, name, [
        drop('assessments_user_id_created_at_assessment_id', 'assessments'),
        drop('assessments_user_id_status', 'assessments'),
        drop('payments_created_at_payment_id', 'payments'),
        'drop table links',
        `create table links (owner_id ${name === 'sqlite' ? 'integer' : 'bigint'}, user_id ${name === 'sqlite' ? 'integer' : 'bigint'})`
      ])
      const found = await findings(db)
      const columns = found.map((line) => line.replaceAll(/["`]/g, '').replace(/.*? on /, ''))
      t.strictSame(columns, [
        'assessments (user_id, created_at, assessment_id);',
        'payments (created_at, payment_id);',
        'links (owner_id, user_id);'
      ])
      for (const line of found) await sql.raw(line.replace('warning indexes: ', '')).execute(db)
      t.strictSame(await findings(db), [])
    })

    t.test('renamed columns and schemas are told by their own names', async (t) => {
      const db = await filled(t, name, [
        'create table members (id integer not null, given varchar(20), family varchar(20), mail varchar(20), photo varchar(20))'
      ])
      const { rows } = await sql<{
        name: string
      }>`select ${name === 'mysql' ? sql`database()` : sql`'public'`} as name`.execute(db)
      const schema = name === 'sqlite' ? 'main' : String(rows[0]?.name)
      const users = db
        .selectFrom(`${schema}.members as m`)
        .select([
          'm.id as user_id',
          'm.given as first_name',
          'family as last_name',
          'mail as email',
          'photo as avatar_url'
        ])
      t.match(
        (await findings(db, { users: users as never })).map((line) => line.replaceAll(/["`]/g, '')),
        [new RegExp(`^warning indexes: create index members_id on ${schema}.members \\(id\\);$`)]
      )
    })

    t.test('of views, grouped and joined selects no index is told', async (t) => {
      const db = await filled(t, name, [
        'create view people as select user_id, first_name, last_name, email, avatar_url from users',
        'create view teams as select user_id, org_name from memberships'
      ])
      const grouped = db.selectFrom('memberships').select(['user_id', 'org_name']).groupBy(['user_id', 'org_name'])
      const joined = db
        .selectFrom('links')
        .innerJoin('users', 'users.user_id', 'links.user_id')
        .innerJoin(db.selectFrom('users').select('user_id as id').as('owners'), 'owners.id', 'links.owner_id')
        .select(['owners.id as owner_id', 'users.user_id'])
      for (const relations of [
        { users: 'people', memberships: 'teams' },
        { memberships: grouped as never, links: joined as never },
        {
          users: db.selectFrom('users').selectAll() as never,
          links: db.selectFrom('links').selectAll('links') as never
        }
      ]) {
        t.strictSame(await findings(db, relations), [])
      }
    })
  })
}

t.test('a large table behind a view that is read as a whole is told in words', async (t) => {
  const views =
    'create view records as select assessment_id, licence, assessment_type, cast(concat(user_id) as signed) as user_id, practitioner_id, status, date_assignment, date_conclusion, created_at from assessments'
  const db = await filled(t, 'mysql', [
    `insert into assessments (licence, assessment_type, user_id, practitioner_id, status, created_at)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 900)
      select 'l', 't', 1 + n % 10, 10, 'pending', '2024-01-01' from numbers`,
    ...Array.from(
      { length: 4 },
      () => `insert into assessments (licence, assessment_type, user_id, practitioner_id, status, created_at)
      select licence, assessment_type, user_id, practitioner_id, status, created_at from assessments`
    ),
    'analyze table assessments',
    views
  ])
  t.match(await findings(db, { assessments: 'records' }), [
    /^warning indexes: To find a user's assessments the database reads the whole of assessments: an index has to begin with the column behind assessments.user_id, then created_at\.$/
  ])
})

t.test('a large table of PostgreSQL, too', async (t) => {
  const db = await filled(t, 'postgres', [
    `insert into assessments (assessment_id, licence, assessment_type, user_id, practitioner_id, status, created_at)
      select 1000 + n, 'l', 't', 1 + n % 10, 10, 'pending', '2024-01-01' from generate_series(1, 20000) as n`,
    'analyze assessments',
    'create view records as select assessment_id, licence, assessment_type, (user_id::text)::bigint as user_id, practitioner_id, status, date_assignment, date_conclusion, created_at from assessments'
  ])
  t.match(await findings(db, { assessments: 'records' }), [
    /^warning indexes: To find a user's assessments the database reads the whole of assessments/
  ])
})

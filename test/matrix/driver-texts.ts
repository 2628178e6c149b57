/** Tables of a host with names of its own, text ids and times as text, and its tables onto them. */
import { sql } from 'kysely'
import type { TableName } from '../support/columns.js'
import type { Db } from '../support/databases.js'

/** Rows of text, or null; the server makes of it what the column is. */
export type Tables = Record<string, { columns: string; rows: (string | null)[][] }>

const code = 'varchar(30) character set utf8mb4 collate utf8mb4_general_ci'
const at = 'varchar(40) character set latin1'
/** Ids that a collation takes for one, then those that a cast does. */
const codes = ['abc', 'ABC', 'abc ', 'ábc', '12', '12abc', '012', '1.2e1', '0x0c']

export const texts: Tables = {
  clients: {
    columns: `code ${code}, given varchar(60) character set latin1 collate latin1_swedish_ci,
      family varchar(60) character set utf8mb3 collate utf8mb3_general_ci,
      mail varchar(60) character set utf8mb4 collate utf8mb4_unicode_ci, photo text character set utf8mb4`,
    rows: codes.map((code) => [code, `Ñame of ${code}`, `日本 ${code}`, `${code}@Example.org`, `${code}.png`])
  },
  teams: { columns: `member ${code}, name longtext character set utf8mb4`, rows: codes.map((code) => [code, code]) },
  coaching: {
    columns: `coach ${code}, member ${code}`,
    rows: [
      ['12', 'abc'],
      ['12abc', 'ABC'],
      ['012', 'abc ']
    ]
  },
  tests: {
    columns: `nr ${code}, client ${code}, state varchar(10) character set utf8mb4, given ${at}, done ${at}, made ${at}`,
    rows: codes.map((code, index) => [
      `T-${10 - index}`,
      code,
      'pending',
      ['2024-03-01T10:20:30+02:00', '2024-03-01', '2024-03-01 10:20:30.5'][index % 3] ?? null,
      ['', '0000-00-00', '2024-03-01 10:20:30Z'][index % 3] || null,
      '2024-03-01 09:00:00'
    ])
  },
  orders: {
    columns: `nr ${code}, client ${code}, total double, pieces decimal(10, 2),
      intent varchar(40) character set latin1 collate latin1_swedish_ci, paid date, made datetime`,
    rows: [
      ...codes.map((code, index) => [
        String(8 + index),
        code,
        ['0.1', '1e20', '-129.5'][index % 3] ?? null,
        '2.00',
        `Ordér ${code}`,
        ['1969-07-20', '0000-00-00', null][index % 3] ?? null,
        '2024-03-01 09:00:00'
      ]),
      ['99', 'broken', '1', '1', 'broken', null, '0000-00-00']
    ]
  }
}

/** What the host says of them. Some columns are the same text for each record. */
export function textRelations(db: Db) {
  const select = (table: string, columns: string, constants: Record<string, string> = {}) =>
    db
      .selectFrom(table)
      .select([
        ...columns.split(', '),
        ...Object.entries(constants).map(([name, text]) => sql`${sql.lit(text)}`.as(name))
      ])
  const times = 'given as date_assignment, done as date_conclusion, made as created_at'
  return {
    users: select(
      'clients',
      'code as user_id, given as first_name, family as last_name, mail as email, photo as avatar_url'
    ),
    memberships: select('teams', 'member as user_id, name as org_name'),
    links: select('coaching', 'coach as owner_id, member as user_id'),
    assessments: select(
      'tests',
      `nr as assessment_id, nr as licence, client as user_id, client as practitioner_id, state as status, ${times}`,
      { assessment_type: 'kind' }
    ),
    payments: select(
      'orders',
      'nr as payment_id, client as user_id, total as amount, pieces as quantity, intent as payment_intent, paid as paid_at, made as created_at',
      { payment_method: 'card', payment_status: 'paid', processor_status: 'succeeded' }
    )
  } as unknown as Record<TableName, never>
}

/**
 * Tables with every kind of column that a driver or a session may bend: those with the lists' own names and numeric ids,
 * and the payments of a host with names of its own and text ids.
 */
import {
  IdentifierNode,
  OperationNodeTransformer,
  type SchemableIdentifierNode,
  type SelectQueryNode,
  sql,
  WhereNode
} from 'kysely'
import type { TableName } from '../support/fixtures/columns.js'
import { transforming } from '../support/hosts/plugins.js'
import type { Db } from '../support/servers/databases.js'

/** Rows of text, or null; the server makes of it what the column is. */
type Tables = Record<string, { columns: string; rows: (string | null)[][] }>

const [id, big] = ['bigint unsigned', '18446744073709551615']
/** Next to each other, and the same as a double. */
const [even, odd] = ['9007199254740992', '9007199254740993']

const payments = [
  [odd, odd, '1234567.89', '1', 'pi_odd', '2024-03-31 02:30:00', 'card', 'paid', 'succeeded', '2024-03-31 01:30:00'],
  [even, even, '-0.05', '0', 'pi_even', null, 'cash', 'opën', 'Succeeded', '2024-03-31 00:30:00'],
  ['3', '7', '1234567890123.45', '-1', 'PI_日本', '0000-00-00', 'card,cash', '€', 'succeeded', '1970-01-01 00:00:01'],
  ['2', null, '0.10', '1', 'guest', null, '', '', 'pending', '2038-01-19 03:14:07'],
  ['-1', '7', '12.00', '127', 'pi_😀', null, 'card', 'paid', 'succeeded ', '1970-01-01 00:00:01']
]

const numbers: Tables = {
  users: {
    columns: `user_id ${id} primary key,
      first_name varchar(60) character set utf8mb4 collate utf8mb4_unicode_520_ci,
      last_name varchar(60) character set latin1 collate latin1_general_cs,
      email varchar(60) character set utf8mb3 collate utf8mb3_bin,
      avatar_url varchar(60) character set latin1 collate latin1_swedish_ci`,
    rows: [
      ['7', 'Ada', "Ünï o'\\Hara €", 'ada@example.org', 'a.png'],
      ['12', 'Pat', '"Practice"', 'PAT@EXAMPLE.NET', null],
      [even, 'Łukasz 日本', 'Even', 'łukasz@example.org', 'ü.png'],
      [odd, 'Zoë 😀', 'de_la%Cruz!', 'ODD@example.org', ''],
      [big, '[1, 2]', '', 'max@example.com', null]
    ]
  },
  memberships: {
    columns: `user_id ${id}, org_name varchar(60) character set utf8mb4 collate utf8mb4_general_ci`,
    rows: [
      [odd, 'zebra'],
      [odd, 'Äpfel'],
      [odd, '日本 株式会社'],
      [odd, '🙂 Ltd'],
      [odd, '{"a": 1}'],
      [even, 'Even Inc'],
      ['7', 'o\'\\Hara & "Sons"']
    ]
  },
  links: {
    columns: `owner_id ${id}, user_id ${id}`,
    rows: [
      ['12', odd],
      ['12', '7'],
      [big, even]
    ]
  },
  assessments: {
    columns: `assessment_id ${id} primary key, licence char(20) character set latin1,
      assessment_type json, user_id ${id}, practitioner_id ${id},
      status enum('completed', 'pending', 'reserved') character set latin1,
      date_assignment datetime(3), date_conclusion timestamp null, created_at datetime(6)`,
    rows: [
      [big, 'LIC-€', '"kind"', odd, '12', 'completed', '2024-03-10 02:30:00.999', '2024-03-31 02:30:00', '2024-03-10'],
      ['5', 'LIC-1', '"kind"', odd, odd, 'pending', '1969-12-31 23:59:59', null, '2024-03-10 00:00:00.000001'],
      [odd, 'LIC-2', '"Ünï"', odd, null, 'completed', '1000-01-01', '1970-01-01 00:00:01', '1969-12-31 23:59:59'],
      [even, 'LIC-3', '{}', even, '12', 'reserved', '0000-00-00', '0000-00-00', '2024-02-29 12:00:00'],
      ['7', 'LIC-4', 'null', '7', even, 'completed', null, '2038-01-19 03:14:07', '2024-02-29 12:00:00'],
      ['12', '', '1.5', '12', '12', 'pending', '9999-12-31 23:59:59', null, '1000-01-01'],
      ['10', '', '""', big, null, 'reserved', '2024-01-01', null, '2024-01-01']
    ]
  },
  payments: {
    columns: `payment_id bigint primary key, user_id ${id}, amount decimal(20, 2), quantity tinyint(1),
      payment_intent varchar(30) character set utf8mb4 collate utf8mb4_bin, paid_at timestamp null,
      payment_method set('card', 'cash') character set utf8mb4,
      payment_status varchar(20) character set latin1, processor_status varchar(20) character set latin1,
      created_at timestamp null`,
    rows: payments
  }
}

const code = 'varchar(30) character set utf8mb4 collate utf8mb4_general_ci'
/** Ids that a collation takes for one, then those that a cast does. */
const codes = ['abc', 'ABC', 'abc ', 'ábc', '12', '12abc', '012', '1.2e1', '0x0c']

const texts: Tables = {
  clients: {
    columns: `code ${code}, given varchar(60) character set latin1 collate latin1_swedish_ci,
      family varchar(60) character set utf8mb3 collate utf8mb3_general_ci,
      mail varchar(60) character set utf8mb4 collate utf8mb4_unicode_ci, photo text character set utf8mb4`,
    rows: codes.map((code) => [code, `Ñame of ${code}`, `日本 ${code}`, `${code}@Example.org`, `${code}.png`])
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

/** A table that all tenants share. */
const everyTenant = (table: string): string => `every_${table}`
const tenant = 7

class TenantTransformer extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const condition = sql`tenant = ${sql.lit(tenant)}`.toOperationNode()
    const { where, ...select } = super.transformSelectQuery(node)
    return {
      ...select,
      where: where ? WhereNode.cloneWithOperation(where, 'And', condition) : WhereNode.create(condition)
    }
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    const { identifier, ...rest } = super.transformSchemableIdentifier(node)
    return { ...rest, identifier: IdentifierNode.create(everyTenant(identifier.name)) }
  }
}

/** A host's plugin for tables that all tenants share: reads `every_users` for `users`, and this tenant's rows only. */
const transformer = new TenantTransformer()
export const tenantPlugin = transforming((node) => transformer.transformNode(node))

/** Creates all tables in an empty database, and once more as those that tenants share. */
export async function fill(db: Db): Promise<void> {
  await db.connection().execute(async (db) => {
    const run = (statement: string) => sql.raw(statement).execute(db)
    await run("set sql_mode = ''")
    await run("set time_zone = '+00:00'")
    for (const [table, { columns, rows }] of Object.entries({ ...numbers, ...texts })) {
      await run(`create table ${table} (${columns})`)
      for (const row of rows) await sql`insert into ${sql.table(table)} values (${sql.join(row)})`.execute(db)
      await run(`create table ${everyTenant(table)} as select x.*, ${tenant} as tenant from ${table} as x`)
      await run(`insert into ${everyTenant(table)} select x.*, ${tenant + 1} from ${table} as x`)
    }
  })
}

/** What the host says of its payments. Some columns are the same text for each record. */
export function textRelations(db: Db) {
  const constants = { payment_method: 'card', payment_status: 'paid', processor_status: 'succeeded' }
  return {
    users: db
      .selectFrom('clients')
      .select([
        'code as user_id',
        'given as first_name',
        'family as last_name',
        'mail as email',
        'photo as avatar_url'
      ]),
    payments: db
      .selectFrom('orders')
      .select(['nr as payment_id', 'client as user_id', 'total as amount', 'pieces as quantity'])
      .select(['intent as payment_intent', 'paid as paid_at', 'made as created_at'])
      .select(Object.entries(constants).map(([name, text]) => sql`${sql.lit(text)}`.as(name)))
  } as unknown as Record<TableName, never>
}

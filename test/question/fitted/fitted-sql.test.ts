import { CompiledQuery, sql } from 'kysely'
import t, { type Test } from 'tap'
import { mysql } from '../../../src/database/dialects/mysql.js'
import { column, createListings, defineList, defineOptions } from '../../../src/index.js'
import { payments } from '../../../src/lists/ready/payments.js'
import { fittedOf, unknownTraits } from '../../../src/question/fitted/fitted-sql.js'
import { insert } from '../../support/fixtures/world.js'
import { resolveRole } from '../../support/hosts/server.js'
import { execute } from '../../support/oracle/check.js'
import { openDatabase } from '../../support/servers/databases.js'
import { findIn, sessionOf, withoutDatabase } from '../../support/servers/session.js'
import { openWorld } from '../../support/servers/tables.js'

t.test('`=` alone compares two ids only if both columns hold whole numbers or UUIDs', async (t) => {
  const session = sessionOf(withoutDatabase('mysql'))
  const sqlOf = (...exactIds: string[]) => {
    const fitted = fittedOf(payments, session.tables, mysql, { ...unknownTraits, exactIds })
    return session.compile(sql<never>`${fitted.sameIds('u.user_id', 'r.user_id')}`).sql.replaceAll('`', '')
  }
  t.equal(sqlOf('u.user_id', 'r.user_id'), 'u.user_id = r.user_id')
  for (const exact of ['u.user_id', 'r.user_id']) t.match(sqlOf(exact), /^u\.user_id = r\.user_id and cast\(/, exact)
})

t.test('a text that a filtered column cannot hold leaves the index of own records in use (contract 132)', async (t) => {
  const statements: string[] = []
  const db = await openWorld(t, 'postgres', { onQuery: ({ sql }) => statements.push(sql) })
  await execute(db, 'alter table payments alter processor_status type int using payment_id')
  const find = findIn(db)
  await find('payments')
  statements.length = 0
  const askedFor = async (userId: string, processor_status: string) => {
    const { total } = await find('payments', { reach: 'own', userId, parameters: { processor_status } })
    const conditions = statements.splice(0).filter((statement) => /where.*"r"\."processor_status"/s.test(statement))
    return { total, own: conditions.map((statement) => /"r"\."user_id" = /.test(statement)) }
  }
  t.strictSame(await askedFor('1', '2'), { total: 1, own: [true] })
  t.strictSame(await askedFor('1', 'paid'), { total: 0, own: [true, true] })
  t.strictSame(await askedFor('abc', 'paid'), { total: 0, own: [true, true, false] }, 'the id is refused, too')
})

t.test('the text of one request that a column cannot hold does not slow down the next request', async (t) => {
  const pages: string[] = []
  const db = await openWorld(t, 'mysql', {
    onQuery: ({ sql }) => {
      if (sql.includes('sort key')) pages.push(sql.includes('`processor_status` = ') ? 'usual' : 'slower')
    }
  })
  await sql`alter table payments modify processor_status varchar(50) character set latin1`.execute(db)
  const find = findIn(db)
  for (const [processor_status, total, sent] of [
    ['pending', 11, ['usual']],
    // A latin1 column cannot hold this text.
    ['漢', 0, ['usual', 'slower']],
    ['pending', 11, ['usual']],
    ['字', 0, ['usual', 'slower']]
  ] as const) {
    t.match(await find('payments', { parameters: { processor_status } }), { total })
    t.strictSame(pages.splice(0), sent, processor_status)
  }
})

const visits = defineList({
  name: 'visits',
  path: '/visit/list',
  key: 'data',
  openapi: { name: 'Visit', operationId: 'listVisits', summary: 'List visits', description: 'The visits.' },
  fields: { visit_id: column.id({ examples: ['1'] }) },
  columns: {
    user_id: column.id({ whenNull: 'null' }),
    clinic: column.id({ whenNull: 'null' }),
    seen_at: column.wallTime({ whenNull: 'error' })
  },
  id: 'visit_id',
  owner: 'user_id',
  order: '-seen_at',
  filters: { has_clinic: { column: 'clinic', present: true } },
  unshown: ['clinic'],
  roles: {
    Helper: 'linked',
    Staff: { linked: 'clinic', by: 'staff' },
    Doctor: [{ linked: 'clinic', by: 'staff' }, { own: 'user_id' }],
    Admin: 'all'
  },
  messages: { found: 'Found.', forbidden: 'No.' }
})

/** The visits of a database, and the statements that find them. */
async function openVisits(t: Test, type: string) {
  const statements: CompiledQuery[] = []
  const db = await openDatabase(t, 'postgres', { onQuery: (query) => statements.push(query) })
  await execute(
    db,
    "create collation blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
    'create domain code as text',
    `create table visits (visit_id integer primary key, user_id ${type}, clinic ${type}, seen_at timestamp)`,
    `create table users (user_id ${type}, first_name text, last_name text, email text, avatar_url text)`,
    `create table staff (owner_id ${type}, linked_id ${type})`,
    `create table links (owner_id ${type}, user_id ${type})`
  )
  const { find } = createListings(defineOptions({ db, resolveRole, lists: [visits], timeout: 60_000 }))
  const ask = async (userId: string, role: string, query: object = {}) => {
    statements.length = 0
    const { items, total } = await find('visits', { caller: { userId, role } as never, query })
    const isOfList = ({ sql }: CompiledQuery) => /from.* as r /s.test(sql) && !sql.includes('limit 0')
    return { ids: items.map((item) => Number(item.visit_id)), total, sent: statements.filter(isOfList) }
  }
  return { db, ask }
}

const uuidOf = (digit: number) => `${digit}0000000-0000-4000-8000-00000000000a`

for (const [type, isExact] of [
  ['text', true],
  ['varchar(40)', true],
  ['text collate "C"', true],
  ['uuid', true],
  ['text collate blind', false],
  ['varchar(40) collate blind', false],
  ['char(3)', false],
  ['code', false]
] as const) {
  t.test(
    `linked ids of the type ${type} on PostgreSQL are compared ${isExact ? 'once' : 'with their bytes'}`,
    async (t) => {
      const { db, ask } = await openVisits(t, type)
      const isUuid = type === 'uuid'
      // A collation that is blind to case equates the first with the second, and the third with the fourth.
      const [me, other, near, far] = isUuid ? ([1, 2, 3, 4].map(uuidOf) as string[]) : ['me', 'ME', 'abc', 'ABC']
      const seen_at = '2026-01-01 00:00:00'
      const visit = (visit_id: number, user_id: unknown, clinic: unknown) => ({ visit_id, user_id, clinic, seen_at })
      const rows = [
        visit(1, far, near),
        visit(2, far, far),
        visit(3, me, null),
        visit(4, other, far),
        visit(5, near, far),
        ...(isUuid ? [] : [visit(6, far, '')])
      ]
      await insert(db, {
        visits: rows,
        staff: [
          { owner_id: me, linked_id: near },
          { owner_id: other, linked_id: far }
        ],
        links: [
          { owner_id: me, user_id: near },
          { owner_id: other, user_id: far }
        ]
      })
      const empty = isUuid ? [3] : [6, 3]
      t.match(await ask(String(me), 'Admin', { has_clinic: 'false' }), { ids: empty, total: empty.length }, 'no clinic')
      t.match(await ask(String(me), 'Admin', { has_clinic: 'true' }), { ids: [5, 4, 2, 1], total: 4 }, 'a clinic')
      for (const [role, ids] of [
        ['Helper', [5, 3]],
        ['Staff', [1]],
        ['Doctor', [3, 1]]
      ] as const) {
        const { sent, ...found } = await ask(String(me), role, { limit: ids.length })
        t.strictSame(found, { ids, total: ids.length }, role)
        t.ok(sent.length > 0)
        for (const { sql } of sent) {
          t.notMatch(sql, /collate "C" = any/, 'no search of all links for each record')
          const bytes = { ofLinks: /collate "C"(?! = \$)/.test(sql), ofCaller: /collate "C" = \$/.test(sql) }
          t.strictSame(bytes, { ofLinks: !isExact, ofCaller: !isExact || isUuid }, role)
          if (role !== 'Helper') t.equal(/coalesce\(cast\(.*? collate "C" in \(select /s.test(sql), !isExact, role)
        }
      }
    }
  )
}

t.test(
  '20,000 linked ids that are texts on PostgreSQL are searched for no record, and each is found by the index',
  async (t) => {
    for (const type of ['text', 'text collate blind']) {
      const { db, ask } = await openVisits(t, type)
      await execute(
        db,
        "insert into visits select i, md5((i % 20000)::text), md5((i % 30000)::text), timestamp '2024-01-01' + i * interval '1 minute' from generate_series(1, 60000) i",
        ...[1000, 10_000, 20_000].flatMap((count) =>
          ['staff', 'links'].map(
            (by) => `insert into ${by} select 'c${count}', md5(i::text) from generate_series(1, ${count}) i`
          )
        ),
        'create index on staff (owner_id, linked_id)',
        'create index on links (owner_id, user_id)',
        'create index on visits (clinic, seen_at, visit_id)',
        'create index on visits (user_id, seen_at, visit_id)',
        'create index on visits (seen_at, visit_id)',
        'vacuum analyze'
      )
      for (const count of [1000, 10_000, 20_000]) {
        const blocks: Record<string, number> = {}
        for (const role of ['Helper', 'Staff', 'Doctor']) {
          const { sent } = await ask(`c${count}`, role, { page: 2 })
          t.equal(sent.length, 1, 'the page and the total')
          const plans: PlanNode[] = []
          for (const { sql, parameters } of sent) {
            const explained = CompiledQuery.raw(`explain (analyze, buffers, format json) ${sql}`, [...parameters])
            const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained)
            plans.push(...rows.map((row) => row['QUERY PLAN'][0].Plan))
          }
          blocks[role] = sum(plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']))
          t.equal(sum(plans.map(searchesIn)), 0, `searches of all links: ${type}, ${count} links, ${role}`)
        }
        const { Helper = 0, Staff = 0, Doctor = 0 } = blocks
        // Before PostgreSQL 17, each link is a descent of the index, in the page and in the total.
        const most = 3 * Helper + 8 * count
        t.ok(Math.max(Staff, Doctor) < most, `blocks: ${type}, ${count} links, ${JSON.stringify(blocks)}`)
      }
    }
  }
)

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)

interface PlanNode {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Actual Total Time': number
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Filter?: string
  Plans?: PlanNode[]
}

/** How often a list of links is searched for a record without an index and without a hash. */
function searchesIn(node: PlanNode): number {
  const {
    Filter = '',
    Plans = [],
    'Actual Rows': kept,
    'Actual Loops': loops,
    'Rows Removed by Filter': removed = 0
  } = node
  const own = / = ANY \(/.test(Filter) ? (kept + removed) * loops : 0
  return own + sum(Plans.map(searchesIn))
}

import {
  type CompiledQuery,
  Kysely,
  type KyselyPlugin,
  MysqlDialect,
  type RawBuilder,
  SelectQueryNode,
  sql,
  WhereNode
} from 'kysely'
import { createConnection, createPool } from 'mysql2'
import t, { type Test } from 'tap'
import type { Row } from '../../src/database/driver-samples.js'
import { execute as run } from '../../src/database/execute.js'
import { sourceOf } from '../../src/database/source.js'
import { searchIndex, type Tables } from '../../src/index.js'
import { assessments as assessmentList } from '../../src/lists/assessments.js'
import { finder } from '../../src/query/find.js'
import { measured } from '../../src/query/order.js'
import { usableIndex } from '../../src/search-index/usable-index.js'
import { execute } from '../support/check.js'
import { type Db, databases, mysqlPool } from '../support/databases.js'
import { leave, listening } from '../support/listening.js'
import { users } from '../support/search-index.js'
import { serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { until } from '../support/until.js'
import {
  admin,
  assessments,
  callers,
  fill,
  links,
  memberships,
  payments as paid,
  users as people
} from '../support/world.js'

const payments = { table: 'payments', id: 'payment_id', columns: ['payment_intent'] }
const both: Tables = { userSearch: 'users_search', paymentSearch: 'payments_search' }

const up = async (db: Db, ...options: (typeof users)[]) => {
  for (const option of options) await searchIndex(option).up(db)
}

const urls = (terms: string[]) =>
  terms.flatMap((term) =>
    ['/assessment/list', '/payment/list', '/assessment/list?status=pending', '/payment/list?page=2&limit=3'].map(
      (url) => `${url}${url.includes('?') ? '&' : '?'}search=${encodeURIComponent(term)}`
    )
  )

const runOn = (db: Db) => {
  const source = sourceOf(db as never, {})
  return (query: RawBuilder<Row>) => run(source, query.compile(source.db), { timeLeft: () => 10_000 })
}

const stateOf = (db: Db, tables: Tables = { userSearch: 'users_search' }, columns = users.columns) =>
  usableIndex(sourceOf(db as never, tables), 'users', columns, runOn(db))

/** The answers with and without the index are the same. */
async function sameAnswers(t: Test, db: Db, tables: Tables, terms: string[], least = 0): Promise<void> {
  const { userSearch: _, ...without } = tables
  const [a, b] = [
    await serve(t, { db, tables, checkOnReady: 'off' }),
    await serve(t, { db, tables: without, checkOnReady: 'off' })
  ]
  let total = 0
  for (const url of urls(terms).filter((_url, number) => number % 4 !== 2)) {
    const answer = await a.get(url, admin)
    t.equal(answer.status, 200)
    t.equal(answer.text, (await b.get(url, admin)).text, url)
    total += Number(answer.body.total)
  }
  t.ok(total >= least)
}

/** What only a statement that uses the index has. */
const marks = { mysql: 'is_complete', sqlite: '."users_search" match ' }

for (const name of ['mysql', 'sqlite'] as const) {
  t.test(`the answers with a search index on ${name}`, { skip: !databases.includes(name) }, async (t) => {
    const sent: CompiledQuery[] = []
    const db = await openWorld(t, name, { onQuery: (query) => sent.push(query) })
    await up(db, users, payments)
    const without = await serve(t, { db })
    const { get } = await serve(t, { db, tables: both })
    const names = people
      .filter((_user, number) => number % 3 === 0)
      .flatMap(({ first_name, last_name, email }) => [first_name, last_name, email.slice(0, 5), email.slice(3, 30)])
    let found = 0
    for (const caller of callers) {
      const terms =
        caller.role === 'Admin'
          ? [...new Set(names), 'pi_', 'pi_0', 'PI_0_1', 'xyz', '%', '_', '!', 'e', '@e', '   ', '😀', '"a" OR "b', '*']
          : ['exa']
      for (const url of urls(terms)) {
        sent.length = 0
        const answer = await get(url, caller)
        const isUsed = sent.some(({ sql }) => sql.includes(marks[name]))
        // MySQL finds a page for a term of one or two letters without the index. SQLite's index has none.
        const isShort = [...new URL(url, 'http://x').searchParams.getAll('search')].join('').length <= 2
        if (!isShort) t.equal(isUsed, caller.role.includes('Admin'), `${url} of ${caller.role}`)
        t.equal(answer.text, (await without.get(url, caller)).text, `${url} of ${caller.role}`)
        found += Number(answer.body.total ?? 0)
      }
    }
    t.ok(found > 100)
  })
}

for (const name of ['mysql', 'sqlite'] as const) {
  t.test(
    `a search index may be dropped while the server runs on ${name}`,
    { skip: !databases.includes(name) },
    async (t) => {
      const db = await openWorld(t, name)
      await up(db, users, payments)
      const { get } = await serve(t, { db, tables: both })
      const before = await get('/payment/list?search=exam', admin)
      t.ok(Number(before.body.total) > 0)
      await searchIndex(users).down(db)
      await searchIndex(payments).down(db)
      t.equal((await get('/payment/list?search=exam', admin)).text, before.text)
      t.equal((await get('/payment/list', admin)).status, 200)
    }
  )
}

for (const [name, key] of [
  ['mysql', '"places":[2,3,1]'],
  ['sqlite', 'given,family,mail']
] as const) {
  t.test(
    `a select may rename columns and leave out rows on ${name}`,
    { skip: !databases.includes(name) },
    async (t) => {
      const db = await openWorld(t, name)
      await execute(
        db,
        'create table members (id integer primary key, given varchar(90), family varchar(90), mail varchar(90))',
        'insert into members select user_id, first_name, last_name, email from users'
      )
      const select = db
        .selectFrom('members as m')
        .where('m.id', '<>', 3)
        .select(['m.id as user_id', 'm.given as first_name', 'm.family as last_name', 'm.mail as email'])
        .select(sql<string>`null`.as('avatar_url')) as never
      await up(db, { table: 'members', id: 'id', columns: ['mail', 'given', 'family'] })
      const tables = { users: select, userSearch: 'members_search' }
      t.match(await stateOf(db, tables), { key })
      await sameAnswers(t, db, tables, ['ada', 'example', 'cleo', 'slash', 'xyz'], 3)
    }
  )
}

/** The database answers none or only the first of the statements. */
async function saysNothingWithoutAnswers(t: Test, db: Db): Promise<void> {
  for (const answers of [0, 1]) {
    let asked = 0
    const answer = async (query: RawBuilder<Row>) => (asked++ < answers ? runOn(db)(query) : undefined)
    t.equal(
      await usableIndex(sourceOf(db as never, { userSearch: 'users_search' }), 'users', ['email'], answer),
      undefined
    )
  }
}

t.test('lists with a search index on MySQL and MariaDB', { skip: !databases.includes('mysql') }, async (t) => {
  t.test('columns of several collations are looked up together', async (t) => {
    const db = await openWorld(t, 'mysql')
    await execute(db, 'alter table users modify email varchar(255) collate utf8mb4_bin')
    await up(db, users)
    t.match(await stateOf(db), {
      key: /"isSensitive":false,"places":\[1,2\].*"utf8mb4_bin","isSensitive":true,"places":\[3\]/
    })
    await sameAnswers(t, db, { userSearch: 'users_search' }, ['ADA', 'ada', 'EXAMPLE', 'Example', 'DOE'])
  })

  t.test('ids may be texts that differ only in case', async (t) => {
    const db = await openWorld(t, 'mysql')
    for (const table of ['users', 'memberships', 'links', 'assessments', 'payments']) {
      await execute(db, `alter table ${table} modify user_id varchar(20) collate utf8mb4_general_ci`)
    }
    await execute(
      db,
      'alter table users modify user_id varchar(20) collate utf8mb4_general_ci not null',
      "update users set user_id = 'abc' where user_id = '1'",
      "update assessments set user_id = 'ABC' where user_id = '1'"
    )
    await up(db, users)
    await sameAnswers(t, db, { userSearch: 'users_search' }, ['ada', 'example'])
    await execute(db, "update users set user_id = 'ABC' where user_id = 'abc'")
    await sameAnswers(t, db, { userSearch: 'users_search' }, ['ada', 'example'], 3)
  })

  t.test('a term that begins like the texts of too many users is searched without the index', async (t) => {
    const sent: CompiledQuery[] = []
    const db = await openWorld(t, 'mysql', { onQuery: (query) => sent.push(query) })
    await up(db, users)
    await sql`update users set email = concat('the same beginning ', user_id, '@example.org')`.execute(db)
    const find = finder(assessmentList, { shareTotals: false }, { ...measured, maxInlinedIds: 5 })
    const source = sourceOf(db as never, { userSearch: 'users_search' })
    for (const [search, total] of [
      ['the same beginning', assessments.length],
      ['the same beginning 4@', 3],
      ['e same beginning 4@', 3],
      ['ning 4@', 3]
    ] as const) {
      const request = {
        caller: { userId: '20', role: '' },
        reach: 'all',
        page: { page: 1, limit: 9 },
        parameters: { search }
      } as const
      const found = await find({ ...request, timeLeft: () => 10_000, timed: (_step, run) => run() }, source)
      t.equal(found.total, total, search)
    }
    const verified = sent.filter(({ sql }) => / like .* in \(/.test(sql))
    t.ok(verified.length > 0)
  })

  t.test('the index of a tenant is in the schema of the tenant', async (t) => {
    const db = await openWorld(t, 'mysql')
    const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
    const tenant = `${rows[0]?.name}_b`
    await execute(db, `create database ${tenant} character set utf8mb4`)
    t.teardown(() => execute(db, `drop database ${tenant}`))
    const scoped = db.withSchema(tenant) as Db
    await fill(scoped, {
      users: people.map((user) => ({ ...user, first_name: 'Tenant' })),
      memberships,
      links,
      assessments,
      payments: paid
    })
    await up(db, users, { ...users, table: `${tenant}.users` })
    t.match(await stateOf(scoped), { key: '"places":[1,2,3]' })
    await sameAnswers(t, scoped, { userSearch: 'users_search' }, ['tenant', 'ada', 'example'])
    await sameAnswers(t, db, { userSearch: 'users_search' }, ['tenant', 'ada', 'example'])
    await sameAnswers(t, db, { users: `${tenant}.users`, userSearch: `${tenant}.users_search` }, ['tenant', 'ada'])
    t.match(
      await stateOf(db, { users: `${tenant}.users`, userSearch: 'users_search' }),
      /^users needs .* as columns of one table/
    )
  })

  t.test('a plugin may add conditions to every select', async (t) => {
    const base = await openWorld(t, 'mysql')
    await execute(
      base,
      'alter table users add tenant int not null default 1',
      'update users set tenant = 2 where user_id = 1'
    )
    await up(base, users)
    const onlyFirst: KyselyPlugin = {
      transformQuery: ({ node }) =>
        SelectQueryNode.is(node) && /users/.test(JSON.stringify(node.from))
          ? { ...node, where: WhereNode.create(sql`tenant = 1`.toOperationNode()) }
          : node,
      transformResult: async ({ result }) => result
    }
    const db = base.withPlugin(onlyFirst) as Db
    t.match(await stateOf(db), { key: '"places":[1,2,3]' })
    await sameAnswers(t, db, { userSearch: 'users_search' }, ['ada', 'example', 'doe'])
  })

  t.test('the lists work without an index that could miss a text, and the migration repairs the index', async (t) => {
    const cases: [what: string, statements: string[], state: RegExp, repairs?: string[]][] = [
      ['no table', ['drop table users_search'], /^the table is no search index of users.user_id$/],
      [
        'another table',
        ['alter table users_search comment = "x"'],
        /^the table is no search index of users.user_id$/,
        ['drop table users_search']
      ],
      [
        'another version',
        ['alter table users_search comment = \'{"format":0,"table":"users"}\''],
        /^the table is no search index of users.user_id$/
      ],
      [
        'another shape',
        ['alter table users_search change chars text varbinary(32)'],
        /^the index cannot be read$/,
        ['drop table users_search']
      ],
      [
        'an unfinished fill',
        ["update users_search set chars = '' where place = 0", 'delete from users_search where place = 1'],
        /^the index is not complete$/,
        ['delete from users_search where place = 0']
      ],
      [
        'one trigger less',
        ['drop trigger users_search_update', "update users set email = 'new@x.org' where user_id = 1"],
        /^a trigger is missing, or the account of the lists lacks the right TRIGGER on users$/
      ],
      [
        'no trigger',
        [
          'drop trigger users_search_insert',
          'drop trigger users_search_update',
          'drop trigger users_search_delete',
          "insert into users values (99, 'New', 'One', 'new@x.org', null)"
        ],
        /^a trigger is missing/
      ],
      [
        'another collation',
        ['alter table users modify email varchar(255) collate utf8mb4_bin'],
        /^the collation of email has changed$/
      ]
    ]
    for (const [what, statements, state, repairs = []] of cases) {
      await t.test(what, async (t) => {
        const db = await openWorld(t, 'mysql')
        await up(db, users)
        await execute(db, ...statements)
        t.match(await stateOf(db), state)
        await sameAnswers(t, db, { userSearch: 'users_search' }, ['new', 'ada', 'example'])
        await execute(db, ...repairs)
        await up(db, users)
        t.type(await stateOf(db), 'object')
        await sameAnswers(t, db, { userSearch: 'users_search' }, ['new', 'ada', 'example'])
      })
    }
  })

  t.test('the lists work without an index that does not fit the tables', async (t) => {
    const db = await openWorld(t, 'mysql')
    await up(db, { ...users, columns: ['email'] })
    t.equal(await stateOf(db), 'the index lacks the column first_name')
    t.match(await stateOf(db, { userSearch: 'users_search' }, ['email']), { key: '"places":[1]' })
    const computed = db
      .selectFrom('users')
      .select([
        'user_id',
        'first_name',
        'last_name',
        'avatar_url',
        sql<string>`concat(email, '?')`.as('email')
      ]) as never
    const tables = { users: computed, userSearch: 'users_search' }
    t.match(await stateOf(db, tables, ['email']), /^users needs email as columns of one table/)
    await sameAnswers(t, db, tables, ['org?', 'ada'])
    t.equal(await stateOf(db, {}), undefined)
    t.equal(await stateOf(db, { userSearch: 'users_search' }, []), undefined)
  })

  t.test('users who exchange their names while a search runs are found', async (t) => {
    const db = await openWorld(t, 'mysql')
    await up(db, users)
    const { get } = await serve(t, { db, tables: { userSearch: 'users_search' } })
    const ids = people.filter(({ user_id }) => assessments.some((record) => record.user_id === user_id)).slice(0, 2)
    const [a, b] = ids.map(({ user_id }) => user_id)
    await execute(
      db,
      `update users set last_name = if(user_id = ${a}, 'Wandering', 'Other') where user_id in (${a}, ${b})`
    )
    let isOver = false
    const exchange = async () => {
      while (!isOver) {
        await execute(
          db,
          `update users set last_name = if(last_name = 'Wandering', 'Other', 'Wandering') where user_id in (${a}, ${b})`
        )
      }
    }
    const exchanging = exchange()
    for (let request = 0; request < 100; request++) {
      const { body } = await get('/assessment/list?search=wandering', admin)
      t.ok(Number(body.total) > 0)
    }
    isOver = true
    await exchanging
  })

  t.test('a client that leaves during a lookup, and a deadline in a lookup, leave the pool intact', async (t) => {
    const options = await mysqlPool(t, { connectionLimit: 1 })
    const open = (settings = {}): Db =>
      new Kysely({ dialect: new MysqlDialect({ pool: createPool(options), ...settings }) })
    const [db, other] = [open({ controlConnection: createConnection }), open()]
    t.teardown(() => Promise.all([db.destroy(), other.destroy()]))
    await fill(db)
    await up(db, users)
    const { get, port } = await listening(t, { db, timeout: 1_000, tables: { userSearch: 'users_search' } })
    const url = '/assessment/list?search=example'
    const before = await get(url, admin)
    t.ok(Number(before.body.total) > 0)
    await other.connection().execute(async (locker) => {
      await sql`lock tables users_search write`.execute(locker)
      const isRunning = async () => {
        const { rows } = await sql`select id from information_schema.processlist
          where db = ${options.database} and info like '%users_search%' and id <> connection_id()`.execute(locker)
        return rows.length > 0
      }
      const left = leave(port, url, 100)
      t.ok(await until(isRunning), 'the lookup waits for the lock')
      await left
      t.ok(await until(async () => !(await isRunning())), 'the lookup has ended')
      t.equal((await get(url, admin)).status, 504)
      await sql`unlock tables`.execute(locker)
    })
    t.equal((await get(url, admin)).text, before.text)
  })

  t.test('the id may become larger than it was', async (t) => {
    const db = await openWorld(t, 'mysql')
    await execute(db, 'create table members (id tinyint primary key, email varchar(90))')
    await up(db, { table: 'members', id: 'id', columns: ['email'] })
    await execute(
      db,
      'alter table members modify id bigint unsigned',
      "insert into members values (18446744073709551615, 'large@example.org')"
    )
    const { rows } = await sql<{
      id: string
    }>`select distinct cast(id as char) as id from members_search where place = 1`.execute(db)
    t.strictSame(rows, [{ id: '18446744073709551615' }])
    const select = db.selectFrom('members').select(['id as user_id', 'email']) as never
    const tables = { users: select, userSearch: 'members_search' }
    t.match(await stateOf(db, tables, ['email']), { key: '"places":[1]' })
    await execute(db, 'alter table members modify id varchar(40)')
    t.equal(await stateOf(db, tables, ['email']), 'the table is no search index of members.id')
  })

  t.test('the columns of a table that a select joins twice have no index', async (t) => {
    const db = await openWorld(t, 'mysql')
    await up(db, users)
    const joined = db
      .selectFrom('users as u')
      .innerJoin('users as m', 'm.user_id', 'u.user_id')
      .select(['u.user_id', 'm.first_name', 'm.last_name', 'm.email', 'm.avatar_url']) as never
    const tables = { users: joined, userSearch: 'users_search' }
    t.match(await stateOf(db, tables), /^users needs first_name, last_name, email as columns of one table/)
    await sameAnswers(t, db, tables, ['ada'], 1)
  })

  t.test('the lists do not use an index that changes after they looked', async (t) => {
    const db = await openWorld(t, 'mysql')
    await up(db, users)
    const { get } = await serve(t, { db, tables: { userSearch: 'users_search' } })
    const url = '/assessment/list?search=example'
    const before = await get(url, admin)
    const filling = searchIndex({
      ...users,
      columns: ['email', 'last_name', 'first_name'],
      onProgress: () => {
        throw new Error('interrupted')
      }
    })
    await t.rejects(filling.up(db), { message: 'interrupted' })
    await execute(db, 'delete from users_search where place = 3')
    t.equal((await get(url, admin)).text, before.text)
    t.ok(Number(before.body.total) > 0)
  })

  t.test('a database that does not answer says nothing about the index', async (t) => {
    const db = await openWorld(t, 'mysql')
    await up(db, users)
    await saysNothingWithoutAnswers(t, db)
    const slow = async () => Promise.reject(Object.assign(new Error('slow'), { errno: 3024 }))
    await t.rejects(usableIndex(sourceOf(db as never, { userSearch: 'users_search' }), 'users', ['email'], slow), {
      message: 'slow'
    })
  })
})

t.test('lists with a search index on SQLite', { skip: !databases.includes('sqlite') }, async (t) => {
  t.test('a table of an attached database has the index in that database', async (t) => {
    const db = await openWorld(t, 'sqlite')
    await execute(
      db,
      "attach database ':memory:' as tenant",
      'create table tenant.users (user_id integer primary key, first_name, last_name, email, avatar_url)',
      "insert into tenant.users select user_id, 'Tenant', last_name, email, avatar_url from main.users"
    )
    await up(db, users, { ...users, table: 'tenant.users' })
    const tables = { users: 'tenant.users', userSearch: 'tenant.users_search' }
    t.match(await stateOf(db, tables), { key: 'first_name,last_name,email' })
    await sameAnswers(t, db, tables, ['tenant', 'ada', 'example'], 3)
    await sameAnswers(t, db, { userSearch: 'users_search' }, ['tenant', 'ada', 'example'], 3)
    await searchIndex({ ...users, table: 'tenant.users' }).down(db)
    t.equal(await stateOf(db, tables), 'the table is no search index of users.user_id')
    await sameAnswers(t, db, tables, ['tenant', 'ada'], 3)
  })

  t.test('the lists work without an index that could miss a text, and the migration repairs the index', async (t) => {
    const cases: [what: string, statements: string[], state: string][] = [
      ['no table', ['drop table users_search'], 'the table is no search index of users.user_id'],
      ['one trigger less', ['drop trigger users_search_update'], 'a trigger is missing'],
      [
        'a column with another name',
        ['alter table users rename column email to mail', 'alter table users add column email text'],
        'a trigger is missing'
      ],
      [
        'a trigger for another id',
        [
          'drop trigger users_search_delete',
          'create trigger users_search_delete after delete on users begin delete from "users_search" where rowid in (old."rowid"); end'
        ],
        'a trigger is missing'
      ]
    ]
    for (const [what, statements, state] of cases) {
      await t.test(what, async (t) => {
        const db = await openWorld(t, 'sqlite')
        await up(db, users)
        await execute(db, ...statements)
        t.equal(await stateOf(db), state)
        await sameAnswers(t, db, { userSearch: 'users_search' }, ['ada', 'example'], 3)
        await up(db, users)
        t.type(await stateOf(db), 'object')
        await sameAnswers(t, db, { userSearch: 'users_search' }, ['ada', 'example'], 3)
      })
    }
  })

  t.test('the lists work without an index that lacks a searched column', async (t) => {
    const db = await openWorld(t, 'sqlite')
    await up(db, { ...users, columns: ['email'] })
    t.equal(await stateOf(db), 'the index lacks the column first_name')
    t.match(await stateOf(db, { userSearch: 'users_search' }, ['email']), { key: 'email' })
  })

  t.test('a database that does not answer says nothing about the index', async (t) => {
    const db = await openWorld(t, 'sqlite')
    await up(db, users)
    await saysNothingWithoutAnswers(t, db)
  })
})

t.test(
  'PostgreSQL has trigram indexes in place of search indexes',
  { skip: !databases.includes('postgres') },
  async (t) => {
    const db = await openWorld(t, 'postgres')
    t.match(await stateOf(db), /^PostgreSQL has trigram indexes/)
    await sameAnswers(t, db, { userSearch: 'users_search' }, ['ada'])
  }
)

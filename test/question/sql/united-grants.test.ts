import { sql } from 'kysely'
import t from 'tap'
import type { Dialect } from '../../../src/database/dialect.js'
import { mysql } from '../../../src/database/dialects/mysql.js'
import { postgres } from '../../../src/database/dialects/postgres.js'
import { sqlite } from '../../../src/database/dialects/sqlite.js'
import { type Parameter, parameterOf } from '../../../src/database/parameter.js'
import { column, createListings, defineList, type RoleReach as Role } from '../../../src/index.js'
import { payments } from '../../../src/lists/ready/payments.js'
import type { RoleReach } from '../../../src/lists/roles.js'
import { fittedOf, unknownTraits } from '../../../src/question/fitted/fitted-sql.js'
import { scopeOf } from '../../../src/question/sql/united-grants.js'
import { reachOf } from '../../../src/visibility/reach-of-role.js'
import { execute } from '../../support/oracle/check.js'
import { onDatabases, onServers } from '../../support/servers/databases.js'
import { findIn, sessionOf, withoutDatabase } from '../../support/servers/session.js'
import { computed, openWorld } from '../../support/servers/tables.js'

interface Asking {
  userId?: string
  dialect?: Dialect
  exactIds?: string[]
  id?: Parameter
  use?: 'page' | 'total' | undefined
}

t.test('each reach is one condition, and the reach none finds nothing', async (t) => {
  const session = sessionOf(withoutDatabase('sqlite'))
  const sqlOf = (reach: RoleReach, { userId = '7', dialect = sqlite, exactIds = [], id, use }: Asking = {}) => {
    const fitted = fittedOf(payments, session.tables, dialect, { ...unknownTraits, exactIds })
    const { order } = payments
    const shape = { reach: reachOf(reach, payments), order, callerId: parameterOf(userId), ids: {}, id }
    const { sql: text, parameters } = session.compile(sql`${scopeOf(shape, fitted, use).from([])}`)
    return {
      text: text
        .replace(/\s+/g, ' ')
        .trim()
        .replace(/^from "payments" as r ?/, ''),
      parameters
    }
  }
  t.strictSame(sqlOf('all'), { text: '', parameters: [] })
  t.strictSame(sqlOf('own'), {
    text: 'where ("r"."user_id" in (?, cast(? as numeric)) and cast("r"."user_id" as text) collate binary = ?)',
    parameters: ['7', '7', '7']
  })
  t.match(sqlOf({ own: 'payment_id' }, { dialect: mysql }).text, /^where \(.r.\..payment_id. = \? and /)
  t.match(sqlOf('linked'), {
    text: /^inner join \( select "l"."user_id" as user_id, .* as bytes from "links" as l where .* union select "o"."user_id" as user_id, .* as bytes from "payments" as o where .* \) as v on "v"."user_id" = "r"."user_id" and "v"."bytes" = cast\("r"."user_id" as text\) collate binary$/,
    parameters: ['7', '7', '7', '7', '7', '7']
  })
  t.match(sqlOf('linked', { dialect: postgres }).text, /^inner join \(/)
  t.match(sqlOf('own', { dialect: mysql }), { text: /^where \("r"."user_id" = \? and cast\(.* as binary\) = \?\)$/ })
  // Of whole numbers, `=` alone is exact, if the id of the caller is one, too.
  const exactIds = ['r.user_id', 'l.owner_id', 'l.user_id']
  t.match(sqlOf('own', { dialect: mysql, exactIds }), { text: 'where "r"."user_id" = ?', parameters: ['7'] })
  t.match(
    sqlOf('linked', { dialect: mysql, exactIds }).text.replaceAll('"', ''),
    /^inner join \( select l.user_id as user_id from links as l where l.owner_id = \? union select o.user_id as user_id from payments as o where o.user_id = \? \) as v on v.user_id = r.user_id$/
  )
  for (const userId of ['7a', '07', '7 ', '7.0', '1e1', '-7', '1234567890123456']) {
    t.match(sqlOf('own', { dialect: mysql, exactIds, userId }).text, /= .* and cast\(/, userId)
  }
  for (const missing of exactIds) {
    const others = exactIds.filter((id) => id !== missing)
    const bytes = missing === 'l.owner_id' ? / cast\(/ : / as bytes .* union .* as bytes .* on .*bytes/
    t.match(sqlOf('linked', { dialect: mysql, exactIds: others }).text, bytes, missing)
  }
  // A part that `=` compares exactly on one side only is compared byte for byte.
  const staff = { linked: 'payment_id', by: 'links' } as const
  for (const missing of ['r.payment_id', 'l.user_id']) {
    const all = ['r.payment_id', 'r.user_id', 'l.owner_id', 'l.user_id'].filter((id) => id !== missing)
    t.match(sqlOf(staff, { dialect: mysql, exactIds: all }).text, /\), cast|, cast\(/, missing)
  }
  const numbers = { exactIds: ['r.payment_id', 'r.user_id', 'l.owner_id', 'l.user_id'] }
  const inLinks = '(r.payment_id) in (select l.user_id from links as l where l.owner_id = ?)'
  const plainOf = (reach: RoleReach, dialect: Dialect) => sqlOf(reach, { dialect, ...numbers }).text.replaceAll('"', '')
  t.equal(plainOf(staff, mysql), `where ${inLinks}`)
  t.equal(
    plainOf([{ own: 'user_id' }, staff], mysql),
    `from (select r.payment_id as id, r.created_at as sort_key from payments as r where r.user_id = ? union select r.payment_id as id, r.created_at as sort_key from payments as r where ${inLinks}) as r`
  )
  t.match(
    plainOf([{ own: 'user_id' }, staff], sqlite),
    /^from \(select .* where .* union select .* where \(r\.payment_id\) in \(select /
  )
  t.equal(
    plainOf(staff, postgres),
    'from (select r.payment_id as id, r.created_at as sort_key from payments as r where (r.payment_id = any(array(select l.user_id from links as l where l.owner_id = ?))) offset 0) as r'
  )
  t.match(plainOf([{ own: 'user_id' }, staff], postgres), / union select .* = any\(array\(.*\)\)\)\) as r$/)
  // PostgreSQL would walk the order of the list for a join, so only 'linked' has one.
  t.match(plainOf([{ own: 'user_id' }, { linked: 'user_id' }], mysql), /^from \(select .* union select /)
  // MySQL and MariaDB would scan every record for a page of an id or a condition. A total reads many records in any case.
  const orWhere: RoleReach = [{ own: 'user_id' }, { where: { payment_status: 'paid' } }]
  t.match(plainOf(orWhere, mysql), /^from \(select .* where r\.user_id = \? union select .* where .*payment_status/)
  t.match(sqlOf(orWhere, { dialect: mysql, use: 'total' }).text, /^where \(.* or .*\)$/)
  t.match(plainOf(orWhere, postgres), /^where \(.* or .*\)$/)
  t.equal(plainOf('none', mysql), 'where 1 = 0')
  const ofOne = (dialect: Dialect) =>
    sqlOf('linked', { id: parameterOf('1'), dialect, ...numbers }).text.replaceAll('"', '')
  t.equal(
    ofOne(postgres),
    'where (exists (select 1 from links as l where l.owner_id = ? and l.user_id = r.user_id) or r.user_id = ?)'
  )
  // For `exists`, MariaDB remembers a result by the collation of the id.
  t.equal(
    ofOne(mysql),
    'where ((r.user_id) in (select l.user_id from links as l where l.owner_id = ?) or r.user_id = ?)'
  )
  t.match(sqlOf(staff, { id: parameterOf('1') }).text, /^where exists \(.* and "l"\."user_id" = .* and cast\(.*\)$/)
})

onServers(t, 'an id that the columns cannot hold has no records', async (t, name) => {
  const db = await openWorld(t, name)
  for (const column of ['assessments.user_id', 'payments.user_id', 'links.owner_id', 'links.user_id']) {
    const [table, id] = column.split('.')
    const change = name === 'mysql' ? `modify ${id} int` : `alter ${id} type integer`
    await sql.raw(`alter table ${table} ${change}`).execute(db)
  }
  const find = findIn(db)
  t.match(await find('payments', { reach: 'own', userId: '1' }), { total: 3 })
  t.match(await find('assessments', { reach: 'linked', userId: '10' }), { total: 9 })
  for (const userId of ['2147483648', '5000000000', '999999999999999', '99999999999999999999', '-1', 'abc']) {
    t.match(await find('payments', { reach: 'own', userId }), { total: 0 }, userId)
    t.match(await find('assessments', { reach: 'linked', userId }), { total: 0 }, userId)
  }
})

onDatabases(t, 'an id that only a cast makes equal has no records', async (t, name) => {
  const find = findIn(await openWorld(t, name))
  t.match(await find('payments', { reach: 'own', userId: '12' }), { total: 3 })
  t.match(await find('payments', { reach: 'linked', userId: '10' }), { total: 9 })
  for (const written of ['12abc', '012', '12 ', ' 12', '+12', '12.0', '1.2e1', '0xc', '１２', '12-0', "12'", '-0']) {
    t.match(await find('payments', { reach: 'own', userId: written }), { total: 0 }, written)
    const linking = written.replace('2', '0')
    t.match(await find('assessments', { reach: 'linked', userId: linking }), { total: 0 }, linking)
  }
})

// A change of the type of an id needs a restart, which looks at the columns again.
for (const how of [
  'a table takes the place of another',
  'a column gets another type',
  'a column gets another collation'
]) {
  t.test(`a caller sees only their own records after a restart when ${how}`, async (t) => {
    const db = await openWorld(t, 'mysql')
    const own = async (userId: string) => (await findIn(db)('payments', { reach: 'own', userId })).total
    const linked = async (userId: string) => (await findIn(db)('payments', { reach: 'linked', userId })).total
    t.strictSame([await own('12'), await linked('12')], [3, 9])
    const alike = ['12abc', '012', '12 ', '1.2e1', '１２']
    const isOfType = how.includes('type')
    if (isOfType) await execute(db, 'alter table payments modify user_id varchar(20)')
    else {
      await execute(
        db,
        'create table new_payments like payments',
        'alter table new_payments modify user_id varchar(20) collate utf8mb4_general_ci',
        'insert into new_payments select * from payments',
        'rename table payments to old_payments, new_payments to payments'
      )
    }
    for (const [place, userId] of alike.entries()) {
      await db
        .updateTable('payments')
        .set({ user_id: userId })
        .where('payment_id', '=', place + 1)
        .execute()
    }
    t.strictSame([await own('12'), await own('012'), await own('12abc')], [3, 1, 1])
    // The links of 12 lead to 3, 4 and 12.
    const text = `varchar(20)${isOfType ? '' : ' collate utf8mb4_general_ci'}`
    await execute(db, `alter table links modify owner_id ${text}, modify user_id ${text}`)
    t.equal(await linked('12'), 9)
    await db.updateTable('links').set({ owner_id: '12abc' }).where('owner_id', '=', '12').execute()
    t.equal(await linked('12'), 3, 'nobody is linked to 12 any more')
    if (how.includes('collation')) {
      await execute(db, 'alter table payments modify user_id varchar(20) collate utf8mb4_unicode_ci')
      t.equal(await own('12'), 3)
    }
  })
}

t.test('a caller finds no record by the email of a stranger when the ids of the users are texts', async (t) => {
  const db = await openWorld(t, 'mysql')
  const found = async (search: string) => {
    const totals = (['own', 'linked'] as const).map((reach) => findIn(db)('payments', { reach, userId: '12', search }))
    return (await Promise.all(totals)).map(({ total }) => total)
  }
  t.strictSame(await found('e12abc'), [0, 0])
  const before = await found('@example')
  await execute(
    db,
    'alter table users modify user_id varchar(20)',
    "insert into users values ('12abc', '', '', 'e12abc@example.org', null)"
  )
  t.strictSame(await found('e12abc'), [0, 0])
  t.strictSame(await found('@example'), before)
})

onDatabases(t, 'an id of 12 sees no record of 12.00', async (t, name) => {
  const db = await openWorld(t, name)
  const cents = `cast(user_id as ${name === 'sqlite' ? 'real' : 'decimal(10, 2)'})`
  const find = findIn(db, computed(db, 'payments', 'user_id', cents))
  const text = name === 'sqlite' ? '12.0' : '12.00'
  t.match(await find('payments', { reach: 'own', userId: '12' }), { total: 0 })
  t.match(await find('payments', { reach: 'own', userId: text }), { total: 3, items: [{ user_id: text }] })
})

t.test('a caller keeps their own records, whatever the type of the links', async (t) => {
  const db = await openWorld(t, 'mysql')
  await execute(db, 'alter table links modify user_id decimal(12, 2)')
  const find = findIn(db)
  t.match(await find('payments', { reach: 'own', userId: '10' }), { total: 3 })
  t.match(await find('payments', { reach: 'linked', userId: '10' }), { total: 3 }, 'the links have no equal text')
})

/** Visits whose ids are texts that a collation may equate, some without a room and some with the same time. */
const visits = (role: Role<'visit_id' | 'room' | 'coach'>) =>
  defineList({
    ...{ name: 'visits', path: '/visit/list', key: 'data', id: 'visit_id', order: '-made_at' },
    openapi: { name: 'Visit', operationId: 'listVisits', summary: 'List visits', description: 'The visits.' },
    fields: { visit_id: column.id({ examples: ['1'] }), state: column.text({ whenNull: 'error', examples: ['x'] }) },
    columns: {
      room: column.id({ whenNull: 'null' }),
      coach: column.id({ whenNull: 'null' }),
      made_at: column.wallTime({ whenNull: 'error' })
    },
    sort: ['state'],
    filters: { state: { examples: ['x'] } },
    roles: { Coach: role },
    messages: { found: 'Found.', forbidden: 'No.' }
  })

const at = '2026-01-01 10:00:00'
const visitRows = [
  ['v1', 'r1', 'abc', 'open'],
  ['V1', 'r1', 'ABC', 'done'],
  ['v2', 'R1', 'abc', 'open'],
  ['v3', 'R1', null, 'done'],
  ['v4', null, 'ABC', 'open'],
  ['v5', null, null, 'done'],
  ['v6', 'r2', 'abd', 'open']
].map(([visit_id, room, coach, state]) => ({ visit_id, room, coach, state, made_at: at }))

onDatabases(t, 'each record of a union comes once, and its ids match exactly (contract 133)', async (t, name) => {
  const db = await openWorld(t, name)
  const type = name === 'sqlite' ? 'text collate nocase' : 'varchar(20)'
  const time = name === 'postgres' ? 'timestamp' : 'datetime'
  // The values of the ENUM are not in the order of their texts.
  const state = name === 'mysql' ? "enum('open', 'done')" : 'varchar(9)'
  await execute(
    db,
    `create table visits (visit_id ${type}, room ${type}, coach ${type}, state ${state}, made_at ${time})`,
    `create table rooms (owner_id ${type}, linked_id ${type})`,
    `create table keys_of (owner_id ${type}, linked_id ${type})`,
    // A doubled link, a null, and the links of somebody whose id only looks the same.
    "insert into rooms values ('abc', 'r1'), ('abc', 'r1'), ('abc', null), ('ABC', 'R1')",
    "insert into keys_of values ('abc', 'r2'), ('ABC', 'v3')"
  )
  await db.insertInto('visits').values(visitRows).execute()
  const rooms = { linked: 'room', by: 'rooms' } as const
  const seen = async (role: Role<'visit_id' | 'room' | 'coach'>, userId: string, query: object = {}) => {
    const { find, each } = createListings({ db: db as never, resolveRole: () => null, lists: [visits(role)] })
    const caller = { role: 'Coach', userId }
    const { items, total } = await find('visits', { caller, query })
    t.equal(total, items.length)
    const ids = items.map(({ visit_id }) => visit_id)
    if ('sort' in query) return ids
    const all = []
    for await (const { visit_id } of each('visits', { caller, query })) all.push(visit_id)
    // The order of ids that the collation equates is the database's.
    t.strictSame(all.sort(), ids.sort())
    return ids
  }
  t.strictSame(await seen(rooms, 'abc'), ['V1', 'v1'])
  t.strictSame(await seen(rooms, 'ABC'), ['v2', 'v3'])
  t.strictSame(await seen(rooms, 'Abc'), [])
  t.strictSame(await seen([{ own: 'coach' }, rooms], 'abc'), ['V1', 'v1', 'v2'])
  t.strictSame(await seen([{ own: 'coach' }, rooms], 'ABC'), ['V1', 'v2', 'v3', 'v4'])
  t.strictSame(await seen([{ own: 'coach' }, rooms], 'ABC', { state: 'done' }), ['V1', 'v3'])
  t.strictSame(await seen([rooms, { linked: 'room', by: 'keys_of' }], 'abc'), ['V1', 'v1', 'v6'])
  t.strictSame(await seen([{ linked: 'visit_id', by: 'keys_of' }, { own: 'room' }], 'ABC'), ['v3'])
  const inOrder = name === 'mysql' ? ['v2', 'v4'] : ['V1', 'v3']
  const sorted = await seen([{ own: 'coach' }, rooms], 'ABC', { sort: 'state' })
  t.strictSame([...sorted].slice(0, 2).sort(), inOrder, 'an ENUM has its own order')
})

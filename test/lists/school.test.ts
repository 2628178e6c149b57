/** Lists of a driving school over joins and expressions: payments with their unit, and students with their open payments. */
import { type Kysely, sql } from 'kysely'
import t from 'tap'
import { column, createListings, defineList, defineOptions, type ListingTables, payments } from '../../src/index.js'
import { type DatabaseName, databases, dateTime } from '../support/databases.js'
import { resolveRole, serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'

const unitPayments = payments.extend({
  path: '/v2/payment/list',
  key: 'payments',
  openapi: { operationId: 'listPaymentsV2' },
  fields: {
    unit_name: column.text({ examples: ['Park'] }),
    unitNumber: { column: 'unit_no', examples: [3] },
    due_on: column.date({ examples: ['2026-06-01'] })
  },
  columns: { unit_no: column.integer({ whenNull: 'null' }) },
  search: { columns: ['unit_name'], description: 'In the order code, the email address or the unit.' },
  filters: { unit: { column: 'unit_no', range: true }, due: { column: 'due_on', range: true } }
})

const students = defineList({
  name: 'students',
  path: '/student/list',
  key: 'students',
  openapi: { name: 'Student', operationId: 'listStudents', summary: 'List students', description: 'The students.' },
  fields: {
    student_id: column.id({ examples: ['1'] }),
    name: column.text({ examples: ['Ada'] }),
    open_payments: column.integer({ examples: [3] })
  },
  columns: { enrolled_at: column.wallTime({ whenNull: 'error' }) },
  id: 'student_id',
  owner: 'student_id',
  newest: 'enrolled_at',
  sort: ['open_payments'],
  filters: { open: { column: 'open_payments', range: true } },
  roles: { Admin: 'all' },
  otherRoles: 'own',
  messages: { found: 'Students found.', forbidden: 'You may not see students.' }
})

interface DB {
  bills: {
    nr: number
    student: number | null
    cents: number
    code: string
    paid: Date | null
    state: string
    unit: number | null
    due: Date | null
    made: Date
  }
  units: { nr: number; title: string }
  pupils: { nr: number; name: string; since: Date }
}

/** A mapping as docs/tables.md shows it, which an extended list completes. */
const tablesOf = (db: Kysely<DB>) =>
  ({
    payments: db
      .selectFrom('bills as b')
      .leftJoin('units as u', 'u.nr', 'b.unit')
      .select(['b.nr as payment_id', 'b.student as user_id', 'b.code as payment_intent', 'b.paid as paid_at'])
      .select(['b.state as payment_status', 'b.state as processor_status', 'b.made as created_at'])
      .select([
        sql<string>`b.cents / 100.0`.as('amount'),
        sql<number>`1`.as('quantity'),
        sql<string>`'card'`.as('payment_method')
      ])
  }) satisfies ListingTables

const pad = (number: number) => String(number).padStart(2, '0')
const bills = Array.from({ length: 60 }, (_, place) => ({
  nr: place + 1,
  student: place % 7 === 0 ? null : 1 + (place % 4),
  cents: 100 * (place % 11),
  code: `B-${place}`,
  paid: place % 3 === 0 ? `2026-05-${pad(1 + (place % 20))} 10:00:00` : null,
  state: place % 3 === 0 ? 'paid' : 'open',
  unit: place % 5 === 0 ? null : place % 5,
  due: place % 4 === 0 ? null : `2026-06-${pad(1 + (place % 9))}`,
  made: `2026-05-01 0${place % 6}:00:00`
}))
const unitNames = ['Park', 'Motorway', 'Night', 'City']

async function openSchool(t: Parameters<typeof openWorld>[0], name: DatabaseName): Promise<Kysely<DB>> {
  const db = await openWorld(t, name)
  const time = dateTime(name)
  const create = (table: string, columns: string) => sql.raw(`create table ${table} (${columns})`).execute(db)
  await create(
    'bills',
    `nr int primary key, student int, cents int, code varchar(20), paid ${time}, state varchar(9), unit int, due date, made ${time}`
  )
  await create('units', 'nr int primary key, title varchar(20)')
  await create('pupils', `nr int primary key, name varchar(20), since ${time}`)
  await db.insertInto('bills').values(bills).execute()
  const units = unitNames.map((title, place) => ({ nr: place + 1, title }))
  await db.insertInto('units').values(units).execute()
  const pupils = [1, 2, 3, 4, 10].map((nr) => ({ nr, name: `P${nr}`, since: `2026-01-0${(nr % 3) + 1} 00:00:00` }))
  await db.insertInto('pupils').values(pupils).execute()
  return db as unknown as Kysely<DB>
}

const admin = { userId: 20, role: 'Admin' }

for (const name of databases) {
  t.test(`payments with a unit, and students with their open payments, on ${name}`, async (t) => {
    const db = await openSchool(t, name)
    const options = defineOptions({
      db,
      resolveRole,
      lists: [unitPayments, students],
      tables: (db) => ({
        ...tablesOf(db),
        payments: tablesOf(db).payments.select(['u.title as unit_name', 'u.nr as unit_no', 'b.due as due_on']),
        students: db
          .selectFrom('pupils as p')
          .select(['p.nr as student_id', 'p.name', 'p.since as enrolled_at'])
          .select((eb) =>
            eb
              .selectFrom('bills as b')
              .whereRef('b.student', '=', 'p.nr')
              .where('b.state', '=', 'open')
              .select(({ fn }) => fn.countAll<number>().as('open'))
              .as('open_payments')
          )
          .$narrowType<{ open_payments: number }>()
      })
    })
    const { find } = createListings(options)
    const byHand = (keeps: (bill: (typeof bills)[number]) => unknown) =>
      bills
        .filter(keeps)
        .sort((a, b) => (a.made < b.made ? 1 : a.made > b.made ? -1 : b.nr - a.nr))
        .map(({ nr }) => String(nr))
    const unitOf = ({ unit }: { unit: number | null }) => (unit === null ? '' : unitNames[unit - 1]) as string
    for (const [query, keeps] of [
      [{}, () => true],
      [{ search: 'park' }, (bill) => unitOf(bill) === 'Park'],
      [{ search: 'B-1' }, ({ code }) => code.includes('B-1')],
      [
        { due_from: '2026-06-03', due_to: '2026-06-05' },
        ({ due }) => due && due >= '2026-06-03' && due <= '2026-06-05'
      ],
      [{ unit_from: 2 }, ({ unit }) => unit !== null && unit >= 2],
      [{ processor_status: 'open', unit_to: 1 }, ({ state, unit }) => state === 'open' && unit === 1]
    ] as [object, (bill: (typeof bills)[number]) => unknown][]) {
      for (const [role, userId, isSeen] of [
        ['Admin', 20, () => true],
        ['User', 2, ({ student }) => student === 2]
      ] as [string, number, (bill: (typeof bills)[number]) => boolean][]) {
        const { items, total } = await find('payments', { caller: { userId, role }, query: { ...query, limit: 100 } })
        const expected = byHand((bill) => keeps(bill) && isSeen(bill))
        t.strictSame(
          [total, items.map(({ payment_id }) => payment_id)],
          [expected.length, expected],
          JSON.stringify(query)
        )
      }
    }
    const open = (student: number) => bills.filter((bill) => bill.student === student && bill.state === 'open').length
    const counts = [1, 2, 3, 4, 10].map((nr) => ({ student_id: String(nr), name: `P${nr}`, open_payments: open(nr) }))
    const ranked = counts.sort(
      (a, b) => b.open_payments - a.open_payments || Number(b.student_id) - Number(a.student_id)
    )
    const found = await find('students', { caller: admin, query: { sort: '-open_payments' } })
    t.strictSame(found.items, ranked)
    const many = await find('students', { caller: admin, query: { open_from: 9, sort: '-open_payments' } })
    t.strictSame(
      many.items,
      ranked.filter(({ open_payments }) => open_payments >= 9)
    )
    const own = await find('students', { caller: { userId: 3, role: 'Student' } })
    t.strictSame(
      own.items,
      ranked.filter(({ student_id }) => student_id === '3')
    )
  })
}

t.test('two versions of a list stand in one server', async (t) => {
  const db = await openSchool(t, 'sqlite')
  const { app, get } = await serve(
    t,
    { db, resolveRole, tables: tablesOf },
    {
      before: (app) =>
        app.register(async (scope) => {
          const { default: listing } = await import('../../src/index.js')
          const { payments: mapped } = tablesOf(db)
          await scope.register(
            listing,
            defineOptions({
              db,
              resolveRole,
              lists: [unitPayments],
              tables: { payments: mapped.select(['u.title as unit_name', 'u.nr as unit_no', 'b.due as due_on']) },
              checkOnReady: 'off'
            })
          )
        })
    }
  )
  await app.ready()
  const [old, fresh] = [await get('/payment/list', admin), await get('/v2/payment/list?unit_from=2', admin)]
  t.equal(old.body.total, 60)
  t.match(fresh.body, { total: 36, payments: [{ payment_id: /\d+/, unitNumber: Number }] })
})

/** Two lists of a host: certificates with an owner and an order of their own, and rooms without a search in users. */
import { sql } from 'kysely'
import type { Test } from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { column, defineList, defineOptions, payments, type RowOf } from '../../src/index.js'
import { type DatabaseName, type Db, dateTime } from './databases.js'
import { type Caller, expected } from './oracle.js'
import { resolveRole, serve } from './server.js'
import { openWorld } from './tables.js'
import { headersOf } from './tokens.js'
import * as world from './world.js'

export const certificates = defineList({
  name: 'certificates',
  path: '/certificate/list',
  key: 'certificates',
  openapi: {
    name: 'Certificate',
    operationId: 'listCertificates',
    summary: 'List certificates',
    description: 'The certificates that the caller may see, newest first.'
  },
  fields: {
    certificate_id: column.id({ examples: ['81'] }),
    holder: { column: 'holder_id', examples: ['17'] },
    email: { column: 'users.email', examples: ['zoe@example.org'] },
    org_names: { column: 'memberships.org_name', examples: [['Acme']] },
    title: column.text({ whenNull: 'null', examples: ['First aid'] }),
    level: column.enum(['basic', 'expert (C++)'], { whenNull: 'null', examples: ['basic', null] }),
    score: column.decimal({ whenNull: 'null', examples: [87.5] }),
    issued_at: column.utcTime({ whenNull: 'error', examples: ['2024-03-01T09:30:00Z'] })
  },
  columns: { holder_id: column.id() },
  id: 'certificate_id',
  owner: 'holder_id',
  newest: 'issued_at',
  search: { columns: ['title', 'users.email'], examples: ['aid'] },
  filters: { level: { examples: ['basic'] }, issued: { column: 'issued_at', range: true } },
  roles: { Individual: 'own', Practitioner: 'linked', 'Master Practitioner': 'linked', Admin: 'all' },
  messages: { found: 'Certificates found.', forbidden: 'You may not see certificates.' }
})

export const rooms = defineList({
  name: 'rooms',
  path: '/room/list',
  key: 'rooms',
  openapi: { name: 'Room', operationId: 'listRooms', summary: 'List rooms', description: 'The rooms.' },
  fields: {
    room_id: column.id({ examples: ['3'] }),
    title: column.text({ examples: ['Blue'] }),
    booked_at: column.wallTime({ whenNull: 'error', examples: ['2024-03-01 09:30:00'] })
  },
  columns: { booked_by: column.id({ whenNull: 'empty' }) },
  id: 'room_id',
  owner: 'booked_by',
  newest: 'booked_at',
  search: { columns: ['title'], examples: ['blue'] },
  filters: { booked: { column: 'booked_at', range: true } },
  roles: { Individual: 'own', Admin: 'all' },
  otherRoles: 'own',
  messages: { found: 'Rooms found.', forbidden: 'You may not see rooms.' }
})

/** The payments with a filter that they do not have, and a range of times. */
export const morePayments = payments.extend({
  fields: { method: { column: 'payment_method', examples: ['card'] } },
  filters: { payment_method: { examples: ['card'] }, created: { column: 'created_at', range: true } }
})

/** The payments, without a search and without a filter. */
export const quietPayments = defineList({
  name: 'payments',
  path: '/quiet/list',
  key: 'data',
  openapi: { name: 'Payment', operationId: 'listQuietly', summary: 'List payments', description: 'The payments.' },
  fields: {
    payment_id: column.id({ examples: ['1'] }),
    user_id: column.id({ whenNull: 'empty', examples: ['17'] })
  },
  columns: { created_at: column.wallTime({ whenNull: 'error' }) },
  id: 'payment_id',
  owner: 'user_id',
  newest: 'created_at',
  roles: { Admin: 'all' },
  otherRoles: 'own',
  messages: { found: 'Found.', forbidden: 'No.' }
})

/** The conformance checks of `quietPayments`, by name, and the reasons of those that are skipped. */
export async function quietChecks(t: Test) {
  const db = await openWorld(t, 'sqlite')
  const { app } = await serve(t, defineOptions({ db, resolveRole, lists: [quietPayments] }))
  const reasons: string[] = []
  const checks = conformance(
    () => ({
      app,
      callers: [
        { name: 'Al', headers: headersOf(world.admin), userId: 20, reach: { payments: 'all' } },
        { name: 'Ada', headers: headersOf(world.individual), userId: 1, reach: { payments: 'own' } }
      ]
    }),
    { lists: [quietPayments] }
  )
  const run = async (name: string) =>
    checks.find((check) => check.name === `payments: ${name}`)?.run({ skip: (reason: string) => reasons.push(reason) })
  return { run, reasons, db }
}

export const hostLists = [morePayments, certificates, rooms] as const

/** Two certificates of each user, and one of somebody who is no user. Some have the same time. */
const certificateRows = [...world.users.map(({ user_id }) => user_id), 77].flatMap((holder_id, index) =>
  [0, 1].map((time) => ({
    certificate_id: index * 2 + time + 1,
    holder_id,
    title: index % 4 === 3 ? null : index % 3 === 0 ? `First aid %${index}` : `Fire_${index}`,
    level: [null, 'basic', 'expert (C++)'][(index + time) % 3] ?? null,
    score: time === 0 ? null : index + 0.5,
    issued_at: `2024-03-0${(index % 4) + 1} 09:3${time}:00`
  }))
)

const roomRows = [1, 2, 10, 20, null].map((booked_by, index) => ({
  room_id: index + 1,
  booked_by,
  title: `Blue ${index}`,
  booked_at: `2024-03-0${(index % 3) + 1} 10:00:00`
}))

/** The rows of the small world and of these lists. */
const hostData = { ...world, certificates: certificateRows, rooms: roomRows }

/** The oracle's answer. The payments have one more field. */
export function expectedOf(url: string, caller: Caller) {
  const { items, ...answer } = expected(url, caller, hostData)
  return {
    ...answer,
    items: url.startsWith('/payment') ? items?.map((item) => ({ ...item, method: item.payment_method })) : items
  }
}

/** Opens the small world with the tables of the lists. The table of the certificates has other names. */
export async function openHostLists(t: Test, name: DatabaseName): Promise<Db> {
  const db = await openWorld(t, name)
  const time = `${dateTime(name)} not null`
  for (const table of [
    `certs (id integer primary key, holder bigint, name varchar(50), level varchar(20), points decimal(8, 2), at ${time})`,
    `rooms (room_id integer primary key, booked_by bigint, title varchar(50), booked_at ${time})`
  ]) {
    await sql.raw(`create table ${table}`).execute(db)
  }
  const certs = certificateRows.map(
    ({ certificate_id: id, holder_id: holder, title, score, issued_at: at, ...row }) => ({
      ...row,
      id,
      holder,
      name: title,
      points: score,
      at
    })
  )
  await db.insertInto('certs').values(certs).execute()
  await db.insertInto('rooms').values(roomRows).execute()
  return db
}

/** The option `tables`. The database of the tests has no types. */
export const hostTables = (db: Db) => ({
  certificates: db
    .selectFrom('certs')
    .select(['id as certificate_id', 'holder as holder_id', 'name as title'])
    .select(['level', 'points as score', 'at as issued_at'])
    .$castTo<RowOf<typeof certificates>>()
})

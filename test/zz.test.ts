import Fastify from 'fastify'
import { sql } from 'kysely'
import t from 'tap'
import { conformance } from '../src/conformance/index.js'
import listing, {
  assessments,
  checkDatabase,
  column,
  defineList,
  type ItemOf,
  listingOptions,
  payments,
  type QueryOf,
  textOfFindings
} from '../src/index.js'
import { certificates, morePayments, rooms } from './support/certificates.js'
import { databases } from './support/databases.js'
import { serve } from './support/server.js'
import { openWorld } from './support/tables.js'
import { admin, individual, practitioner } from './support/world.js'

const q: QueryOf<typeof certificates> = { issued_from: 'x', search: '', level: 'basic' }
const i: ItemOf<typeof certificates>['level'] = null
void q
void i
for (const name of databases)
  t.test(name, async (t) => {
    const db = await openWorld(t, name)
    const dt = name === 'postgres' ? 'timestamp' : 'datetime'
    const s = db.schema
    await s
      .createTable('certs')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('user', 'bigint')
      .addColumn('name', 'varchar(50)')
      .addColumn('level', 'varchar(20)')
      .addColumn('points', 'decimal(8, 2)')
      .addColumn('at', dt as never, (c) => c.notNull())
      .execute()
    await s
      .createTable('rooms')
      .addColumn('room_id', 'integer', (c) => c.primaryKey())
      .addColumn('booked_by', 'bigint')
      .addColumn('title', 'varchar(50)')
      .addColumn('booked_at', dt as never, (c) => c.notNull())
      .execute()
    await db
      .insertInto('certs')
      .values(
        [1, 2, 3, 4].map((id) => ({
          id,
          user: id,
          name: `First aid ${id}`,
          level: id % 2 ? 'basic' : null,
          points: id * 1.5,
          at: `2024-03-0${id} 09:30:00`
        })) as never
      )
      .execute()
    await db
      .insertInto('rooms')
      .values(
        [1, 2, 3].map((id) => ({
          room_id: id,
          booked_by: id === 3 ? null : id,
          title: `Blue ${id}`,
          booked_at: `2024-03-0${id} 09:30:00`
        })) as never
      )
      .execute()
    const tables = (db: any) => ({
      certificates: db
        .selectFrom('certs')
        .select([
          'id as certificate_id',
          'user as holder_id',
          'name as title',
          'level',
          'points as score',
          'at as issued_at'
        ])
    })
    const lists = [assessments, morePayments, certificates, rooms] as const
    console.log(textOfFindings(await checkDatabase({ db: db as never, lists, tables: tables as never })))
    const { get, app } = await serve(t, { db, lists, tables } as never)
    for (const [url, who] of [
      ['/certificate/list', admin],
      ['/certificate/list?search=AID%202', practitioner],
      ['/certificate/list?level=basic&issued_from=2024-03-02', admin],
      ['/certificate/list?issued_from=2024-03-02T09:30:00Z&issued_to=2024-03-03T09:30:00.000Z', admin],
      ['/certificate/list?issued_from=2024-03-02T09:30:00', admin],
      ['/certificate/list?issued_from=2024-02-30', admin],
      ['/certificate/list', { role: 'x', userId: 1 }],
      ['/room/list?search=blue&booked_to=2024-03-02T09:30:01', admin],
      ['/room/list', individual],
      ['/payment/list?payment_method=cash', admin],
      ['/payment/list?created_from=2024-01-01&search=pi_&limit=1', admin],
      ['/payment/list?created_to=2024-01-01&search=pi_&limit=1&page=2', admin]
    ] as const) {
      const a = await get(url, who as never)
      console.log(a.status, url, (who as any).role, a.text.slice(0, 260))
    }
    const as = (sub: string, role: string) => ({ authorization: `Bearer ${(app as any).jwt.sign({ sub, role })}` })
    for (const { name, run } of conformance(
      () => ({
        app,
        callers: [
          {
            name: 'Ada',
            headers: as('1', 'Individual'),
            userId: 1,
            assessments: 'own',
            payments: 'own',
            certificates: 'own',
            rooms: 'own'
          },
          {
            name: 'Pat',
            headers: as('10', 'Practitioner'),
            userId: 10,
            linked: [1, 2],
            assessments: 'linked',
            payments: 'own',
            certificates: 'linked',
            rooms: 'own'
          },
          {
            name: 'No',
            headers: as('30', 'ordinary'),
            userId: 30,
            assessments: 'none',
            payments: 'own',
            certificates: 'none',
            rooms: 'own'
          },
          {
            name: 'Al',
            headers: as('20', 'Admin'),
            userId: 20,
            assessments: 'all',
            payments: 'all',
            certificates: 'all',
            rooms: 'all'
          }
        ]
      }),
      { lists }
    )) {
      await t.resolves(run({ skip: () => undefined }), name)
    }
  })

import t, { type Test } from 'tap'
import { checkDatabase, column } from '../../src/index.js'
import { execute, findings } from '../support/check.js'
import { type DatabaseName, type Db, databases, openDatabase } from '../support/databases.js'
import { lessons, lessonTables, openLessons } from '../support/lessons.js'
import { serve } from '../support/server.js'
import { admin, createTables, payments } from '../support/world.js'

/** The default tables with these creation dates of payments, the last id first. */
async function openWith(t: Test, name: DatabaseName, times: readonly string[], type = 'varchar(40)'): Promise<Db> {
  const db = await openDatabase(t, name)
  await createTables(db)
  if (name === 'mysql') await execute(db, `alter table payments modify created_at ${type} not null`)
  if (name === 'postgres')
    await execute(db, `alter table payments alter created_at type ${type} using created_at::text::${type}`)
  const rows = times.map((created_at, place) => ({
    ...payments[0],
    payment_id: place + 1,
    payment_intent: `pi_${place}`,
    created_at
  }))
  if (rows.length > 0) await db.insertInto('payments').values(rows).execute()
  return db
}

const mixed = (one: string, other: string) =>
  `error data: payments.created_at has texts in the forms ${one} and ${other}, which do not sort by time: write all of them in one form.`

/** Texts whose order is wrong, and their forms. */
const wrong: [times: string[], forms: [string, string]][] = [
  [
    ['2024-03-01T01:00:00.000Z', '2024-03-01 23:00:00'],
    ['YYYY-MM-DDThh:mm:ss.sssZ', 'YYYY-MM-DD hh:mm:ss']
  ],
  [
    ['2024-03-01T01:00:00Z', '2024-03-01T01:00:00.5Z'],
    ['YYYY-MM-DDThh:mm:ssZ', 'YYYY-MM-DDThh:mm:ss.sZ']
  ],
  [
    ['2024-03-01T01:00Z', '2024-03-01T01:00:30'],
    ['YYYY-MM-DDThh:mmZ', 'YYYY-MM-DDThh:mm:ss']
  ],
  [
    ['2024-03-01T01:00:00+02:00', '2024-03-01T00:30:00+01:00'],
    ['YYYY-MM-DDThh:mm:ss+02:00', 'YYYY-MM-DDThh:mm:ss+01:00']
  ],
  [
    ['2024-03-01 01:00:00 -0530', '2024-03-01 01:00:00'],
    ['YYYY-MM-DD hh:mm:ss -0530', 'YYYY-MM-DD hh:mm:ss']
  ],
  [
    ['2024-03-01 01:00:00+02', '2024-03-01'],
    ['YYYY-MM-DD hh:mm:ss+02', 'YYYY-MM-DD']
  ]
]

/** Texts that sort by time. */
const right = [
  ['2024-03-01', '2024-03-01 09:30', '2024-03-01 09:30:00', '2024-03-01 09:30:00.5', '2024-03-01 09:30:00.123456'],
  ['2024-03-01T09:30:00.000Z', '2024-03-01T09:30:00.999Z', '2024-03-01T09:30:00'],
  ['2024-03-01T09:30:00+00:00', '2024-03-01T09:30:00Z', '2024-03-01T09:30:00-0000', '2024-03-01T09:30:00+00'],
  ['2024-03-01T09:30:00+05:30', '2024-03-01T09:30:01+0530'],
  ['2024-03-01 09:30:00 Z', '2024-03-01 09:30:00.5 Z'],
  ['2024-03-01 09:30:00+02:00', '2024-03-01 09:30:00+02', '2024-03-01 09:30:00+0200']
]

for (const name of databases) {
  t.test(`texts of ${name} in forms that do not sort by time stop the boot, and their forms are told`, async (t) => {
    for (const [times, [one, other]] of wrong) {
      const db = await openWith(t, name, times)
      const found = await findings(db)
      t.ok([mixed(one, other), mixed(other, one)].includes(String(found[0])), String(found[0]))
      t.equal(found.length, 1)
    }
  })

  t.test(`texts of ${name} in forms that sort by time are right`, async (t) => {
    for (const times of right) t.strictSame(await findings(await openWith(t, name, times)), [], times.join())
  })
}

t.test('what the forms do to an order', async (t) => {
  const db = await openWith(t, 'sqlite', ['2024-03-01T01:00:00.000Z', '2024-03-01 23:00:00'])
  await t.rejects(serve(t, { db, checkOnReady: 'error' }), { code: 'FST_LISTING_DATABASE_MISFIT' })
  const { get } = await serve(t, { db })
  t.match(await get('/payment/list', admin), { body: { data: [{ payment_id: '1' }, { payment_id: '2' }] } })
})

t.test('times of a type of the database have no forms', async (t) => {
  const times = ['2024-03-01 09:30:00', '2024-03-01 09:30:00.5', '2024-07-01 09:30:00.123']
  for (const [name, type] of [
    ['mysql', 'datetime'],
    ['mysql', 'timestamp(3)'],
    ['mysql', 'date'],
    ['postgres', 'timestamp'],
    ['postgres', 'timestamptz'],
    ['postgres', 'date']
  ] as const) {
    if (!databases.includes(name)) continue
    const db = await openWith(t, name, times, type)
    t.strictSame(
      (await findings(db)).filter((text) => !text.includes(' index ')),
      [],
      `${name} ${type}`
    )
  }
})

t.test('forms are read at both ends of the list, and of the records with the last ids', async (t) => {
  const first = 'select payment_id from payments order by'
  for (const id of [`${first} created_at limit 1`, `${first} created_at desc limit 1`, 'select 3500']) {
    const db = await openWith(t, 'sqlite', [])
    await execute(
      db,
      `insert into payments with recursive n as (select 1 as i union all select i + 1 from n where i < 3500)
        select i, 1, 1, 1, 'pi_' || i, null, 'card', 'paid', 'paid',
          strftime('%Y-%m-%dT%H:%M:%S.000Z', '2024-01-01', ((i * 1777 + 1750) % 3500) || ' minutes') from n`,
      `update payments set created_at = substr(replace(created_at, 'T', ' '), 1, 19) where payment_id = (${id})`
    )
    t.match(
      await checkDatabase({ db }),
      [{ level: 'error', text: /^payments\.created_at has texts in the forms / }],
      id
    )
  }
})

t.test('a time that sorts a list by the parameter sort has one form, too', async (t) => {
  const db = await openLessons(t, 'sqlite')
  await execute(
    db,
    'alter table lessons add column made_at text',
    "update lessons set made_at = case lesson_id % 2 when 0 then '2026-05-01 09:30:00' else '2026-05-01T09:30:00' end"
  )
  const columns = { made_at: column.wallTime({ whenNull: 'error' }) }
  const list = lessons.extend({ columns, sort: ['made_at'] })
  const found = await checkDatabase({ db, lists: [list], tables: lessonTables(db, 'sqlite') as never })
  t.match(
    found.filter(({ level }) => level === 'error'),
    [{ text: /^lessons\.made_at has texts in the forms YYYY-MM-DD.hh:mm:ss and YYYY-MM-DD.hh:mm:ss, which do not/ }]
  )
})

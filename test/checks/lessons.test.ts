/** What the check says of columns that only filters and orders read. */
import { sql } from 'kysely'
import t from 'tap'
import { checkDatabase, column, defineList } from '../../src/index.js'
import { databases, openDatabase } from '../support/databases.js'

const visits = defineList({
  name: 'visits',
  path: '/visit/list',
  key: 'data',
  openapi: { name: 'Visit', operationId: 'listVisits', summary: 'List visits', description: 'The visits.' },
  columns: {
    id: column.id(),
    guest: column.id(),
    minutes: column.integer(),
    title: column.text({ whenNull: 'error' }),
    held: column.boolean(),
    day: column.date(),
    made_at: column.wallTime({ whenNull: 'error' })
  },
  id: 'id',
  owner: 'guest',
  newest: 'made_at',
  sort: ['minutes', 'title'],
  fields: { id: { examples: ['1'] } },
  filters: { held: { examples: [true] }, day: { column: 'day', range: true } },
  roles: { Admin: 'all' },
  messages: { found: 'Found.', forbidden: 'No.' }
})

for (const name of databases) {
  t.test(`columns that only a filter or an order reads are looked at on ${name}`, async (t) => {
    const db = await openDatabase(t, name)
    const text = name === 'sqlite' ? 'text' : 'varchar(20)'
    const time = name === 'postgres' ? 'timestamp' : 'datetime'
    const make = (minutes: string) =>
      sql
        .raw(
          `create table visits (id int primary key, guest int, minutes ${minutes}, title ${text}, held ${text}, day ${text}, made_at ${time})`
        )
        .execute(db)
    const insert = (...rows: object[]) =>
      db
        .insertInto('visits')
        .values(rows.map((row, id) => ({ id, guest: 1, made_at: `2026-01-01 00:00:0${id}`, ...row })))
        .execute()
    const told = async () =>
      (await checkDatabase({ db, lists: [visits] }))
        .filter(({ remedy }) => remedy !== 'indexes')
        .map(({ level, text }) => `${level}: ${text}`)
    const right = { minutes: 45, title: 'a', held: 'true', day: '2026-06-01' }
    await make('int')
    await insert(right, { ...right, held: '1', day: null })
    t.strictSame(await told(), [])
    for (const [wrong, problem] of [
      [{ minutes: null }, 'visits.minutes of id 2 is null'],
      [{ title: null }, 'visits.title of id 2 is null'],
      [{ held: 'yes' }, 'visits.held of id 2 is not 0, 1, true or false'],
      [{ day: '03.01.2026' }, 'visits.day of id 2 is not a date in the form YYYY-MM-DD']
    ] as const) {
      await sql`delete from visits`.execute(db)
      await insert(right, right, { ...right, ...wrong })
      t.match((await told()).join(), `Column ${problem}.`)
    }
    await sql`drop table visits`.execute(db)
    await make(text)
    await insert({ ...right, minutes: '9' }, { ...right, minutes: '10' })
    t.match((await told()).join(), /error: visits\.minutes .*numbers sort as texts: use cast\(/)
  })
}

import { sql } from 'kysely'
import t from 'tap'
import { dialectOf } from '../../../src/database/dialects/index.js'
import { parameterOf } from '../../../src/database/parameter.js'
import { openDatabase } from '../../support/servers/databases.js'
import { withoutDatabase } from '../../support/servers/session.js'

const column = sql.ref('c')

t.test('SQLite compares a time with the days around it, which use the index, and with the instant', async (t) => {
  const db = withoutDatabase('sqlite')
  const days = (operator: '<' | '>=', time: string) =>
    dialectOf(db).compareTime(column, operator, parameterOf(time)).compile(db).parameters
  const [last, first] = ['9999-12-31 23:59:59.999', '2024-03-01 09:30:00.000']
  t.strictSame(days('>=', first), ['2024-02-29', first])
  t.strictSame(days('<', first), ['2024-03-03', first])
  t.strictSame(days('<', last), [':', last], 'after every year')
})

t.test('SQLite finds a time with any zone in a range, and cuts its fraction, but does not round it', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const { compareTime } = dialectOf(db)
  await sql`create table times (c text)`.execute(db)
  const is = async (text: string, operator: '<' | '>=', time: string) => {
    await sql`delete from times`.execute(db)
    await sql`insert into times values (${text})`.execute(db)
    return (
      (await sql`select 1 from times where ${compareTime(column, operator, parameterOf(time))}`.execute(db)).rows
        .length > 0
    )
  }
  for (const [text, instant] of [
    ['2024-03-01 09:30:44.1236', '2024-03-01 09:30:44.123'],
    ['2024-03-01 09:30:29.999612', '2024-03-01 09:30:29.999'],
    ['2024-03-01T09:30:29.9996Z', '2024-03-01 09:30:29.999'],
    ['2024-03-01 09:30:44', '2024-03-01 09:30:44.000'],
    ['2024-03-01 09:30:44.5', '2024-03-01 09:30:44.500'],
    ['2024-03-01T09:30:44.123456+02:00', '2024-03-01 07:30:44.123'],
    ['2024-03-01T09:30:44.1234-0330', '2024-03-01 13:00:44.123'],
    ['2024-03-01 09:30:44+02', '2024-03-01 07:30:44.000'],
    ['2024-03-01 09:30', '2024-03-01 09:30:00.000'],
    ['2024-03-01 09:30+02:00', '2024-03-01 07:30:00.000'],
    ['2024-03-01 09:30+0230', '2024-03-01 07:00:00.000'],
    ['2024-03-01 09:30 +02:30', '2024-03-01 07:00:00.000'],
    ['2024-03-01 09:30-0530', '2024-03-01 15:00:00.000'],
    ['2024-03-01 09:30:44.Z', '2024-03-01 09:30:44.000'],
    ['2024-03-01', '2024-03-01 00:00:00.000'],
    ['2024-03-02T13:00:00+14:00', '2024-03-01 23:00:00.000'],
    ['2024-02-29T20:00:00-12:00', '2024-03-01 08:00:00.000']
  ] as const) {
    const next = new Date(Date.parse(`${instant.replace(' ', 'T')}Z`) + 1).toISOString().slice(0, -1).replace('T', ' ')
    t.ok(await is(text, '>=', instant), `${text} from ${instant}`)
    t.notOk(await is(text, '>=', next), `${text} from ${next}`)
    t.ok(await is(text, '<', next), `${text} to ${next}`)
    if (!/\.\d{3}\d/.test(text)) t.notOk(await is(text, '<', instant), `${text} to ${instant}`)
  }
})

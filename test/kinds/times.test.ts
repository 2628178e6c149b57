import t from 'tap'
import { column, createListings, defineList } from '../../src/index.js'
import { afterDay, time, timeNotation, utc } from '../../src/kinds/times.js'
import { goods } from '../support/fixtures/goods.js'
import { reads, refuses } from '../support/oracle/cells.js'
import { execute } from '../support/oracle/check.js'
import { dateTime, onDatabases, openDatabase } from '../support/servers/databases.js'

const [utcForm, wallForm] = [timeNotation('Z'), timeNotation('')]

t.test('a parameter gives a time with milliseconds, and a day as it is', async (t) => {
  const cases: [text: string, time: string | undefined, read: typeof utcForm][] = [
    ['2024-03-01', '2024-03-01', utcForm],
    ['2024-03-01T09:30:00Z', '2024-03-01 09:30:00.000', utcForm],
    ['2024-03-01T09:30:00.5Z', '2024-03-01 09:30:00.500', utcForm],
    ['2024-03-01T09:30:00.05Z', '2024-03-01 09:30:00.050', utcForm],
    ['2024-03-01T09:30:00.123Z', '2024-03-01 09:30:00.123', utcForm],
    ['2024-03-01T09:30:00', undefined, utcForm],
    ['2024-03-01T09:30:00', '2024-03-01 09:30:00.000', wallForm],
    ['2024-03-01T09:30:00Z', undefined, wallForm],
    ...['2024-03-01T09:30:00.1234Z', '2024-03-01 09:30:00Z', '2024-02-30', '0000-00-00', '2024-3-1', '', 'now'].map(
      (text): [string, undefined, typeof utcForm] => [text, undefined, utcForm]
    )
  ]
  for (const [text, expected, { read }] of cases) t.equal(read(text), expected, text)
})

t.test('a day as the end of a range is the whole day, so only a later start is greater', async (t) => {
  const { isGreater } = wallForm
  for (const [from, to, expected] of [
    ['2024-03-01', '2024-03-01', false],
    ['2024-03-01 23:59:59.999', '2024-03-01', false],
    ['2024-03-02', '2024-03-01', true],
    ['2024-03-02 00:00:00.000', '2024-03-01', true],
    ['2024-03-01', '2024-03-01 00:00:00.000', false],
    ['2024-03-01 00:00:00.001', '2024-03-01 00:00:00.000', true]
  ] as const)
    t.equal(isGreater(from, to), expected, `${from} to ${to}`)
})

t.test('a day is read as it is, and a zero date as null', async (t) => {
  reads(t, column.date(), { '2024-02-29': '2024-02-29', '0000-00-00': '' })
  reads(t, column.date({ whenNull: 'null' }), { '2024-00-00': null })
  const date = column.date({ whenNull: 'error' })
  reads(t, date, { '2024-12-31': '2024-12-31' })
  refuses(t, date, 'is a zero date', '0000-00-00')
  const notADay = 'is not a date in the form YYYY-MM-DD'
  refuses(t, column.date(), notADay, '2024-02-30', '2024-3-1', '1709287200', '')
  refuses(t, column.date(), `${notADay}: select date(…) of a date and time`, '2024-03-01 00:00:00')
})

t.test('a time is read in UTC or as a wall clock shows it, and a zero date as null', async (t) => {
  const [moment, zero, inUtc] = ['2024-03-01 09:30:00', '0000-00-00 00:00:00', '2024-03-01T09:30:00Z']
  reads(t, column.utcTime(), { [moment]: inUtc, [zero]: '' })
  reads(t, column.utcTime({ whenNull: 'null' }), { [moment]: inUtc, '0000-00-00': null })
  refuses(t, column.utcTime({ whenNull: 'error' }), 'is a zero date', '0000-00-00')
  reads(t, column.wallTime(), { [moment]: moment, [zero]: '' })
  reads(t, column.wallTime({ whenNull: 'null' }), { [zero]: null })
  const wallTime = column.wallTime({ whenNull: 'error' })
  reads(t, wallTime, { [moment]: moment })
  refuses(t, wallTime, 'is a zero date', zero)
  const notATime = 'is not a date and time'
  for (const time of [column.utcTime(), wallTime]) refuses(t, time, notATime, 'yesterday', '', 'soon', '20240301093000')
  refuses(t, wallTime, `${notATime}, but looks like a time since 1970: convert it in the select`, '1709287200')
})

onDatabases(t, 'the last day of all, as the end of a range, is the whole day (contract 115)', async (t, name) => {
  const db = await openDatabase(t, name)
  const type = name === 'mysql' ? 'datetime(3)' : dateTime(name)
  await execute(
    db,
    `create table goods (id integer primary key, owner integer, added_at ${type})`,
    `create table users (user_id integer, first_name text, last_name text, email text, avatar_url text)`,
    "insert into goods values (1, 1, '9999-12-31 00:00:00'), (2, 1, '9999-12-31 23:59:59.999')"
  )
  const list = defineList({
    ...goods,
    fields: { id: column.id({ examples: ['1'] }) },
    columns: { owner: column.id(), added_at: column.wallTime({ whenNull: 'error' }) },
    filters: { added: { column: 'added_at', range: true } },
    unshown: ['added_at']
  })
  const { find } = createListings({ db, lists: [list], resolveRole: () => null })
  const totalTo = async (added_to: string) =>
    (await find('goods', { caller: { userId: 1, role: 'Admin' }, query: { added_to } })).total
  t.equal(await totalTo('9999-12-31'), 2)
  t.equal(await totalTo('9999-12-30'), 0)
})

t.test('a time without a zone is copied digit for digit', async (t) => {
  for (const text of [
    ...['2024-02-29 23:59:59', '0001-01-01 00:00:00', '1000-01-01 00:00:00', '9999-12-31 23:59:59'],
    // Some time zones skip these hours in spring.
    ...['2024-03-31 02:30:00', '2024-03-10 02:30:00']
  ]) {
    t.equal(time(text), text)
  }
  for (const text of [
    '2024-03-01T10:20:30',
    ...['', '.5', '.999999999', '.'].map((end) => `2024-03-01 10:20:30${end}`)
  ]) {
    t.equal(time(text), '2024-03-01 10:20:30', text)
  }
  t.equal(time('2024-03-01 10:20'), '2024-03-01 10:20:00')
  t.equal(time('2024-03-01'), '2024-03-01 00:00:00')
})

t.test('a time with a zone is shown in UTC', async (t) => {
  const cases: [text: string, time: string][] = [
    ['2024-03-01T10:20:30Z', '2024-03-01 10:20:30'],
    ['2024-03-01T10:20:30.123Z', '2024-03-01 10:20:30'],
    ['2024-03-01 10:20:30 Z', '2024-03-01 10:20:30'],
    ['2024-03-01 10:20:30+00', '2024-03-01 10:20:30'],
    ['2024-03-01 10:20:30-00:00', '2024-03-01 10:20:30'],
    ['2024-03-01 10:20:30+02', '2024-03-01 08:20:30'],
    ['2024-03-01 10:20:30+0230', '2024-03-01 07:50:30'],
    ['2024-03-01 10:20:30+02:30', '2024-03-01 07:50:30'],
    ['2024-03-01 10:20:30 +02:30', '2024-03-01 07:50:30'],
    ['2024-03-01 10:20:30.75-03:30', '2024-03-01 13:50:30'],
    ['2024-03-01 01:00+02', '2024-02-29 23:00:00'],
    ['2024-12-31T23:30:00-01:00', '2025-01-01 00:30:00'],
    ['0050-01-01 10:00:00+02:00', '0050-01-01 08:00:00']
  ]
  for (const [text, expected] of cases) t.equal(time(text), expected, text)
})

t.test('a zero date, or a date without month or day, counts as null', async (t) => {
  for (const text of [
    ...['0000-00-00', '0000-00-00 00:00:00.000000', '0000-00-00T00:00:00Z', '0000-01-01 00:00:00'],
    ...['2024-00-00 00:00:00', '2024-03-00', '2024-00-01 10:00:00+02:00']
  ]) {
    t.equal(time(text), null, text)
  }
})

t.test('a text that is not a date and time is an error', async (t) => {
  for (const text of [
    ...['', ' ', 'now', '10:20:30', '2024', '2024-03', '24-03-01', '2024-3-1', '12024-03-01 10:20:30', '٢٠٢٤-03-01'],
    ...['2024/03/01', '01.03.2024', '20240301', '1709287200000', 'Fri Mar 01 2024 10:20:30 GMT+0100 (CET)'],
    ...[' 2024-03-01', '2024-03-01\n', '2024-03-01 ', '2024-03-01+02', '2024-03-01 10', '2024-03-01 1:20'],
    ...['2024-03-01  10:20:30', '2024-03-01t10:20:30', '2024-03-01 10:20:30,5', '2024-03-01 10:20:30z'],
    ...['2024-03-01 10:20:30 UTC', '2024-03-01 10:20:30 Europe/Rome'],
    ...['2024-03-01 10:20:30+2', '2024-03-01 10:20:30+02:0'],
    // Times that do not exist.
    ...['02', '04', '06', '09', '11'].map((month) => `2024-${month}-31 12:00:00`),
    ...['2024-13-01 10:20:30', '2024-03-32 10:20:30', '2024-02-30 10:00:00', '2023-02-29 10:00:00'],
    ...['2024-04-31 10:00:00+02:00', '2024-03-01 24:00:00', '2024-03-01 25:20:30', '2024-03-01 10:60:30'],
    ...['2024-03-01 10:20:60', '2024-03-01 10:20:30+02:60', '2024-03-01 10:00:00+24:00', '9999-12-31 23:00:00-05:00']
  ]) {
    t.equal(time(text), undefined, JSON.stringify(text))
  }
})

t.test('a time in UTC has the form of ISO 8601', async (t) => {
  t.equal(utc('2024-03-01 10:20:30'), '2024-03-01T10:20:30Z')
  t.equal(utc(null), null)
})

t.test('the moment after a day, and a time as it is', async (t) => {
  for (const [text, expected] of [
    ['2024-02-28', '2024-02-29 00:00:00'],
    ['2024-12-31', '2025-01-01 00:00:00'],
    ['9999-12-31', '9999-12-31 23:59:59.999999'],
    ['2024-03-01 09:30:00.000', '2024-03-01 09:30:00.000']
  ] as const)
    t.equal(afterDay(text), expected)
})

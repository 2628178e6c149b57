import fc from 'fast-check'
import t from 'tap'
import { afterDay, time, utc } from '../../src/lists/dates-and-numbers.js'

t.test('a time without a zone is copied digit for digit', (t) => {
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
  t.end()
})

t.test('a time with a zone is shown in UTC', (t) => {
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
  t.end()
})

t.test('the same instant gives the same text in every time zone', (t) => {
  const instants = fc.date({
    min: new Date('1970-01-02T00:00:00Z'),
    max: new Date('2099-12-30T00:00:00Z'),
    noInvalidDate: true
  })
  fc.assert(
    fc.property(
      instants,
      fc.integer({ min: -14 * 60, max: 14 * 60 }),
      fc.constantFrom('', ':'),
      (instant, offset, colon) => {
        const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1)
        const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0')
        const zone = `${offset < 0 ? '-' : '+'}${two(offset / 60)}${colon}${two(offset % 60)}`
        return time(`${local}${zone}`) === instant.toISOString().slice(0, 19).replace('T', ' ')
      }
    )
  )
  t.end()
})

t.test('a zero date, or a date without month or day, counts as null', (t) => {
  for (const text of [
    ...['0000-00-00', '0000-00-00 00:00:00.000000', '0000-00-00T00:00:00Z', '0000-01-01 00:00:00'],
    ...['2024-00-00 00:00:00', '2024-03-00', '2024-00-01 10:00:00+02:00']
  ]) {
    t.equal(time(text), null, text)
  }
  t.end()
})

t.test('a text that is not a date and time is an error', (t) => {
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
  t.end()
})

t.test('a time in UTC has the form of ISO 8601', (t) => {
  t.equal(utc('2024-03-01 10:20:30'), '2024-03-01T10:20:30Z')
  t.equal(utc(null), null)
  t.end()
})

t.test('the moment after a day, and a time as it is', (t) => {
  for (const [text, expected] of [
    ['2024-02-28', '2024-02-29 00:00:00'],
    ['2024-12-31', '2025-01-01 00:00:00'],
    ['9999-12-31', '9999-12-31 23:59:59.999999'],
    ['2024-03-01 09:30:00.000', '2024-03-01 09:30:00.000']
  ] as const)
    t.equal(afterDay(text), expected)
  t.end()
})

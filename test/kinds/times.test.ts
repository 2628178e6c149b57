import t from 'tap'
import { timeNotation } from '../../src/kinds/times.js'

const [utcForm, wallForm] = [timeNotation('Z'), timeNotation('')]

t.test('a parameter gives a time with milliseconds, and a day as it is', (t) => {
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
  t.end()
})

t.test('a day as the end of a range is the whole day, so only a later start is greater', (t) => {
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
  t.end()
})

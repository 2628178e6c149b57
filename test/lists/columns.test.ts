/** The values that columns read, and their schemas. `define-list.test.ts` has their types. */
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { UnreadableValue } from '../../src/kinds/dates-and-numbers.js'
import { column, distinctTexts } from '../../src/lists/columns.js'

const options = { description: 'A field.', examples: ['x'] }
const states = ['completed', 'pending'] as const

/** A column of every kind, with everything that a null can become. */
const columns = {
  id: column.id(),
  idOrEmpty: column.id({ whenNull: 'empty' }),
  idOrNull: column.id({ whenNull: 'null' }),
  text: column.text(),
  textOrNull: column.text({ whenNull: 'null' }),
  textOrError: column.text({ whenNull: 'error' }),
  boolean: column.boolean(),
  booleanOrNull: column.boolean({ whenNull: 'null' }),
  date: column.date(),
  dateOrNull: column.date({ whenNull: 'null' }),
  dateOrError: column.date({ whenNull: 'error' }),
  enum: column.enum(states),
  decimal: column.decimal(),
  decimalOrNull: column.decimal({ whenNull: 'null' }),
  integer: column.integer(),
  integerOrNull: column.integer({ whenNull: 'null' }),
  utcTime: column.utcTime(),
  utcTimeOrNull: column.utcTime({ whenNull: 'null' }),
  utcTimeOrError: column.utcTime({ whenNull: 'error' }),
  wallTime: column.wallTime({ whenNull: 'error' }),
  wallTimeOrEmpty: column.wallTime(),
  wallTimeOrNull: column.wallTime({ whenNull: 'null' })
}
type Name = keyof typeof columns

const read = (name: Name, text: string | null): unknown => columns[name].read(text)

/** The reason why a cell cannot be read; undefined if it can be read. */
function problemOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof UnreadableValue) return error.message
    throw error
  }
}

const notADecimal = 'is not a decimal number'
const notAnInteger = 'is not a safe integer'
const notATime = 'is not a date and time'

type Case = [name: Name, text: string | null, value: unknown]
const same = (name: Name, ...texts: string[]) => texts.map((text): Case => [name, text, text])
const ofNull = (value: unknown, ...names: Name[]) => names.map((name): Case => [name, null, value])

t.test('a column reads a value from the text of a cell, and the schema of the column accepts the value', (t) => {
  const cases: Case[] = [
    ...same('id', '4711', '18446744073709551615', '007', 'a-b'),
    ...same('text', 'Zoë', ' a ', ''),
    ...[...same('textOrNull', 'https://cdn/1.png'), ...same('textOrError', '')],
    ...[...same('date', '2024-02-29'), ...same('dateOrError', '2024-12-31'), ...same('enum', 'completed', 'pending')],
    ...[...same('wallTime', '2024-03-01 09:30:00'), ...same('wallTimeOrEmpty', '2024-03-01 09:30:00')],
    ...ofNull('', 'idOrEmpty', 'text', 'date', 'utcTime', 'wallTimeOrEmpty'),
    ...ofNull(null, 'idOrNull', 'textOrNull', 'booleanOrNull', 'dateOrNull', 'decimalOrNull', 'integerOrNull'),
    ...ofNull(null, 'utcTimeOrNull'),
    ...['1', 'true', 't', '\u0001'].map((text): Case => ['boolean', text, true]),
    ...['0', 'false', 'f', '\0'].map((text): Case => ['boolean', text, false]),
    ['date', '0000-00-00', ''],
    ['dateOrNull', '2024-00-00', null],
    ['decimal', '129.50', 129.5],
    ['decimal', '0', 0],
    ['decimal', '-3', -3],
    ['decimal', '10.', 10],
    ['decimal', '1e3', 1000],
    ['decimal', '1.5E-3', 0.0015],
    ['decimal', '1.0e+20', 1e20],
    ['decimalOrNull', '1.5', 1.5],
    ['integer', '2', 2],
    ['integer', '-2', -2],
    ['integer', '2.00', 2],
    ['integer', '2.', 2],
    ['integer', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['utcTime', '2024-03-01 09:30:00', '2024-03-01T09:30:00Z'],
    ['utcTime', '0000-00-00 00:00:00', ''],
    ['utcTimeOrNull', '2024-03-01 09:30:00', '2024-03-01T09:30:00Z'],
    ['utcTimeOrNull', '0000-00-00', null],
    ['wallTimeOrEmpty', '0000-00-00 00:00:00', ''],
    ['wallTimeOrNull', '0000-00-00 00:00:00', null]
  ]
  for (const [name, text, expected] of cases) {
    const value = read(name, text)
    t.strictSame(value, expected, `${name} of ${text}`)
    t.ok(Value.Check(columns[name].schema(options), value))
  }
  t.end()
})

const each = (name: Name, texts: string[], problem: string) =>
  texts.map((text): [name: Name, text: string, problem: string] => [name, text, problem])

t.test('a cell that a column cannot read is an error, which does not contain the cell', (t) => {
  const cases: [name: Name, text: string | null, problem: string][] = [
    ['id', null, 'is null'],
    ['textOrError', null, 'is null'],
    ['boolean', null, 'is null'],
    ...each('boolean', ['', '2', 'TRUE', 'yes', ' 1', 'constructor'], 'is not 0, 1, true or false'),
    ...each('date', ['2024-02-30', '2024-3-1', '1709287200', ''], 'is not a date in the form YYYY-MM-DD'),
    ['date', '2024-03-01 00:00:00', 'is not a date in the form YYYY-MM-DD: select date(…) of a date and time'],
    ['dateOrError', null, 'is null'],
    ['dateOrError', '0000-00-00', 'is a zero date'],
    ['enum', null, 'is null'],
    ['enum', '', 'is not one of completed, pending'],
    ['enum', 'Completed', 'is not one of completed, pending'],
    ['enum', 'completed ', 'is not one of completed, pending'],
    ['decimal', null, 'is null'],
    ...each('decimal', ['', ' ', ' 1', '1,5', '1.2.3', '+1', '.5', '-', 'NaN', 'Infinity', '0x10'], notADecimal),
    ...each('decimal', ['1e999', '1_000', '12abc', '１'], notADecimal),
    ['integer', null, 'is null'],
    ...each('integer', ['', ' ', '1.5', '1e3', '9007199254740992', '-9007199254740992', '0x10', '2\n'], notAnInteger),
    ['integer', '2.00000000000000000001', notAnInteger],
    ['utcTime', 'yesterday', notATime],
    ['utcTimeOrNull', '', notATime],
    ['utcTimeOrError', null, 'is null'],
    ['utcTimeOrError', '0000-00-00', 'is a zero date'],
    ['wallTime', null, 'is null'],
    ['wallTime', '0000-00-00 00:00:00', 'is a zero date'],
    ['wallTime', '20240301093000', notATime],
    ['wallTime', '1709287200', `${notATime}, but looks like a time since 1970: convert it in the select`],
    ['wallTimeOrEmpty', 'soon', notATime]
  ]
  for (const [name, text, problem] of cases) {
    const found = problemOf(() => read(name, text))
    t.equal(found, problem, `${name} of ${JSON.stringify(text)}`)
  }
  t.end()
})

t.test('the schema of a column has a description, and accepts only values of the kind', (t) => {
  const strings = ['completed', 'Completed', 'xpending', 'completed|pending', '']
  const samples = [...strings, null, 1, 1.5, true, ['any'], [null], {}]
  const ofKind: Record<string, unknown[]> = { boolean: [true], enum: ['completed'], decimal: [1, 1.5], integer: [1] }
  for (const [name, { schema }] of Object.entries(columns)) {
    const isOfKind = (sample: unknown) => (ofKind[name.replace('OrNull', '')] ?? strings).some((one) => one === sample)
    for (const sample of samples) {
      const isAccepted = sample === null ? name.endsWith('OrNull') : isOfKind(sample)
      t.equal(Value.Check(schema(options), sample), isAccepted, `${name} and ${JSON.stringify(sample)}`)
    }
    t.match(schema(options), options)
  }
  t.end()
})

t.test('the format of a time accepts an empty text only where a null becomes an empty text', (t) => {
  for (const [name, time, isEmptyAllowed] of [
    ['utcTime', '2024-03-01T09:30:00Z', true],
    ['utcTimeOrNull', '2024-03-01T09:30:00Z', false],
    ['wallTime', '2024-03-01 09:30:00', false],
    ['wallTimeOrEmpty', '2024-03-01 09:30:00', true]
  ] as const) {
    const { format } = columns[name]
    t.ok(format?.test(time), name)
    t.equal(format?.test(''), isEmptyAllowed, name)
    t.notOk(format?.test(`${time} `), name)
  }
  t.equal(columns.text.format, undefined)
  t.end()
})

t.test('the texts of several rows are in code point order, each text once, without nulls', (t) => {
  const cases: [rows: (string | null)[], texts: string[]][] = [
    [[null, null], []],
    [[...'ZA', null, 'Z'], [...'AZ']],
    [[...'aézAZ'], [...'AZazé']],
    [
      ['10', '9', '1'],
      ['1', '10', '9']
    ],
    // In UTF-16 order, the emoji would come before the fullwidth letter.
    [[...'😀Ａ\ue000'], [...'\ue000Ａ😀']]
  ]
  for (const [rows, texts] of cases) t.strictSame(distinctTexts(Object.freeze(rows)), texts, JSON.stringify(rows))
  t.end()
})

t.test('the schema of a column with a few texts takes each character of a text literally', (t) => {
  const texts = ['a.b', 'c++', '(d)', '[e]', '{f}', '^g$', 'h|i', 'j?', 'k*', 'l\\m', 'n-o'] as const
  const schema = column.enum(texts).schema({})
  const accepts = (text: string) => Value.Check(schema, text)
  t.strictSame(texts.filter(accepts), texts)
  t.strictSame(['axb', 'cc', 'd', 'e', 'f', 'g', 'h', 'i', 'a.bc++', 'k', 'kk', 'lm', ''].filter(accepts), [])
  t.end()
})

import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import type { Text } from '../../src/database/driver-samples.js'
import {
  decimal,
  distinctTexts,
  enumeration,
  type Field,
  id,
  integer,
  itemSchema,
  oneOf,
  text,
  textOrNull,
  UnreadableValue,
  utcTime,
  utcTimeOrNull,
  wallTime,
  wallTimeOrEmpty
} from '../../src/lists/fields.js'

const options = { description: 'A field.', examples: ['x'] }
const states = ['completed', 'pending'] as const

/** One field of every kind. */
const fields = {
  id: id('r.payment_id', options),
  text: text('r.licence', options),
  textOrNull: textOrNull('u.avatar_url', options),
  oneOf: oneOf('r.status', states, options),
  decimal: decimal('r.amount', options),
  integer: integer('r.quantity', options),
  utcTime: utcTime('r.date_assignment', options),
  utcTimeOrNull: utcTimeOrNull('r.date_conclusion', options),
  wallTime: wallTime('r.created_at', options),
  wallTimeOrEmpty: wallTimeOrEmpty('r.paid_at', options),
  distinctTexts: distinctTexts('m.org_name', options)
}
type Kind = keyof typeof fields

const read = (kind: Kind, ...texts: [Text, ...Text[]]): unknown => {
  const field: Field = fields[kind]
  return field.read(texts[0], () => texts)
}

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

t.test('a field reads its value from the text of its column, and the schema of the field accepts the value', (t) => {
  const cases: [kind: Kind, text: Text, value: unknown][] = [
    ['id', '4711', '4711'],
    ['id', '18446744073709551615', '18446744073709551615'],
    ['id', '007', '007'],
    ['id', 'a-b', 'a-b'],
    ['text', 'Zoë', 'Zoë'],
    ['text', ' a ', ' a '],
    ['text', '', ''],
    ['text', null, ''],
    ['textOrNull', 'https://cdn/1.png', 'https://cdn/1.png'],
    ['textOrNull', null, null],
    ['oneOf', 'completed', 'completed'],
    ['oneOf', 'pending', 'pending'],
    ['decimal', '129.50', 129.5],
    ['decimal', '0', 0],
    ['decimal', '-3', -3],
    ['decimal', '10.', 10],
    ['decimal', '1e3', 1000],
    ['decimal', '1.5E-3', 0.0015],
    ['decimal', '1.0e+20', 1e20],
    ['integer', '2', 2],
    ['integer', '-2', -2],
    ['integer', '2.00', 2],
    ['integer', '2.', 2],
    ['integer', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['utcTime', '2024-03-01 09:30:00', '2024-03-01T09:30:00Z'],
    ['utcTime', null, ''],
    ['utcTime', '0000-00-00 00:00:00', ''],
    ['utcTimeOrNull', '2024-03-01 09:30:00', '2024-03-01T09:30:00Z'],
    ['utcTimeOrNull', null, null],
    ['utcTimeOrNull', '0000-00-00', null],
    ['wallTime', '2024-03-01 09:30:00', '2024-03-01 09:30:00'],
    ['wallTimeOrEmpty', '2024-03-01 09:30:00', '2024-03-01 09:30:00'],
    ['wallTimeOrEmpty', null, ''],
    ['wallTimeOrEmpty', '0000-00-00 00:00:00', '']
  ]
  for (const [kind, text, expected] of cases) {
    const value = read(kind, text)
    t.strictSame(value, expected, `${kind} of ${text}`)
    t.ok(Value.Check(fields[kind].schema, value))
  }
  t.end()
})

t.test('a cell that a field cannot read is an error', (t) => {
  const cases: [kind: Kind, text: Text, problem: string][] = [
    ['id', null, 'is null'],
    ['oneOf', null, 'is not one of completed, pending'],
    ['oneOf', '', 'is not one of completed, pending'],
    ['oneOf', 'Completed', 'is not one of completed, pending'],
    ['oneOf', 'completed ', 'is not one of completed, pending'],
    ['decimal', null, 'is null'],
    ...['', ' ', ' 1', '1,5', '1.2.3', '+1', '.5', '-', 'NaN', 'Infinity', '0x10', '1e999', '1_000', '12abc', '１'].map(
      (text): [Kind, Text, string] => ['decimal', text, notADecimal]
    ),
    ['integer', null, 'is null'],
    ...[
      '',
      ' ',
      '1.5',
      '1.01',
      '1e3',
      '9007199254740992',
      '-9007199254740992',
      'NaN',
      '0x10',
      '2\n',
      '2.00000000000000000001'
    ].map((text): [Kind, Text, string] => ['integer', text, notAnInteger]),
    ['utcTime', 'yesterday', notATime],
    ['utcTimeOrNull', '', notATime],
    ['wallTime', null, 'is null'],
    ['wallTime', '0000-00-00 00:00:00', 'is a zero date'],
    ['wallTime', '1709287200', notATime],
    ['wallTimeOrEmpty', 'soon', notATime]
  ]
  for (const [kind, text, problem] of cases) {
    t.equal(
      problemOf(() => read(kind, text)),
      problem,
      `${kind} of ${JSON.stringify(text)}`
    )
  }
  t.end()
})

t.test('an error does not contain the cell', (t) => {
  for (const kind of ['oneOf', 'decimal', 'integer', 'utcTime', 'wallTime'] as const) {
    const problem = problemOf(() => read(kind, 'hunter2'))
    t.type(problem, 'string', kind)
    t.notMatch(problem, 'hunter2')
  }
  t.end()
})

t.test('a list of texts has each text once, in code point order, without nulls', (t) => {
  const cases: [rows: [Text, ...Text[]], texts: string[]][] = [
    [[null], []],
    [[null, null], []],
    [['Acme'], ['Acme']],
    [
      ['Zenith', 'Acme', 'Zenith'],
      ['Acme', 'Zenith']
    ],
    [
      ['b', null, 'a'],
      ['a', 'b']
    ],
    [
      ['acme', 'Acme', 'ACME'],
      ['ACME', 'Acme', 'acme']
    ],
    [
      ['é', 'z', 'a', 'Z'],
      ['Z', 'a', 'z', 'é']
    ],
    [
      ['10', '9', '1'],
      ['1', '10', '9']
    ],
    // In UTF-16 order, the emoji would come before the fullwidth letter.
    [
      ['😀', 'Ａ', '\ue000'],
      ['\ue000', 'Ａ', '😀']
    ]
  ]
  for (const [rows, texts] of cases) {
    const given = [...rows]
    t.strictSame(read('distinctTexts', ...rows), texts, JSON.stringify(rows))
    t.strictSame(rows, given, 'the rows are unchanged')
  }
  t.end()
})

t.test('a field has its column and a schema with a description, which accepts only values of its kind', (t) => {
  const samples = ['completed', 'any', '', null, 1, 1.5, true, ['any'], [null], {}]
  const strings = ['completed', 'any', '']
  const kinds: Record<Kind, [column: string, allowed: unknown[]]> = {
    id: ['r.payment_id', strings],
    text: ['r.licence', strings],
    textOrNull: ['u.avatar_url', [...strings, null]],
    oneOf: ['r.status', ['completed']],
    decimal: ['r.amount', [1, 1.5]],
    integer: ['r.quantity', [1]],
    utcTime: ['r.date_assignment', strings],
    utcTimeOrNull: ['r.date_conclusion', [...strings, null]],
    wallTime: ['r.created_at', strings],
    wallTimeOrEmpty: ['r.paid_at', strings],
    distinctTexts: ['m.org_name', [['any']]]
  }
  for (const [kind, { column, schema }] of Object.entries(fields)) {
    const allowed = samples.filter((sample) => Value.Check(schema, sample))
    t.strictSame([column, allowed], kinds[kind as Kind], kind)
    t.match(schema, options)
  }
  t.end()
})

t.test('the schema of oneOf is an enum', (t) => {
  const schema = enumeration(states, options)
  t.match(schema, { ...options, type: 'string', enum: ['completed', 'pending'] })
  for (const state of states) t.ok(Value.Check(schema, state), state)
  for (const other of ['', 'Completed', 'completed ', 'xpending', 'completedpending', 'completed|pending', null, 1]) {
    t.notOk(Value.Check(schema, other), JSON.stringify(other))
  }
  t.end()
})

t.test('the schema of an item requires every field and allows no other', (t) => {
  const schema = itemSchema({ first: fields.text, second: fields.integer })
  t.strictSame(JSON.parse(JSON.stringify(schema)), {
    type: 'object',
    additionalProperties: false,
    required: ['first', 'second'],
    properties: { first: { ...options, type: 'string' }, second: { ...options, type: 'integer' } }
  })
  t.ok(Value.Check(schema, { first: 'a', second: 1 }))
  for (const wrong of [{ first: 'a' }, { first: 'a', second: '1' }, { first: 'a', second: 1, third: 1 }]) {
    t.notOk(Value.Check(schema, wrong), JSON.stringify(wrong))
  }
  t.end()
})

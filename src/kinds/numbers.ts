/** The kinds of numbers, and the boolean. */
import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { alwaysPresent, isLaterText, type KindRules, kindOf, type Notation, refuse } from './kind.js'

function readNumber(text: string, form: RegExp, isExact: (value: number) => boolean, expected: string): number {
  const value = Number(text)
  return form.test(text) && isExact(value) ? value : refuse(`is not ${expected}`)
}

/** A BIT is a character with the code 0 or 1. */
const [yes, no] = [
  ['1', 'true', 't', '\u0001'],
  ['0', 'false', 'f', '\0']
]

const readBoolean = (text: string): boolean =>
  yes.includes(text) || (!no.includes(text) && refuse('is not 0, 1, true or false'))

/** The number in units of its last possible digit. A double holds fewer digits. */
function exact(number: string): bigint {
  const [whole, fraction = ''] = number.split('.')
  return BigInt(whole + fraction.padEnd(10, '0'))
}

/** Every number of this notation fits into `decimal(65, 30)`. */
const numberNotation = (message: Notation['message'], form: RegExp): Notation => ({
  message,
  placeholders: {},
  examples: [10],
  read: (text) => (form.test(text) ? text : undefined),
  isGreater: (one, other) => exact(one) > exact(other)
})

const rangeOf = (isWhole: boolean): NonNullable<KindRules['range']> => ({
  end: '<=',
  ends: { from: 'This number or a greater one.', to: 'This number or a smaller one.' },
  by: (_filter, column) => column,
  compare: (column, operator, value, { compareNumber }) => compareNumber(column, operator, value, isWhole)
})

export const decimal = kindOf({
  name: 'decimal',
  nulls: ['error', 'null'],
  uses: ['sort', 'range', 'present'],
  read: (text) => readNumber(text, /^-?\d+(\.\d*)?(e[+-]?\d+)?$/i, Number.isFinite, 'a decimal number'),
  schema: Type.Number,
  notation: numberNotation('parameterNotNumber', /^-?\d{1,16}(\.\d{1,10})?$/),
  parameter: Type.Number,
  range: rangeOf(false),
  // An empty text that should be a number cannot be read (contract 87).
  presence: alwaysPresent,
  sortedBy: 'item',
  stored: { comparedWith: ['numbers', '1'], as: 'decimal', isNumber: true }
})

export const integer = kindOf({
  ...decimal,
  name: 'integer',
  read: (text) => readNumber(text, /^-?\d+(\.0*)?$/, Number.isSafeInteger, 'a safe integer'),
  schema: Type.Integer,
  notation: numberNotation('parameterNotInteger', /^-?\d{1,16}$/),
  parameter: Type.Integer,
  range: rangeOf(true),
  stored: { comparedWith: ['numbers', '1'], isNumber: true }
})

export const boolean = kindOf({
  name: 'boolean',
  nulls: ['error', 'null'],
  uses: ['equal', 'present'],
  read: readBoolean,
  schema: Type.Boolean,
  notation: {
    message: 'parameterNotAllowed',
    placeholders: { allowed: 'true, false' },
    examples: [true],
    read: (text) => (text === 'true' || text === 'false' ? text : undefined),
    isGreater: isLaterText
  },
  parameter: Type.Boolean,
  closed: ['true', 'false'],
  equals: (column, value, { boolean }) => sql`${boolean(column)} = ${value.bind()}`,
  presence: alwaysPresent,
  // Half of the records have it, so an index would not help either.
  stored: { comparedWith: ['text', 'x'], computed: ['=', 'has'] }
})

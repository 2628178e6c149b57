/** The columns of random lists: kinds, SQL types, and the cells that hold their values. */
import type { DatabaseName } from '../servers/databases.js'
import { type Column, isTime, type Kind } from './oracle.js'
import type { Random } from './random.js'

/** A value is a text, whatever its kind: `true`, `12.50`, `2024-03-01`, `2024-03-01 09:30:00.000`. */
export type Value = string | null

/** How a cell holds a value. */
type Form = 'same' | 'bits' | 'words' | 'enum' | 'seconds' | 'T' | 'TZ' | 'T.Z' | 'zone' | 'zone.' | 'day'

export interface ColumnPlan extends Column {
  type: string
  form: Form
  /** The values of the records, besides null. */
  pool: string[]
  /** Whether every database orders the values alike. */
  isPlain: boolean
}

/** Unusual cells. Each can be left out, with `--without` of test/random/run.ts. */
export const variants = [
  ...['big-integer', 'bit', 'boolean-number', 'boolean-words', 'computed', 'date-text', 'integer-decimal', 'iso-text'],
  ...['milliseconds', 'native-enum', 'small-integer', 'text-bin', 'time-date', 'time-text', 'timestamp', 'uuid'],
  ...['wide-decimal', 'zero-date'],
  // Left out by default: the rules name no date such as 2024-00-00.
  'partial-zero-date'
] as const
export type Variant = (typeof variants)[number]

export interface Context {
  random: Random
  database: DatabaseName
  allows(variant: Variant): boolean
}

const errorFirst = ['error', 'null'] as const
const emptyFirst = ['empty', 'null', 'error'] as const

/** The values of `whenNull`, the default first. */
export const nullsOf: Record<Kind, readonly Column['whenNull'][]> = {
  id: ['error', 'empty', 'null'],
  ...{ enum: errorFirst, decimal: errorFirst, integer: errorFirst, boolean: errorFirst },
  ...{ text: emptyFirst, date: emptyFirst, utcTime: emptyFirst, wallTime: emptyFirst }
}

export const hasRange = (kind: Kind) => isTime(kind) || ['date', 'decimal', 'integer'].includes(kind)
export const hasEquality = (kind: Kind) => ['text', 'enum', 'id'].includes(kind)

/** What a kind is made of on a database. An option without a variant is always allowed. */
interface Option {
  type: string
  form?: Form
  variant?: Variant
  pool: readonly string[]
  isPlain?: boolean
  isNumeric?: boolean
}

/** Values that every database orders alike. */
const plain = (type: string, pool: readonly string[], more?: Partial<Option>): Option => ({
  ...{ type, pool, isPlain: true },
  ...more
})

// No text has the letter e: on some databases `e` finds `é`.
const plainTexts = ['', 'a', 'ab', 'abc', 'b', 'b1', 'ba', 'c', 'd', 'dab', '0', '1', '10', '2', 'x1', 'xy']
const wildTexts = [
  ...plainTexts.slice(0, 4),
  ...['%', '_', '!', "o'b", 'a b', 'a%b', 'a_b', '"a"', '!b', 'é', 'aéb', '日', 'x\\y', ' a', '10%', '50!_']
]
const decimals = ['0.00', '1.50', '-3.25', '12.34', '999.99', '0.01', '100.00', '-0.01', '1234567890.12', '0.10']
const wideDecimals = ['1234567890123456.0000000001', '1234567890123456.0000000002', '-0.0000000001', '0.1', '7']
const integers = ['-5', '0', '1', '2', '30', '45', '60', '90', '120', '32767']
const bigIntegers = ['9007199254740991', '9007199254740990', '-9007199254740991', '0', '30']
const days = ['1999-12-31', '2023-12-31', '2024-01-01', '2024-02-28', '2024-02-29', '2024-03-01', '2024-03-31']
const farDays = ['1000-01-01', '9999-12-31', ...days]
// Some hours do not exist in some time zones.
const clocks = ['00:00:00', '00:00:01', '02:30:00', '09:30:00', '09:30:01', '23:59:59']
const uuids = [
  '0a1b2c3d-0000-4000-8000-00000000000',
  '0a1b2c3d-0000-4000-8000-00000000001',
  'ffffffff-0000-4000-8000-0'
]

const withoutFraction = (days: readonly string[]) => days.flatMap((day) => clocks.map((clock) => `${day} ${clock}.000`))
const seconds = withoutFraction(days)
const farSeconds = withoutFraction(farDays)
const midnights = days.map((day) => `${day} 00:00:00.000`)
const milliseconds = [
  ...seconds.slice(-12),
  ...seconds.slice(-12).flatMap((time) => ['001', '500', '999'].map((fraction) => time.slice(0, 20) + fraction))
]

/** The options of each kind. The first has no variant. */
function optionsOf(kind: Kind, database: DatabaseName): Option[] {
  const on = (...names: DatabaseName[]) => names.includes(database)
  const choices = (holds: boolean, ...options: Option[]) => (holds ? options : [])
  const [bigint, text, word] = on('sqlite') ? ['integer', 'text', 'text'] : ['bigint', 'varchar(60)', 'varchar(10)']
  const truth = (type: string, form: Form, variant?: Variant): Option => ({
    ...{ type, form, pool: ['true', 'false'] },
    ...(variant && { variant })
  })
  switch (kind) {
    case 'id': {
      const numbers = ['1', '2', '3', '10']
      return [
        plain(bigint, ['1', '2', '3', '10', '20', '9007199254740993'], { isNumeric: true }),
        ...choices(on('mysql'), plain('bigint unsigned', numbers, { isNumeric: true })),
        plain(text, ['t1', 't2', 't10', 'k', '7', '07']),
        { type: text, pool: ['u1', 'U1', "o'x", '%', 'x!', 'é1', '2', '02'] },
        plain(
          on('postgres') ? 'uuid' : text,
          uuids.map((start) => start.padEnd(36, '0')),
          { variant: 'uuid' }
        )
      ]
    }
    case 'text':
      return [
        plain(text, plainTexts),
        { type: text, pool: wildTexts },
        ...choices(on('postgres'), plain('text', plainTexts)),
        ...choices(on('mysql'), {
          type: `${text} character set utf8mb4 collate utf8mb4_bin`,
          pool: wildTexts,
          variant: 'text-bin'
        })
      ]
    case 'enum':
      return [
        plain(text, ['a1', 'b2', 'c', 'done', 'open']),
        { type: text, pool: ['basic', 'expert (C++)', "it's", '%', 'é', '[x]'] },
        // Numbers that are equal, and texts that a collation equates.
        { type: text, pool: ['2.1', '2.10', '02.1', '7', '7.0', '1e3'] },
        ...choices(
          on('mysql'),
          { type: `${text} character set utf8mb4 collate utf8mb4_general_ci`, pool: ['🙂', '🙁', '😀', 'b'] },
          {
            type: `${text} character set utf8mb4 collate utf8mb4_unicode_520_ci`,
            pool: ['l', 'ł', 'o', 'ø', 'ae', 'æ']
          }
        ),
        ...choices(!on('sqlite'), {
          type: '',
          form: 'enum',
          pool: ['zulu', 'alpha', "it's", 'x (y)'],
          variant: 'native-enum'
        })
      ]
    case 'decimal':
      return [
        plain('decimal(12, 2)', decimals),
        ...choices(!on('sqlite'), plain('decimal(26, 10)', wideDecimals, { variant: 'wide-decimal' }))
      ]
    case 'integer':
      return [
        plain('integer', integers),
        plain(bigint, bigIntegers, { variant: 'big-integer' }),
        plain('smallint', integers, { variant: 'small-integer' }),
        ...choices(!on('sqlite'), plain('decimal(12, 2)', integers, { variant: 'integer-decimal' }))
      ]
    case 'boolean':
      return [
        truth('boolean', on('postgres') ? 'same' : 'bits'),
        ...choices(on('mysql'), truth('tinyint(1)', 'bits'), truth('bit(1)', 'bits', 'bit')),
        ...choices(on('postgres'), truth('integer', 'bits', 'boolean-number')),
        truth(on('sqlite') ? 'text' : 'varchar(5)', 'words', 'boolean-words')
      ]
    case 'date':
      return [plain('date', farDays), plain(word, farDays, { variant: 'date-text' })]
    default: {
      const type = on('postgres') ? 'timestamp' : 'datetime'
      const isUtc = kind === 'utcTime'
      return [
        plain(type, farSeconds, { form: 'seconds' }),
        plain(on('sqlite') ? 'text' : `${type}(3)`, milliseconds, { variant: 'milliseconds' }),
        plain('date', midnights, { form: 'day', variant: 'time-date' }),
        ...choices(on('mysql'), plain('varchar(19)', farSeconds, { form: 'seconds', variant: 'time-text' })),
        ...choices(
          on('mysql') && isUtc,
          plain('timestamp(3) null default null', milliseconds, { variant: 'timestamp' })
        ),
        ...choices(
          on('postgres') && isUtc,
          plain('timestamptz', milliseconds, { form: 'zone.', variant: 'timestamp' })
        ),
        ...choices(on('sqlite'), plain('text', seconds, { form: 'T', variant: 'iso-text' })),
        ...choices(
          on('sqlite') && isUtc,
          plain('text', seconds, { form: 'TZ', variant: 'iso-text' }),
          plain('text', milliseconds, { form: 'T.Z', variant: 'iso-text' }),
          plain('text', seconds, { form: 'zone', variant: 'iso-text' })
        )
      ]
    }
  }
}

interface Wish {
  /** One of these. The default is any value of the kind. */
  nulls?: readonly Column['whenNull'][]
  /** Whether the list's order needs the column. */
  isOrder?: boolean
}

export function columnOf({ random, database, allows }: Context, kind: Kind, { nulls, isOrder }: Wish = {}): ColumnPlan {
  const whenNull = random.pick(nulls ?? nullsOf[kind])
  const options = optionsOf(kind, database).filter(({ variant }) => !variant || allows(variant))
  const option = random.chance(0.4) ? (options[0] as Option) : random.pick(options)
  const few = random.shuffled(option.pool).slice(0, 1 + random.below(isOrder ? 8 : 6))
  const values = kind === 'enum' && { values: random.shuffled([...few, 'never']) }
  const zeros = kind === 'date' ? ['0000-00-00'] : isTime(kind) ? ['0000-00-00 00:00:00.000'] : []
  if (allows('partial-zero-date')) zeros.push(...zeros.map((zero) => zero.replace('0000-00', '2024-00')))
  const canBeZero = zeros.length > 0 && whenNull !== 'error' && hasZeroDate(option, database) && allows('zero-date')
  const hasZero = canBeZero && random.chance(0.4)
  return {
    ...{ kind, whenNull },
    ...values,
    ...(kind === 'id' && { isNumeric: option.isNumeric ?? false }),
    type: option.type || nativeEnum(few, database),
    form: option.form ?? 'same',
    pool: hasZero ? [...few, random.pick(zeros)] : few,
    isPlain: option.isPlain ?? false
  }
}

/** PostgreSQL refuses a zero date in a column of dates. */
const hasZeroDate = ({ type }: Option, database: DatabaseName) => database !== 'postgres' || type.startsWith('varchar')

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
/** The type of PostgreSQL has the name of its values. */
const nativeEnum = (values: readonly string[], database: DatabaseName) =>
  database === 'mysql'
    ? `enum(${[...values, 'never'].map(quoted).join(', ')})`
    : `"enum_${values.map((value) => value.replace(/\W/g, '')).join('_')}"`
export const enumStatement = ({ type, pool }: ColumnPlan) =>
  `create type ${type} as enum (${[...pool, 'never'].map(quoted).join(', ')})`

const words: Record<string, string[]> = { true: ['true', 't', '1'], false: ['false', 'f', '0'] }
const same = (value: string) => value
const secondsOf = (value: string) => value.slice(0, 19)

const cells: Record<Form, (value: string, row: number) => unknown> = {
  ...{ same, enum: same, seconds: secondsOf },
  bits: (value) => (value === 'true' ? 1 : 0),
  words: (value, row) => words[value]?.[row % 3],
  day: (value) => value.slice(0, 10),
  T: (value) => secondsOf(value).replace(' ', 'T'),
  TZ: (value) => `${secondsOf(value).replace(' ', 'T')}Z`,
  'T.Z': (value) => `${value.replace(' ', 'T')}Z`,
  zone: (value) => `${secondsOf(value)}+00`,
  'zone.': (value) => `${value}+00`
}

/** @param row any number: a column can hold one value in several forms */
export const cellOf = ({ form }: ColumnPlan, value: Value, row: number): unknown =>
  value === null ? null : cells[form](value, row)

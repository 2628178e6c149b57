/** The columns of random lists: kinds, SQL types, and the cells that hold their values. */
import type { DatabaseName } from './databases.js'
import type { Random } from './random.js'

export type Kind = 'id' | 'text' | 'enum' | 'decimal' | 'integer' | 'boolean' | 'date' | 'utcTime' | 'wallTime'
export type WhenNull = 'error' | 'empty' | 'null'

/** A value is a text, whatever its kind: `true`, `12.50`, `2024-03-01`, `2024-03-01 09:30:00.000`. */
export type Value = string | null

/** How a cell holds a value. */
type Form = 'same' | 'bits' | 'words' | 'enum' | 'seconds' | 'T' | 'TZ' | 'T.Z' | 'zone' | 'zone.' | 'day'

export interface ColumnPlan {
  kind: Kind
  whenNull: WhenNull
  /** The values of the kind `enum`. */
  values?: string[]
  /** Whether an id is a number. */
  isNumeric?: boolean
  type: string
  form: Form
  /** The values of the records, besides null. */
  pool: string[]
  /** Whether every database orders the values alike. */
  isPlain: boolean
}

/** Unusual cells. Each can be left out, with `--without` of test/random/run.ts. */
export const variants = [
  'big-integer',
  'bit',
  'boolean-number',
  'boolean-words',
  'computed',
  'date-text',
  'integer-decimal',
  'iso-text',
  'milliseconds',
  'native-enum',
  'small-integer',
  'text-bin',
  'time-date',
  'time-text',
  'timestamp',
  'uuid',
  'wide-decimal',
  'zero-date',
  // Left out by default: the rules name no date such as 2024-00-00.
  'partial-zero-date'
] as const
export type Variant = (typeof variants)[number]

export interface Context {
  random: Random
  database: DatabaseName
  allows(variant: Variant): boolean
}

/** The values of `whenNull`, the default first. */
export const nullsOf: Record<Kind, readonly WhenNull[]> = {
  id: ['error', 'empty', 'null'],
  text: ['empty', 'null', 'error'],
  enum: ['error', 'null'],
  decimal: ['error', 'null'],
  integer: ['error', 'null'],
  boolean: ['error', 'null'],
  date: ['empty', 'null', 'error'],
  utcTime: ['empty', 'null', 'error'],
  wallTime: ['empty', 'null', 'error']
}

export const isTime = (kind: Kind) => kind === 'utcTime' || kind === 'wallTime'
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

// No text has the letter e: on some databases `e` finds `é`.
const plainTexts = ['', 'a', 'ab', 'abc', 'b', 'b1', 'ba', 'c', 'd', 'dab', '0', '1', '10', '2', 'x1', 'xy']
const wildTexts = [
  '%',
  '_',
  '!',
  "o'b",
  'a b',
  'a%b',
  'a_b',
  '"a"',
  '!b',
  'é',
  'aéb',
  '日',
  'x\\y',
  ' a',
  '10%',
  '50!_'
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
const milliseconds = [...seconds.slice(-12), ...seconds.slice(-12).flatMap((time) => [1, 500, 999].map(at(time)))]
function at(time: string) {
  return (fraction: number) => `${time.slice(0, 20)}${String(fraction).padStart(3, '0')}`
}

/** The options of each kind. The first has no variant. */
function optionsOf(kind: Kind, database: DatabaseName): Option[] {
  const isSqlite = database === 'sqlite'
  const isMysql = database === 'mysql'
  const isPostgres = database === 'postgres'
  const choices = (holds: boolean, ...options: Option[]) => (holds ? options : [])
  const [bigint, text] = isSqlite ? ['integer', 'text'] : ['bigint', 'varchar(60)']
  switch (kind) {
    case 'id':
      return [
        { type: bigint, pool: ['1', '2', '3', '10', '20', '9007199254740993'], isPlain: true, isNumeric: true },
        ...choices(isMysql, { type: 'bigint unsigned', pool: ['1', '2', '3', '10'], isPlain: true, isNumeric: true }),
        { type: text, pool: ['t1', 't2', 't10', 'k', '7', '07'], isPlain: true },
        { type: text, pool: ['u1', 'U1', "o'x", '%', 'x!', 'é1', '2', '02'] },
        {
          type: isPostgres ? 'uuid' : text,
          pool: uuids.map((start) => start.padEnd(36, '0')),
          isPlain: true,
          variant: 'uuid'
        }
      ]
    case 'text':
      return [
        { type: text, pool: plainTexts, isPlain: true },
        { type: text, pool: [...plainTexts.slice(0, 4), ...wildTexts] },
        ...choices(isPostgres, { type: 'text', pool: plainTexts, isPlain: true }),
        ...choices(isMysql, {
          type: 'varchar(60) character set utf8mb4 collate utf8mb4_bin',
          pool: [...plainTexts.slice(0, 4), ...wildTexts],
          variant: 'text-bin'
        })
      ]
    case 'enum':
      return [
        { type: text, pool: ['a1', 'b2', 'c', 'done', 'open'], isPlain: true },
        { type: text, pool: ['basic', 'expert (C++)', "it's", '%', 'é', '[x]'] },
        ...choices(!isSqlite, {
          type: '',
          form: 'enum',
          pool: ['zulu', 'alpha', "it's", 'x (y)'],
          variant: 'native-enum'
        })
      ]
    case 'decimal':
      return [
        { type: 'decimal(12, 2)', pool: decimals, isPlain: true },
        ...choices(!isSqlite, { type: 'decimal(26, 10)', pool: wideDecimals, isPlain: true, variant: 'wide-decimal' })
      ]
    case 'integer':
      return [
        { type: 'integer', pool: integers, isPlain: true },
        { type: bigint, pool: bigIntegers, isPlain: true, variant: 'big-integer' },
        { type: 'smallint', pool: integers, isPlain: true, variant: 'small-integer' },
        ...choices(!isSqlite, { type: 'decimal(12, 2)', pool: integers, isPlain: true, variant: 'integer-decimal' })
      ]
    case 'boolean': {
      const pool = ['true', 'false']
      return [
        { type: 'boolean', form: isPostgres ? 'same' : 'bits', pool },
        ...choices(isMysql, { type: 'tinyint(1)', form: 'bits', pool }),
        ...choices(isMysql, { type: 'bit(1)', form: 'bits', pool, variant: 'bit' }),
        ...choices(isPostgres, { type: 'integer', form: 'bits', pool, variant: 'boolean-number' }),
        { type: isSqlite ? 'text' : 'varchar(5)', form: 'words', pool, variant: 'boolean-words' }
      ]
    }
    case 'date':
      return [
        { type: 'date', pool: farDays, isPlain: true },
        { type: isSqlite ? 'text' : 'varchar(10)', pool: farDays, isPlain: true, variant: 'date-text' }
      ]
    default: {
      const type = isPostgres ? 'timestamp' : 'datetime'
      const inUtc = kind === 'utcTime'
      return [
        { type, form: 'seconds', pool: farSeconds, isPlain: true },
        { type: isSqlite ? 'text' : `${type}(3)`, pool: milliseconds, isPlain: true, variant: 'milliseconds' },
        { type: 'date', form: 'day', pool: midnights, isPlain: true, variant: 'time-date' },
        ...choices(isMysql, {
          type: 'varchar(19)',
          form: 'seconds',
          pool: farSeconds,
          isPlain: true,
          variant: 'time-text'
        }),
        ...choices(isMysql && inUtc, {
          type: 'timestamp(3) null default null',
          pool: milliseconds,
          isPlain: true,
          variant: 'timestamp'
        }),
        ...choices(isPostgres && inUtc, {
          type: 'timestamptz',
          form: 'zone.',
          pool: milliseconds,
          isPlain: true,
          variant: 'timestamp'
        }),
        ...choices(isSqlite, { type: 'text', form: 'T', pool: seconds, isPlain: true, variant: 'iso-text' }),
        ...choices(
          isSqlite && inUtc,
          { type: 'text', form: 'TZ', pool: seconds, isPlain: true, variant: 'iso-text' },
          { type: 'text', form: 'T.Z', pool: milliseconds, isPlain: true, variant: 'iso-text' },
          { type: 'text', form: 'zone', pool: seconds, isPlain: true, variant: 'iso-text' }
        )
      ]
    }
  }
}

interface Wish {
  /** One of these. The default is any value of the kind. */
  nulls?: readonly WhenNull[]
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
    kind,
    whenNull,
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

const words = { true: ['true', 't', '1'], false: ['false', 'f', '0'] }

/** @param row any number: a column can hold one value in several forms */
export function cellOf({ form }: ColumnPlan, value: Value, row: number): unknown {
  if (value === null) return null
  const time = value.slice(0, 19)
  switch (form) {
    case 'bits':
      return value === 'true' ? 1 : 0
    case 'words':
      return words[value as 'true' | 'false'][row % 3]
    case 'seconds':
      return time
    case 'day':
      return value.slice(0, 10)
    case 'T':
      return time.replace(' ', 'T')
    case 'TZ':
      return `${time.replace(' ', 'T')}Z`
    case 'T.Z':
      return `${value.replace(' ', 'T')}Z`
    case 'zone':
      return `${time}+00`
    case 'zone.':
      return `${value}+00`
    default:
      return value
  }
}

const places = 10

/** A number with ten more digits, exactly. */
export function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt((whole + fraction.padEnd(places, '0')).replace(/^-0*(?=\d)/, '-'))
}

export function unscaled(number: bigint): string {
  const digits = String(number < 0n ? -number : number).padStart(places + 1, '0')
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0*$/, '')
  return number < 0n ? `-${text}` : text
}

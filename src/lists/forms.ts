/** The forms in which a query string gives a value that is no text. */
import { type SchemaOptions, type TSchema, Type } from '@sinclair/typebox'
import { day, time } from './dates.js'

export interface ParameterForm {
  /** The message of a 400 for another form. */
  readonly message:
    | 'parameterNotTime'
    | 'parameterNotDate'
    | 'parameterNotNumber'
    | 'parameterNotInteger'
    | 'parameterNotAllowed'
  /** The placeholders of the message. */
  readonly placeholders: Readonly<Record<string, string>>
  /** Returns the JSON schema of a value. */
  schema(options: SchemaOptions): TSchema
  /** For JSON schemas. */
  readonly examples: readonly unknown[]
  /** Two values in their order, as a query string has them. */
  readonly order: {
    /** The lesser one. */
    readonly less: string
    /** The greater one. */
    readonly greater: string
  }
  /** What the two ends of a range mean, for people. */
  readonly ends: {
    /** The parameter `…_from`. */
    readonly from: string
    /** The parameter `…_to`. */
    readonly to: string
  }
  /** Returns what the database compares. Undefined for another form, and for a day or a time that does not exist. */
  read(text: string): string | undefined
  /** Compares two values that `read` has returned. */
  isGreater(one: string, other: string): boolean
}

const isLaterText = (one: string, other: string) => one > other

/**
 * `YYYY-MM-DD`, which means the first moment of the day, or `YYYY-MM-DDThh:mm:ss`. Milliseconds are optional, because
 * `toISOString` of JavaScript writes them. The database gets `YYYY-MM-DD hh:mm:ss.mmm`.
 */
function timeForm(zone: '' | 'Z'): ParameterForm {
  const pattern = `^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?${zone})?$`
  const form = new RegExp(pattern)
  return {
    message: 'parameterNotTime',
    placeholders: { day: 'YYYY-MM-DD', time: `YYYY-MM-DDThh:mm:ss${zone}` },
    schema: (options) => Type.String({ pattern, ...options }),
    examples: ['2024-03-01', `2024-03-01T09:30:00${zone}`],
    order: { less: '2024-03-01', greater: '2024-03-02' },
    ends: { from: 'From this time on.', to: 'Before this time.' },
    isGreater: isLaterText,
    read(text) {
      const found = form.test(text) && time(text)
      const milliseconds = /\.(\d+)/.exec(text)?.[1] ?? ''
      return found ? `${found}.${milliseconds.padEnd(3, '0')}` : undefined
    }
  }
}

export const wallForm = timeForm('')
export const utcForm = timeForm('Z')

export const dateForm: ParameterForm = {
  message: 'parameterNotDate',
  placeholders: { day: 'YYYY-MM-DD' },
  schema: (options) => Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', ...options }),
  examples: ['2024-03-01'],
  order: { less: '2024-03-01', greater: '2024-03-02' },
  ends: { from: 'From this day on.', to: 'Up to this day, which is included.' },
  isGreater: isLaterText,
  read: (text) => day(text) ?? undefined
}

/** The number in units of its last possible digit. A double holds fewer digits. */
function exact(number: string): bigint {
  const [whole, fraction = ''] = number.split('.')
  return BigInt(whole + fraction.padEnd(10, '0'))
}

/** Every number of this form fits into `decimal(65, 30)`. */
const numberForm = (
  message: ParameterForm['message'],
  form: RegExp,
  schema: (options: SchemaOptions) => TSchema
): ParameterForm => ({
  message,
  placeholders: {},
  schema,
  examples: [10],
  order: { less: '1', greater: '2' },
  ends: { from: 'This number or a greater one.', to: 'This number or a smaller one.' },
  isGreater: (one, other) => exact(one) > exact(other),
  read: (text) => (form.test(text) ? text : undefined)
})

export const decimalForm = numberForm('parameterNotNumber', /^-?\d{1,16}(\.\d{1,10})?$/, Type.Number)
export const integerForm = numberForm('parameterNotInteger', /^-?\d{1,16}$/, Type.Integer)

export const booleanForm: ParameterForm = {
  message: 'parameterNotAllowed',
  placeholders: { allowed: 'true, false' },
  schema: (options) => Type.Boolean(options),
  examples: [true],
  order: { less: 'false', greater: 'true' },
  ends: { from: '', to: '' },
  isGreater: isLaterText,
  read: (text) => (text === 'true' || text === 'false' ? text : undefined)
}

/** Texts of a client as SQL parameters, and the statements that keep a slot in the place of each text. */
import { CompiledQuery, type RawBuilder, sql } from 'kysely'

/** What SQL can depend on. Texts of the same form give the same SQL. */
export interface Form {
  /** A text that JavaScript reads as a number. */
  readonly isNumber: boolean
  /** A number with an exponent or more than 30 decimals: a double of MySQL or MariaDB, and no DECIMAL of MySQL. */
  readonly isDouble: boolean
  /** A text that a literal of MySQL and MariaDB can hold in every `sql_mode`. */
  readonly isSafe: boolean
  /** A whole number as a column of whole numbers shows it. Its digits are exact in every comparison of numbers. */
  readonly isWhole: boolean
  /** A whole number or a UUID: nothing else equals an exact id (see `Traits`). */
  readonly isExactId: boolean
  /** The text `true`, which chooses between two conditions. */
  readonly isTrue: boolean
}

/** A text of a client. SQL cannot read the text, and so depends on nothing but the form. */
export interface Parameter {
  readonly form: Form
  /** @param make what the driver gets. The default is the text. */
  bind(make?: (text: string) => unknown): RawBuilder<unknown>
}

const itself = (text: string): unknown => text

/** Several texts have one form, so that few statements differ. */
export const formOf = (...texts: readonly string[]): Form => ({
  isNumber: texts.some((text) => !Number.isNaN(Number(text))),
  isDouble: texts.some((text) => /^-?(\d+\.\d{31,}|[\d.]+e[-+]?\d+)$/.test(text)),
  isSafe: texts.every((text) => /^[\w%!@.+: -]*$/.test(text)),
  isWhole: texts.every((text) => /^(0|[1-9]\d{0,14})$/.test(text)),
  isExactId: texts.every((text) => /^(-?\d{1,20}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/.test(text)),
  isTrue: texts[0] === 'true'
})

/** The text itself: a constant, or a text of a statement that runs once. */
export const parameterOf = (text: string, form = formOf(text)): Parameter => ({
  form,
  bind: (make = itself) => sql`${make(text)}`
})

/** The database compares with another text than the client's, of the same form. */
export const changed = ({ form, bind }: Parameter, change: (text: string) => string): Parameter => ({
  form,
  bind: (make = itself) => bind((text) => make(change(text)))
})

/**
 * A placeholder among the parameters of a compiled statement. The cache keeps
 * `… where r.user_id = ? … limit ? offset ?` with the slots `caller`, `take` and `skip`, for which `bindSlots` gives
 * `[7, 12, 12]` for user 7 and page 2 of 12.
 */
export class Slot {
  constructor(
    readonly name: string,
    readonly make: (text: string) => unknown = itself
  ) {}
}

/** A place for the texts of every question of one shape. */
export const slotFor = (name: string, form: Form): Parameter => ({
  form,
  bind: (make) => sql`${new Slot(name, make)}`
})

/** A compiled statement, with slots among its parameters. */
export interface CachedStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Every run needs a new `CompiledQuery`, because the `queryId` identifies a run. */
export const bindSlots = <Row>({ sql, parameters }: CachedStatement, values: Readonly<Record<string, unknown>>) =>
  CompiledQuery.raw(
    sql,
    parameters.map((parameter) =>
      parameter instanceof Slot ? parameter.make(values[parameter.name] as string) : parameter
    )
  ) as CompiledQuery<Row>

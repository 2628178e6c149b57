/** The tables that the lists read. */
import { describe } from '../errors/describe.js'
import { type Rule, unless, unlessRecordOf, type Validate } from '../errors/rule.js'

/**
 * The host's Kysely instance, of any copy of Kysely 0.28 or 0.29. A transaction is not allowed.
 *
 * The type has no `selectFrom`. Annotate a parameter with the type of your instance:
 * `tables: (db: Kysely<DB>) => ({ … })`.
 */
export interface Database {
  readonly isTransaction: boolean
  getExecutor(): object
  destroy(): Promise<void>
}

const isDatabase = (value: unknown): value is Database => {
  const { getExecutor, isTransaction } = (value ?? {}) as Partial<Database>
  return typeof getExecutor === 'function' && isTransaction === false
}

const isTransaction = (value: unknown): boolean => (value as Partial<Database> | null)?.isTransaction === true

export const notDatabase: Validate = (value) => {
  if (isDatabase(value)) return undefined
  if (isTransaction(value)) return 'a transaction (give the instance that it was begun on)'
  return value instanceof Promise ? 'a promise (give the instance that it resolves to)' : describe(value)
}

/** A Kysely select with at least the columns of `Row`. */
export interface Select<Row> {
  readonly isSelectQueryBuilder: true
  readonly expressionType: Row | undefined
  toOperationNode(): object
}

/** The name of a table or view (`members`, `crm.members`), or a Kysely select. */
export type Table<Row> = string | Select<Row>

/** Columns of the `assessments` table. Null values and zero dates become '', or null in `date_conclusion`. */
export interface AssessmentColumns {
  /** Unique. */
  assessment_id: string | number | bigint
  licence: string | null
  assessment_type: string | null
  /** The assessed user. */
  user_id: string | number | bigint | null
  practitioner_id: string | number | bigint | null
  /** `completed`, `pending` or `reserved`. */
  status: string
  date_assignment: Date | string | null
  date_conclusion: Date | string | null
  created_at: Date | string
}

/** Columns of the `payments` table. */
export interface PaymentColumns {
  /** Unique. */
  payment_id: string | number | bigint
  /** The paying user. Null for a guest (contract 66). */
  user_id: string | number | bigint | null
  amount: string | number
  quantity: string | number | bigint
  payment_intent: string | null
  paid_at: Date | string | null
  payment_method: string | null
  payment_status: string | null
  processor_status: string | null
  created_at: Date | string
}

/** Columns of the `users` table, one row per user. */
export interface UserColumns {
  user_id: string | number | bigint
  first_name: string | null
  last_name: string | null
  email: string | null
  avatar_url: string | null
}

/** Columns of the `practitioners` table, one row per practitioner. */
export interface PractitionerColumns {
  practitioner_id: string | number | bigint
  first_name: string | null
  last_name: string | null
}

/** Columns of the `memberships` table, one row per user and organization. */
export interface MembershipColumns {
  user_id: string | number | bigint
  org_name: string | null
}

/** Columns of the `links` table, one row per user who is linked to a practitioner or an institution. */
export interface LinkColumns {
  owner_id: string | number | bigint
  user_id: string | number | bigint
}

/**
 * The tables of the host. Each table defaults to the table of that name, but `practitioners` defaults to `users`.
 *
 * @example
 * tables: {
 *   users: db.selectFrom('members').select(['id as user_id', 'given_name as first_name',
 *     'family_name as last_name', 'mail as email', 'photo as avatar_url'])
 * }
 */
export interface Tables {
  assessments?: Table<AssessmentColumns> | undefined
  payments?: Table<PaymentColumns> | undefined
  users?: Table<UserColumns> | undefined
  practitioners?: Table<PractitionerColumns> | undefined
  memberships?: Table<MembershipColumns> | undefined
  links?: Table<LinkColumns> | undefined
}

/** A method has a bivariant parameter, which accepts the type of the host's own instance. */
interface Callbacks<Db> {
  tablesOf(db: Db): Tables
}

/** Returns the tables for a Kysely instance, with selects of that instance. Called once per instance. */
export type TablesOf<Db extends Database = Database> = Callbacks<Db>['tablesOf']

export type TableName = keyof Tables

export type ColumnsOf<Name extends TableName> =
  Extract<Tables[Name], { expressionType: unknown }> extends Select<infer Row> ? Row : never

/** Other tables refer to a table by its first column. */
export const columnsOf = {
  assessments: [
    'assessment_id',
    'licence',
    'assessment_type',
    'user_id',
    'practitioner_id',
    'status',
    'date_assignment',
    'date_conclusion',
    'created_at'
  ],
  payments: [
    'payment_id',
    'user_id',
    'amount',
    'quantity',
    'payment_intent',
    'paid_at',
    'payment_method',
    'payment_status',
    'processor_status',
    'created_at'
  ],
  users: ['user_id', 'first_name', 'last_name', 'email', 'avatar_url'],
  practitioners: ['practitioner_id', 'first_name', 'last_name'],
  memberships: ['user_id', 'org_name'],
  links: ['owner_id', 'user_id']
} as const satisfies Record<TableName, readonly string[]>

export const recordNames = ['assessments', 'payments'] as const satisfies TableName[]
export type RecordName = (typeof recordNames)[number]

export const tableNames = Object.keys(columnsOf) as TableName[]

/** Rejects `members as m`, which Kysely would parse as an alias. */
const isTable = (value: unknown): boolean => {
  if (typeof value === 'string') return /^[^\s.`"]+(\.[^\s.`"]+)?$/.test(value)
  const { isSelectQueryBuilder, toOperationNode } = (value ?? {}) as Partial<Select<unknown>>
  return isSelectQueryBuilder === true && typeof toOperationNode === 'function'
}

/** For the option `tables` or the result of its function. */
export const tablesRule = {
  expected: `an object of ${tableNames.join(', ')}; each a table name ("members", "crm.members") or a Kysely select`,
  validate: unlessRecordOf(tableNames, unless(isTable))
} satisfies Rule

/** The six tables that the lists read. The host gives each as the name of a table or view, or as a Kysely select. */
import { describe } from '../errors/describe.js'
import { type Rule, unless, unlessRecordOf, type Validate } from '../errors/rule.js'

/**
 * The host's Kysely instance, described by its structure so that any copy and build of Kysely 0.28 or
 * 0.29 fits. Not a transaction: it must answer as long as the server runs.
 *
 * It has no `selectFrom`. A parameter that TypeScript takes for this needs the type of the host's own instance:
 * `tables: (db: Kysely<DB>) => ({ … })`.
 */
export interface Database {
  readonly isTransaction: boolean
  getExecutor(): object
  destroy(): Promise<void>
}

/** Whether a value is a Kysely instance, and not a transaction. */
const isDatabase = (value: unknown): value is Database => {
  const { getExecutor, isTransaction } = (value ?? {}) as Partial<Database>
  return typeof getExecutor === 'function' && isTransaction === false
}

/** Whether a value is a Kysely transaction, also one that is controlled. */
const isTransaction = (value: unknown): boolean => (value as Partial<Database> | null)?.isTransaction === true

/** What came instead of a Kysely instance, and what to change where that is likely. */
export const notDatabase: Validate = (value) => {
  if (isDatabase(value)) return undefined
  if (isTransaction(value)) return 'a transaction (give the instance that it was begun on)'
  return value instanceof Promise ? 'a promise (give the instance that it resolves to)' : describe(value)
}

/** A Kysely select that yields rows with at least these columns. */
export interface Select<Row> {
  readonly isSelectQueryBuilder: true
  readonly expressionType: Row | undefined
  toOperationNode(): object
}

/** A table or view name (`members`, `crm.members`), or a Kysely select. */
export type Table<Row> = string | Select<Row>

/** Columns of the `assessments` table. A null or zero date becomes '', a null text too; `date_conclusion` null. */
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
  /** The paying user; null for a guest, who is then nobody's own. */
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

/** Columns of the `users` table: one row a user. */
export interface UserColumns {
  user_id: string | number | bigint
  first_name: string | null
  last_name: string | null
  email: string | null
  avatar_url: string | null
}

/** Columns of the `practitioners` table: one row a practitioner. */
export interface PractitionerColumns {
  practitioner_id: string | number | bigint
  first_name: string | null
  last_name: string | null
}

/** Columns of the `memberships` table: one row for each organization of a user. */
export interface MembershipColumns {
  user_id: string | number | bigint
  org_name: string | null
}

/** Columns of the `links` table: the users linked to a practitioner or an institution. */
export interface LinkColumns {
  owner_id: string | number | bigint
  user_id: string | number | bigint
}

/**
 * Where the host's data is. What is left out is the table of that name; `practitioners` left out are
 * the users.
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

/** A method, so that a host may write the type of its own Kysely instance. */
interface Callbacks<Db> {
  tablesOf(db: Db): Tables
}

/**
 * Makes the tables from a Kysely instance. It is called once for each instance, and every select in it is made
 * from the instance that it is given.
 */
export type TablesOf<Db extends Database = Database> = Callbacks<Db>['tablesOf']

export type TableName = keyof Tables

/** The row type of a table. */
export type ColumnsOf<Name extends TableName> =
  Extract<Tables[Name], { expressionType: unknown }> extends Select<infer Row> ? Row : never

/** The columns of each table. Other tables refer to a table by its first column. */
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

/** The tables whose records the lists show. */
export const recordNames = ['assessments', 'payments'] as const satisfies TableName[]
export type RecordName = (typeof recordNames)[number]

export const tableNames = Object.keys(columnsOf) as TableName[]

/** `members` or `crm.members`; Kysely would read an alias into ` as `. */
const isTable = (value: unknown): boolean => {
  if (typeof value === 'string') return /^[^\s.`"]+(\.[^\s.`"]+)?$/.test(value)
  const { isSelectQueryBuilder, toOperationNode } = (value ?? {}) as Partial<Select<unknown>>
  return isSelectQueryBuilder === true && typeof toOperationNode === 'function'
}

/** What the option `tables`, or the object that its function returns, must be. */
export const tablesRule = {
  expected: `an object of ${tableNames.join(', ')}; each a table name ("members", "crm.members") or a Kysely select`,
  validate: unlessRecordOf(tableNames, unless(isTable))
} satisfies Rule

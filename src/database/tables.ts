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
  /** Whether the instance is a transaction. */
  readonly isTransaction: boolean
  /** Returns what runs the statements of the instance. */
  getExecutor(): object
  /** Closes the pool. The plugin never calls this method. */
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
  /** What every Kysely select says of itself. */
  readonly isSelectQueryBuilder: true
  /** Carries the type of the select's rows. Always undefined at run time. */
  readonly expressionType: Row | undefined
  /** Returns Kysely's description of the select. */
  toOperationNode(): object
}

/** The name of a table or view (`members`, `crm.members`), or a Kysely select. */
export type Table<Row> = string | Select<Row>

/** Columns of the `assessments` table. Null values and zero dates become '', or null in `date_conclusion`. */
export interface AssessmentColumns {
  /** Id of the assessment. Unique and not null. */
  assessment_id: string | number | bigint
  /** Code of the licence. */
  licence: string | null
  /** Type of the assessment, any text. */
  assessment_type: string | null
  /** Id of the assessed user, as in `users.user_id`. Null for an assessment that is nobody's own. */
  user_id: string | number | bigint | null
  /** Id of the practitioner, as in `practitioners.practitioner_id`. */
  practitioner_id: string | number | bigint | null
  /** `completed`, `pending` or `reserved`. Not null. */
  status: string
  /** Time of the assignment, in UTC where the column has no time zone. */
  date_assignment: Date | string | null
  /** Time of the conclusion, in UTC where the column has no time zone. Null while the assessment is not concluded. */
  date_conclusion: Date | string | null
  /** Time of the creation, which sorts the list. Not null. */
  created_at: Date | string
}

/** Columns of the `payments` table. A null text and a null time become ''. */
export interface PaymentColumns {
  /** Id of the payment. Unique and not null. */
  payment_id: string | number | bigint
  /** Id of the paying user, as in `users.user_id`. Null for a guest (contract 66). */
  user_id: string | number | bigint | null
  /** Decimal amount in whole units of the currency. Not null. */
  amount: string | number
  /** Number of items, a whole number. Not null. */
  quantity: string | number | bigint
  /** Order code at the payment processor. */
  payment_intent: string | null
  /** Wall-clock time of the payment. Null while not paid. */
  paid_at: Date | string | null
  /** Method of the payment, any text. */
  payment_method: string | null
  /** Status in the service, any text. */
  payment_status: string | null
  /** Status at the payment processor, any text. The parameter `processor_status` filters by it. */
  processor_status: string | null
  /** Wall-clock time of the creation, which sorts the list. Not null. */
  created_at: Date | string
}

/** Columns of the `users` table, one row per user. A null text becomes ''. */
export interface UserColumns {
  /** Id of the user. Unique and not null. */
  user_id: string | number | bigint
  /** First name of the user. */
  first_name: string | null
  /** Last name of the user. */
  last_name: string | null
  /** Email address of the user. */
  email: string | null
  /** Address of the user's picture. Null becomes null. */
  avatar_url: string | null
}

/** Columns of the `practitioners` table, one row per practitioner. A null text becomes ''. */
export interface PractitionerColumns {
  /** Id of the practitioner. Unique and not null. */
  practitioner_id: string | number | bigint
  /** First name of the practitioner. */
  first_name: string | null
  /** Last name of the practitioner. */
  last_name: string | null
}

/** Columns of the `memberships` table, one row per user and organization. */
export interface MembershipColumns {
  /** Id of the user, as in `users.user_id`. Not null. */
  user_id: string | number | bigint
  /** Name of the organization. A null name is left out. */
  org_name: string | null
}

/** Columns of the `links` table, one row per user who is linked to a practitioner or an institution. */
export interface LinkColumns {
  /** Id of the practitioner or the institution: the `userId` that `resolveRole` returns. Not null. */
  owner_id: string | number | bigint
  /** Id of the linked user, as in `users.user_id`. Not null. */
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
  /** The assessments. The default is the table `assessments`. */
  assessments?: Table<AssessmentColumns> | undefined
  /** The payments. The default is the table `payments`. */
  payments?: Table<PaymentColumns> | undefined
  /** The users, for names, email addresses and pictures. The default is the table `users`. */
  users?: Table<UserColumns> | undefined
  /** The practitioners, for names. The default is the value of `users`, with `user_id` as `practitioner_id`. */
  practitioners?: Table<PractitionerColumns> | undefined
  /** The organizations of the users. The default is the table `memberships`. */
  memberships?: Table<MembershipColumns> | undefined
  /** The users who are linked to a practitioner or an institution, for the reach `linked`. The default is the table `links`. */
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

/** Where the host's data is: six relations, each a table or view name, or a Kysely select that yields our column names. */

/**
 * The host's Kysely instance, described by its structure so that any copy and build of Kysely 0.28 or
 * 0.29 fits. Not a transaction: it must answer as long as the server runs.
 */
export interface Database {
  readonly isTransaction: boolean
  getExecutor(): object
  destroy(): Promise<void>
}

/** Whether a value is a Kysely instance, and not a transaction. */
export const isDatabase = (value: unknown): value is Database => {
  const { getExecutor, isTransaction } = (value ?? {}) as Partial<Database>
  return typeof getExecutor === 'function' && isTransaction === false
}

/** A Kysely select that yields rows with at least these columns. */
export interface Select<Row> {
  readonly isSelectQueryBuilder: true
  readonly expressionType: Row | undefined
  toOperationNode(): object
}

/** A table or view name (`members`, `crm.members`), or a Kysely select. */
export type Relation<Row> = string | Select<Row>

/** Columns of the `assessments` relation. A null or zero date becomes '', a null text too; `date_conclusion` null. */
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

/** Columns of the `payments` relation. */
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

/** Columns of the `users` relation: one row a user. */
export interface UserColumns {
  user_id: string | number | bigint
  first_name: string | null
  last_name: string | null
  email: string | null
  avatar_url: string | null
}

/** Columns of the `practitioners` relation: one row a practitioner. */
export interface PractitionerColumns {
  practitioner_id: string | number | bigint
  first_name: string | null
  last_name: string | null
}

/** Columns of the `memberships` relation: one row for each organization of a user. */
export interface MembershipColumns {
  user_id: string | number | bigint
  org_name: string | null
}

/** Columns of the `links` relation: the users linked to a practitioner or an institution. */
export interface LinkColumns {
  owner_id: string | number | bigint
  user_id: string | number | bigint
}

/**
 * Where the host's data is. What is left out is the table of that name; `practitioners` left out are
 * the users.
 *
 * @example
 * relations: {
 *   users: db.selectFrom('members').select(['id as user_id', 'given_name as first_name',
 *     'family_name as last_name', 'mail as email', 'photo as avatar_url'])
 * }
 */
export interface Relations {
  assessments?: Relation<AssessmentColumns> | undefined
  payments?: Relation<PaymentColumns> | undefined
  users?: Relation<UserColumns> | undefined
  practitioners?: Relation<PractitionerColumns> | undefined
  memberships?: Relation<MembershipColumns> | undefined
  links?: Relation<LinkColumns> | undefined
}

export type RelationName = keyof Relations

/** Every relation's columns; the first one of a relation is what other relations refer to it by. */
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
} as const satisfies Record<RelationName, readonly string[]>

/** The relations that lists are of. */
export const recordNames = ['assessments', 'payments'] as const satisfies RelationName[]
export type RecordName = (typeof recordNames)[number]

export const relationNames = Object.keys(columnsOf) as RelationName[]

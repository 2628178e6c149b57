/** The tables that the lists read. */
import { type AssessmentColumns, assessments } from '../lists/assessments.js'
import type { Columns } from '../lists/columns.js'
import { type PaymentColumns, payments } from '../lists/payments.js'
import {
  type LinkColumns,
  type MembershipColumns,
  type PractitionerColumns,
  people,
  type UserColumns
} from '../lists/people.js'

/**
 * The host's Kysely instance, of any copy of Kysely 0.28 or 0.29. A transaction is not allowed.
 *
 * The type has no `selectFrom`. Annotate a parameter with the type of your instance:
 * `tables: (db: Kysely<DB>) => ({ … })`.
 */
export interface KyselyInstance {
  /** Whether the instance is a transaction. */
  readonly isTransaction: boolean
  /** Returns what runs the statements of the instance. */
  getExecutor(): object
  /** Closes the pool. The plugin never calls this method. */
  destroy(): Promise<void>
}

/** A Kysely select with at least the columns of `Row`. */
export interface KyselySelect<Row> {
  /** What every Kysely select says of itself. */
  readonly isSelectQueryBuilder: true
  /** Carries the type of the select's rows. Always undefined at run time. */
  readonly expressionType: Row | undefined
  /** Returns Kysely's description of the select. */
  toOperationNode(): object
}

/** The name of a table or view (`members`, `crm.members`), or a Kysely select. */
export type ListingTable<Row> = string | KyselySelect<Row>

/**
 * The tables of the host. Each table defaults to the table of that name, but `practitioners` defaults to `users`.
 *
 * @example
 * tables: {
 *   users: db.selectFrom('members').select(['id as user_id', 'given_name as first_name',
 *     'family_name as last_name', 'mail as email', 'photo as avatar_url'])
 * }
 */
export interface ListingTables {
  /** The assessments. The default is the table `assessments`. */
  assessments?: ListingTable<AssessmentColumns> | undefined
  /** The payments. The default is the table `payments`. */
  payments?: ListingTable<PaymentColumns> | undefined
  /** The users, for names, email addresses and pictures. The default is the table `users`. */
  users?: ListingTable<UserColumns> | undefined
  /** The practitioners, for names. The default is the value of `users`, with `user_id` as `practitioner_id`. */
  practitioners?: ListingTable<PractitionerColumns> | undefined
  /** The organizations of the users. The default is the table `memberships`. */
  memberships?: ListingTable<MembershipColumns> | undefined
  /** The users who are linked to a practitioner or an institution, for the reach `linked`. The default is the table `links`. */
  links?: ListingTable<LinkColumns> | undefined
}

/** Returns the tables for a Kysely instance, with selects of that instance. Called once per instance. */
// A method has a bivariant parameter, which accepts the type of the host's own instance.
export type GetTables<Db extends KyselyInstance = KyselyInstance> = { tablesOf(db: Db): ListingTables }['tablesOf']

export type TableName = keyof ListingTables

/** The kinds of the columns of each table. */
export const kindsOf = {
  assessments: assessments.columns,
  payments: payments.columns,
  ...people
} satisfies Record<TableName, Columns>

/** Other tables refer to a table by its first column. */
export const columnsOf = Object.fromEntries<readonly string[]>(
  Object.entries(kindsOf).map(([table, columns]) => [table, Object.keys(columns)])
) as { readonly [Name in TableName]: readonly (keyof (typeof kindsOf)[Name] & string)[] }

export const tableNames = Object.keys(columnsOf) as TableName[]

/** The tables that the lists read. */
import type { AssessmentColumns } from '../lists/assessments.js'
import type { RowOf } from '../lists/defined-list.js'
import { type List, tablesOf } from '../lists/list.js'
import type { PaymentColumns } from '../lists/payments.js'
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

/** The tables that lists join. Only those that a list uses must exist. */
export interface PeopleTables {
  /** The users, for names, email addresses and pictures. The default is the table `users`. */
  users?: ListingTable<UserColumns> | undefined
  /** The practitioners, for names. The default is the value of `users`, with `user_id` as `practitioner_id`. */
  practitioners?: ListingTable<PractitionerColumns> | undefined
  /** The organizations of the users. The default is the table `memberships`. */
  memberships?: ListingTable<MembershipColumns> | undefined
  /** The users who are linked to a practitioner or an institution, for the reach `linked`. The default is the table `links`. */
  links?: ListingTable<LinkColumns> | undefined
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
export interface ListingTables extends PeopleTables {
  /** The assessments. The default is the table `assessments`. */
  assessments?: ListingTable<AssessmentColumns> | undefined
  /** The payments. The default is the table `payments`. */
  payments?: ListingTable<PaymentColumns> | undefined
}

/** The tables of a host with the option `lists`. */
export type TablesOf<Lists extends readonly List[]> = PeopleTables & {
  [Of in Lists[number] as Of['name']]?: ListingTable<RowOf<Of>> | undefined
}

/** Returns the tables for a Kysely instance, with selects of that instance. Called once per instance. */
// A method has a bivariant parameter, which accepts the type of the host's own instance.
export type GetTables<Db extends KyselyInstance = KyselyInstance, Tables = ListingTables> = {
  tablesOf(db: Db): Tables
}['tablesOf']

/** The tables of a host, by name. */
export type HostTables = Readonly<Record<string, ListingTable<never> | undefined>>

/** The names of the tables that the lists read. */
export function tableNamesOf(lists: readonly List[]): string[] {
  const used = lists.flatMap((list) => Object.values(tablesOf(list)))
  return [...lists.map(({ name }) => name), ...Object.keys(people).filter((name) => used.includes(name))]
}

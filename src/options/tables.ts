/** The option `tables`: its types, and what lists read of the tables. */
import type { HostTables } from '../database/tables.js'
import { linkTablesOf, tablesOf } from '../lists/aliases.js'
import type { CellOf } from '../lists/column.js'
import type { List, ListColumns } from '../lists/list.js'
import type { AssessmentColumns } from '../lists/ready/assessments.js'
import type { PaymentColumns } from '../lists/ready/payments.js'
import {
  type LinkColumns,
  type LinkTableColumns,
  linkTable,
  type MembershipColumns,
  type PractitionerColumns,
  sharedTables,
  type UserColumns
} from '../lists/shared-tables.js'
import type { RowOf } from '../lists/types/defined-list.js'
import type { PropertyOf } from '../lists/types/names.js'

// A host's declarations show the members of a type that its file does not export. An interface would need its name.
/** A Kysely select with at least the columns of `Row`. */
type KyselySelect<Row> = {
  /** What every Kysely select says of itself. */
  readonly isSelectQueryBuilder: true
  /** Carries the type of the select's rows. Always undefined at run time. */
  readonly expressionType: Row | undefined
  /** Returns Kysely's description of the select. */
  toOperationNode(): object
}

/** The name of a table or view (`members`, `crm.members`), or a Kysely select. */
type ListingTable<Row> = string | KyselySelect<Row>

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? All
  : never

/** The rows of the columns that lists add to a joined table. */
type MoreRows<Lists extends readonly List[], Table extends string> = Intersection<
  Lists[number] extends {
    readonly definition: { readonly joined: { readonly [_ in Table]: infer More extends object } }
  }
    ? { -readonly [Name in keyof More as More[Name] extends object ? Name : never]: CellOf<More[Name]> }
    : unknown
>

type LinkTable<Reach> = Reach extends readonly (infer Part)[]
  ? LinkTable<Part>
  : Reach extends { readonly by: infer By extends string }
    ? { name: Exclude<By, 'links'> }
    : never

/** The tables of links that the roles of a definition name. */
type LinkTablesOf<Of> = Of extends { readonly definition: infer Spec }
  ? LinkTable<PropertyOf<Spec, 'roles'>[keyof PropertyOf<Spec, 'roles'>] | PropertyOf<Spec, 'otherRoles'>>
  : never

/** The tables that lists join, with the columns that the lists add. Only those that a list uses must exist. */
type SharedTables<Lists extends readonly List[]> = {
  /** The users, for names, email addresses and pictures. The default is the table `users`. */
  users?: ListingTable<UserColumns & MoreRows<Lists, 'users'>> | undefined
  /** The practitioners, for names. The default is the value of `users`, with `user_id` as `practitioner_id`. */
  practitioners?: ListingTable<PractitionerColumns & MoreRows<Lists, 'practitioners'>> | undefined
  /** The organizations of the users. The default is the table `memberships`. */
  memberships?: ListingTable<MembershipColumns> | undefined
  /** The users linked to a practitioner or institution, for the reach `linked`. The default is the table `links`. */
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
export type ListingTables = SharedTables<readonly []> & {
  /** The assessments. The default is the table `assessments`. */
  assessments?: ListingTable<AssessmentColumns> | undefined
  /** The payments. The default is the table `payments`. */
  payments?: ListingTable<PaymentColumns> | undefined
}

/** The tables of lists. Those of unknown lists may have any columns. */
export type TablesOf<Lists extends readonly List[]> = SharedTables<Lists> & {
  [Of in Lists[number] | LinkTablesOf<Lists[number]> as Of['name']]?:
    | ListingTable<Of extends List ? (string extends Of['name'] ? unknown : RowOf<Of>) : LinkTableColumns>
    | undefined
}

export type TablesOption = HostTables | ((db: never) => HostTables)

/** What lists read: the names of their tables, and the columns of every table that a list may read. */
export function readTablesOf(lists: readonly List[]) {
  const used = lists.flatMap((list) => Object.values(tablesOf(list)))
  const shared = Object.keys(sharedTables)
  const links = [...new Set(lists.flatMap(linkTablesOf))].filter((name) => name !== 'links')
  return {
    names: [...lists.map(({ name }) => name), ...shared.filter((name) => used.includes(name)), ...links],
    columns: Object.fromEntries([
      ...links.map((name) => [name, linkTable]),
      ...shared.map((table) => [table, Object.assign({}, ...lists.map(({ joined }) => joined[table]))]),
      ...lists.map(({ name, columns }) => [name, columns])
    ]) as Readonly<Record<string, ListColumns>>
  }
}

/** The tables that all lists share. */
import { column, type RowsOf } from './column.js'

export const sharedTables = {
  users: {
    /** Id of the user. Unique and not null. */
    user_id: column.id(),
    /** First name of the user. */
    first_name: column.text(),
    /** Last name of the user. */
    last_name: column.text(),
    /** Email address of the user. */
    email: column.text(),
    /** Address of the user's picture. Null becomes null. */
    avatar_url: column.text({ whenNull: 'null' })
  },
  practitioners: {
    /** Id of the practitioner. Unique and not null. */
    practitioner_id: column.id(),
    /** First name of the practitioner. */
    first_name: column.text(),
    /** Last name of the practitioner. */
    last_name: column.text()
  },
  memberships: {
    /** Id of the user, as in `users.user_id`. Not null. */
    user_id: column.id(),
    /** Name of the organization. A null name is left out. */
    org_name: column.text()
  },
  links: {
    /** Id of the practitioner or the institution: the `userId` that `resolveRole` returns. Not null. */
    owner_id: column.id(),
    /**
     * Id of the linked user, as in `users.user_id`. Not null. Statements run in UTC, so where a link ends with a local
     * day, convert it: `(now() at time zone 'Europe/Berlin')::date` in PostgreSQL.
     */
    user_id: column.id()
  }
}

/** The table that a reach names by `by`. */
export const linkTable = { owner_id: column.id(), linked_id: column.id() }

/** Columns of the `users` table, one row per user. A null text becomes ''. */
export interface UserColumns extends RowsOf<typeof sharedTables.users> {
  user_id: string | number | bigint
}

/** Columns of the `practitioners` table, one row per practitioner. A null text becomes ''. */
export interface PractitionerColumns extends RowsOf<typeof sharedTables.practitioners> {
  practitioner_id: string | number | bigint
}

/** Columns of the `memberships` table, one row per user and organization. */
export interface MembershipColumns extends RowsOf<typeof sharedTables.memberships> {
  user_id: string | number | bigint
}

/** Columns of the `links` table, one row per user who is linked to a practitioner or an institution. */
export interface LinkColumns extends RowsOf<typeof sharedTables.links> {
  user_id: string | number | bigint
}

/** Columns of a table that a reach names by `by`, one row per id that is linked to a caller. */
export interface LinkTableColumns extends RowsOf<typeof linkTable> {
  /** Id of the caller: the `userId` that `resolveRole` returns. Not null. */
  owner_id: string | number | bigint
  /** Id that the column of the reach has, such as the id of a clinic. Not null. */
  linked_id: string | number | bigint
}

/** The tables that all lists share. */
import { type ColumnsFor, column } from './columns.js'

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

export const people = {
  users: {
    user_id: column.id(),
    first_name: column.text(),
    last_name: column.text(),
    email: column.text(),
    avatar_url: column.text({ whenNull: 'null' })
  } satisfies ColumnsFor<UserColumns>,

  practitioners: {
    practitioner_id: column.id(),
    first_name: column.text(),
    last_name: column.text()
  } satisfies ColumnsFor<PractitionerColumns>,

  memberships: { user_id: column.id(), org_name: column.text() } satisfies ColumnsFor<MembershipColumns>,

  links: { owner_id: column.id(), user_id: column.id() } satisfies ColumnsFor<LinkColumns>
}

/** The types of the rows that the lists read from each table. */

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

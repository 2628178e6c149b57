/** The public API of the package. */

export { type DatabaseFinding, formatFindings } from './checks/finding.js'
export { checkDatabase } from './checks/index.js'
export { listingMigrations } from './database/migrations.js'
export type { KyselyInstance } from './database/tables.js'
export type { ListingMessages } from './errors/client-texts.js'
export type { FailureKind } from './errors/failure.js'
export { ListingError } from './errors/listing-error.js'
export { createListings, type Listings } from './listings.js'
export { ListErrorBody } from './lists/answer-schemas.js'
export { column, type TypedColumn } from './lists/column.js'
export { defineList } from './lists/define-list.js'
export type { List, ListColumn } from './lists/list.js'
// Each JSON schema and its static type share a name.
export {
  type AssessmentColumns,
  AssessmentItem,
  AssessmentPage,
  AssessmentQuery,
  assessments
} from './lists/ready/assessments.js'
export { type PaymentColumns, PaymentItem, PaymentPage, PaymentQuery, payments } from './lists/ready/payments.js'
export type { AllWhere, LinkedBy, OwnBy, Reach, RoleReach } from './lists/roles.js'
export type {
  LinkColumns,
  LinkTableColumns,
  MembershipColumns,
  PractitionerColumns,
  UserColumns
} from './lists/shared-tables.js'
export type { DefinedList, ItemOf, PageOf, QueryOf, RowOf } from './lists/types/defined-list.js'
export type { WhereOf } from './lists/types/names.js'
export type { ObjectSchema } from './lists/types/object-schema.js'
export type { AfterResult, FindResult } from './lists/types/pages.js'
export {
  type Authenticate,
  defineOptions,
  type ListingCaller,
  type ListingOptions,
  type OptionsOf,
  type ResolveRole
} from './options/options.js'
export type { ListingTables, TablesOf } from './options/tables.js'
export { default, default as listing } from './plugin.js'
export type { ListingCall } from './question/asked/listing-call.js'
export type { ListingStep } from './question/timing.js'

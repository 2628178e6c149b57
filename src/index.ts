/** The public API of the package. */

export { type DatabaseFinding, textOfFindings } from './checks/finding.js'
export { checkDatabase } from './checks/index.js'
export { listingMigrations } from './database/migrations.js'
export type { GetTables, KyselyInstance, KyselySelect, ListingTable, ListingTables } from './database/tables.js'
export type { ListingStep } from './http/timing.js'
// Each JSON schema and its static type share a name.
export { type AssessmentColumns, AssessmentItem, AssessmentPage, AssessmentQuery } from './lists/assessments.js'
export type { ListingMessages } from './lists/messages.js'
export { type PaymentColumns, PaymentItem, PaymentPage, PaymentQuery } from './lists/payments.js'
export type { LinkColumns, MembershipColumns, PractitionerColumns, UserColumns } from './lists/people.js'
export type { Reach } from './lists/reach.js'
export { ListErrorBody } from './lists/schemas.js'
export type {
  Authenticate,
  GetDatabase,
  ListingCaller,
  ListingOptions,
  ResolveRole
} from './options/options.js'
export { default, default as listing } from './plugin.js'

/** The public API of the package. */

export { type Finding, textOfFindings } from './checks/finding.js'
export { checkDatabase } from './checks/index.js'
export { migrations } from './database/migrations.js'
export type { Database, Select, Table, Tables, TablesOf } from './database/tables.js'
export type { StepTiming } from './http/timing.js'
// Each JSON schema and its static type share a name.
export { type AssessmentColumns, AssessmentItem, AssessmentPage, AssessmentQuery } from './lists/assessments.js'
export type { Messages } from './lists/messages.js'
export { type PaymentColumns, PaymentItem, PaymentPage, PaymentQuery } from './lists/payments.js'
export type { LinkColumns, MembershipColumns, PractitionerColumns, UserColumns } from './lists/people.js'
export type { Reach } from './lists/reach.js'
export { ErrorBody } from './lists/schemas.js'
export type {
  Authenticate,
  CallerAnswer,
  DatabaseOf,
  ListingOptions,
  OwnMessages,
  Reaches,
  ResolveRole
} from './options/options.js'
export { default, default as listing } from './plugin.js'

/** The public face: everything that we promise, and nothing else. */

// JSON schemas of what goes over the wire, each with its static type under the same name
export { AssessmentItem, AssessmentPage, AssessmentQuery } from './assessments.js'
// The start-up check, for scripts
export { type Finding, textOfFindings } from './checks/finding.js'
export { checkDatabase } from './checks/index.js'
export { ErrorBody } from './envelope.js'
// For operators
export { checkHealth, type Health } from './health.js'
export type { Messages } from './messages.js'
// Default tables
export { migrations } from './migrations.js'
// Options
export type {
  Authenticate,
  CallerAnswer,
  DatabaseOf,
  ListingOptions,
  OwnMessages,
  Reaches,
  ResolveRole
} from './options.js'
export { PaymentItem, PaymentPage, PaymentQuery } from './payments.js'
export { default, default as listing } from './plugin.js'
export type {
  AssessmentColumns,
  Database,
  LinkColumns,
  MembershipColumns,
  PaymentColumns,
  PractitionerColumns,
  Relation,
  Relations,
  Select,
  UserColumns
} from './relations.js'
export { securitySchemes } from './schema.js'
export type { StepTiming } from './timing.js'
export type { Reach } from './visibility.js'

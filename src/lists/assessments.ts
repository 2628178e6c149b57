/** The list `GET /assessment/list` (contract 1). */
import { Type } from '@sinclair/typebox'
import { distinctTexts, enumeration, id, oneOf, text, textOrNull, utcTime, utcTimeOrNull } from './fields.js'
import { defineList } from './list.js'
import { maxTextLength, type Page, type PageParameters } from './schemas.js'

const states = ['completed', 'pending', 'reserved'] as const

const parameters = {
  search: Type.String({
    maxLength: maxTextLength,
    description:
      "Stands anywhere in the user's first name, last name or email; literal text, ASCII letters in either case. Empty matches every assessment.",
    examples: ['an']
  }),
  status: Type.Optional(
    enumeration(states, { description: 'Only assessments in this state.', examples: ['completed'] })
  )
}

const fields = {
  assessment_id: id('r.assessment_id', { examples: ['4711'] }),
  licence: text('r.licence', { description: 'Licence code.', examples: ['LIC-2024-0815'] }),
  assessment_type: text('r.assessment_type', { examples: ['personality'] }),
  user_id: text('r.user_id', { description: 'The assessed user.', examples: ['17'] }),
  first_name: text('u.first_name', { description: 'Of the assessed user.', examples: ['Zoë'] }),
  last_name: text('u.last_name', { description: 'Of the assessed user.', examples: ["O'Brien"] }),
  email: text('u.email', { description: 'Of the assessed user.', examples: ['zoe.obrien@example.org'] }),
  avatarUrl: textOrNull('u.avatar_url', {
    description: 'Of the assessed user; null when there is none.',
    examples: ['https://cdn.example.org/17.png']
  }),
  practitioner_id: text('r.practitioner_id', { examples: ['3'] }),
  practitioner_first_name: text('p.first_name', { examples: ['Amélie'] }),
  practitioner_last_name: text('p.last_name', { examples: ['Nguyen'] }),
  org_names: distinctTexts('m.org_name', {
    description: 'Names of the organizations of the user, each once.',
    examples: [['Acme', 'Zenith']]
  }),
  status: oneOf('r.status', states, { examples: ['completed'] }),
  date_assignment: utcTime('r.date_assignment', {
    description: 'UTC, `YYYY-MM-DDThh:mm:ssZ`; empty when not known.',
    examples: ['2024-03-01T09:30:00Z']
  }),
  date_conclusion: utcTimeOrNull('r.date_conclusion', {
    description: 'UTC, `YYYY-MM-DDThh:mm:ssZ`; null while the assessment is not concluded.',
    examples: ['2024-03-02T16:05:00Z']
  })
}

export const assessments = defineList('assessments', 'Assessment', {
  path: '/assessment/list',
  operationId: 'listAssessments',
  summary: 'Search assessments',
  description: 'The assessments that the caller may see, newest first.',
  key: 'assessments',
  parameters,
  fields,

  roles: {
    Individual: 'own',
    Practitioner: 'linked',
    'Master Practitioner': 'linked',
    Institutional: 'linked',
    Admin: 'all',
    'Super Admin': 'all'
  },
  otherRoles: 'none',

  search: { records: [], users: ['first_name', 'last_name', 'email'] },
  filters: { status: 'status' }
})

/** The query of `GET /assessment/list` with default paging, as a JSON schema and a type (contract 8 to 23). */
export const AssessmentQuery = assessments.query
export type AssessmentQuery = PageParameters & {
  /**
   * Part of the user's first name, last name or email, of at most 256 characters. The text is literal, and ASCII letters
   * match in either case. An empty text matches every assessment.
   */
  search: string
  /** Only assessments with exactly this status. The default is every status. */
  status?: AssessmentItem['status']
}

/** An assessment in an answer, as a JSON schema and a type (contract 33 to 48). */
export const AssessmentItem = assessments.item
export type AssessmentItem = {
  /** Id of the assessment. From `assessments.assessment_id`. */
  assessment_id: string
  /** Code of the licence, or empty. From `assessments.licence`. */
  licence: string
  /** Type of the assessment, such as `personality`, or empty. From `assessments.assessment_type`. */
  assessment_type: string
  /** Id of the assessed user, or empty. From `assessments.user_id`. */
  user_id: string
  /** First name of the assessed user, or empty. From `users.first_name`. */
  first_name: string
  /** Last name of the assessed user, or empty. From `users.last_name`. */
  last_name: string
  /** Email address of the assessed user, or empty. From `users.email`. */
  email: string
  /** Picture of the assessed user. Null without a picture. From `users.avatar_url`. */
  avatarUrl: string | null
  /** Id of the practitioner, or empty. From `assessments.practitioner_id`. */
  practitioner_id: string
  /** First name of the practitioner, or empty. From `practitioners.first_name`. */
  practitioner_first_name: string
  /** Last name of the practitioner, or empty. From `practitioners.last_name`. */
  practitioner_last_name: string
  /**
   * Names of the organizations of the assessed user, each once, in the order of their code points. Empty for a user
   * without organizations. From `memberships.org_name`.
   */
  org_names: string[]
  /** State of the assessment. From `assessments.status`. */
  status: (typeof states)[number]
  /** Time of the assignment in UTC, `YYYY-MM-DDThh:mm:ssZ`, or empty. From `assessments.date_assignment`. */
  date_assignment: string
  /**
   * Time of the conclusion in UTC, `YYYY-MM-DDThh:mm:ssZ`. Null while the assessment is not concluded. From
   * `assessments.date_conclusion`.
   */
  date_conclusion: string | null
}

/** A 200 answer of `GET /assessment/list`, as a JSON schema and a type (contract 26 to 31). */
export const AssessmentPage = assessments.answer
export type AssessmentPage = Page & {
  /** The assessments of this page, newest first. Empty for a page past the end. */
  assessments: AssessmentItem[]
}

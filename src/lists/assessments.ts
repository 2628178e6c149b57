/** The definition of the assessments (contract 1). */
import { type ColumnsFor, column } from './columns.js'
import { defineList } from './define-list.js'
import type { PageParameters } from './paging.js'
import type { PageProperties } from './schemas.js'

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

/** The list `GET /assessment/list`. */
export const assessments = defineList({
  name: 'assessments',
  path: '/assessment/list',
  key: 'assessments',
  openapi: {
    name: 'Assessment',
    operationId: 'listAssessments',
    summary: 'Search assessments',
    description: 'The assessments that the caller may see, newest first.'
  },

  columns: {
    assessment_id: column.id(),
    licence: column.text(),
    assessment_type: column.text(),
    user_id: column.id({ whenNull: 'empty' }),
    practitioner_id: column.id({ whenNull: 'empty' }),
    status: column.enum(['completed', 'pending', 'reserved']),
    date_assignment: column.utcTime(),
    date_conclusion: column.utcTime({ whenNull: 'null' }),
    created_at: column.wallTime({ whenNull: 'error' })
  } satisfies ColumnsFor<AssessmentColumns>,
  id: 'assessment_id',
  owner: 'user_id',
  practitioner: 'practitioner_id',
  newest: 'created_at',

  fields: {
    assessment_id: { examples: ['4711'] },
    licence: { description: 'Licence code.', examples: ['LIC-2024-0815'] },
    assessment_type: { examples: ['personality'] },
    user_id: { description: 'The assessed user.', examples: ['17'] },
    first_name: { column: 'users.first_name', description: 'Of the assessed user.', examples: ['Zoë'] },
    last_name: { column: 'users.last_name', description: 'Of the assessed user.', examples: ["O'Brien"] },
    email: { column: 'users.email', description: 'Of the assessed user.', examples: ['zoe.obrien@example.org'] },
    avatarUrl: {
      column: 'users.avatar_url',
      description: 'Of the assessed user; null when there is none.',
      examples: ['https://cdn.example.org/17.png']
    },
    practitioner_id: { examples: ['3'] },
    practitioner_first_name: { column: 'practitioners.first_name', examples: ['Amélie'] },
    practitioner_last_name: { column: 'practitioners.last_name', examples: ['Nguyen'] },
    org_names: {
      column: 'memberships.org_name',
      description: 'Names of the organizations of the user, each once.',
      examples: [['Acme', 'Zenith']]
    },
    status: { examples: ['completed'] },
    date_assignment: {
      description: 'UTC, `YYYY-MM-DDThh:mm:ssZ`; empty when not known.',
      examples: ['2024-03-01T09:30:00Z']
    },
    date_conclusion: {
      description: 'UTC, `YYYY-MM-DDThh:mm:ssZ`; null while the assessment is not concluded.',
      examples: ['2024-03-02T16:05:00Z']
    }
  },
  search: {
    columns: ['users.first_name', 'users.last_name', 'users.email'],
    required: true,
    description:
      "Stands anywhere in the user's first name, last name or email; literal text, ASCII letters in either case. Empty matches every assessment.",
    examples: ['an']
  },
  filters: { status: { description: 'Only assessments in this state.', examples: ['completed'] } },

  roles: {
    Individual: 'own',
    Practitioner: 'linked',
    'Master Practitioner': 'linked',
    Institutional: 'linked',
    Admin: 'all',
    'Super Admin': 'all'
  },
  otherRoles: 'none',

  messages: {
    found: 'Assessments retrieved successfully.',
    forbidden: 'You do not have permission to access these assessments.'
  }
})

/** The query of `GET /assessment/list` with default paging, as a JSON schema and a type (contract 8 to 23). */
export const AssessmentQuery: (typeof assessments)['query'] = assessments.query
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
export const AssessmentItem: (typeof assessments)['item'] = assessments.item
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
  status: 'completed' | 'pending' | 'reserved'
  /** Time of the assignment in UTC, `YYYY-MM-DDThh:mm:ssZ`, or empty. From `assessments.date_assignment`. */
  date_assignment: string
  /**
   * Time of the conclusion in UTC, `YYYY-MM-DDThh:mm:ssZ`. Null while the assessment is not concluded. From
   * `assessments.date_conclusion`.
   */
  date_conclusion: string | null
}

/** A 200 answer of `GET /assessment/list`, as a JSON schema and a type (contract 26 to 31). */
export const AssessmentPage: (typeof assessments)['page'] = assessments.page
export type AssessmentPage = PageProperties & {
  /** The assessments of this page, newest first. Empty for a page past the end. */
  assessments: AssessmentItem[]
}

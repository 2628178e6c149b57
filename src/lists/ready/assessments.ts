/** The definition of the assessments (contract 1). */
import { column, type RowsOf } from '../column.js'
import { defineList } from '../define-list.js'
import type { ItemOf, QueryOf } from '../types/defined-list.js'
import type { PageProperties } from '../types/pages.js'

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

  fields: {
    /** Id of the assessment. Unique and not null. */
    assessment_id: column.id({ examples: ['4711'] }),
    /** Code of the licence. A null is empty in an item. */
    licence: column.text({ description: 'Licence code.', examples: ['LIC-2024-0815'] }),
    /** Type of the assessment, any text such as `personality`. A null is empty in an item. */
    assessment_type: column.text({ examples: ['personality'] }),
    /** Id of the assessed user, as in `users.user_id`. Null, and empty in an item, for an assessment of nobody. */
    user_id: column.id({ whenNull: 'empty', description: 'The assessed user.', examples: ['17'] }),
    /** First name of the assessed user, or empty. From `users.first_name`. */
    first_name: { column: 'users.first_name', description: 'Of the assessed user.', examples: ['Zoë'] },
    /** Last name of the assessed user, or empty. From `users.last_name`. */
    last_name: { column: 'users.last_name', description: 'Of the assessed user.', examples: ["O'Brien"] },
    /** Email address of the assessed user, or empty. From `users.email`. */
    email: { column: 'users.email', description: 'Of the assessed user.', examples: ['zoe.obrien@example.org'] },
    /** Picture of the assessed user. Null without a picture. From `users.avatar_url`. */
    avatarUrl: {
      column: 'users.avatar_url',
      description: 'Of the assessed user; null when there is none.',
      examples: ['https://cdn.example.org/17.png']
    },
    /** Id of the practitioner, as in `practitioners.practitioner_id`. A null is empty in an item. */
    practitioner_id: column.id({ whenNull: 'empty', examples: ['3'] }),
    /** First name of the practitioner, or empty. From `practitioners.first_name`. */
    practitioner_first_name: { column: 'practitioners.first_name', examples: ['Amélie'] },
    /** Last name of the practitioner, or empty. From `practitioners.last_name`. */
    practitioner_last_name: { column: 'practitioners.last_name', examples: ['Nguyen'] },
    /** Organizations of the assessed user, each once, by code point. Empty without any. From `memberships.org_name`. */
    org_names: {
      column: 'memberships.org_name',
      description: 'Names of the organizations of the user, each once.',
      examples: [['Acme', 'Zenith']]
    },
    /** State of the assessment: `completed`, `pending` or `reserved`. Not null. */
    status: column.enum(['completed', 'pending', 'reserved'], { examples: ['completed'] }),
    /** Time of the assignment, in UTC where the column has no time zone, `YYYY-MM-DDThh:mm:ssZ` or empty in an item. */
    date_assignment: column.utcTime({
      description: 'UTC, `YYYY-MM-DDThh:mm:ssZ`; empty when not known.',
      examples: ['2024-03-01T09:30:00Z']
    }),
    /** Time of the conclusion, in UTC as `date_assignment`, `YYYY-MM-DDThh:mm:ssZ` in an item. Null until then. */
    date_conclusion: column.utcTime({
      whenNull: 'null',
      description: 'UTC, `YYYY-MM-DDThh:mm:ssZ`; null while the assessment is not concluded.',
      examples: ['2024-03-02T16:05:00Z']
    })
  },
  columns: {
    /** Time of the creation, which sorts the list. Not null. */
    created_at: column.wallTime({ whenNull: 'error' })
  },
  id: 'assessment_id',
  owner: 'user_id',
  practitioner: 'practitioner_id',
  order: '-created_at',

  search: {
    columns: ['users.first_name', 'users.last_name', 'users.email'],
    required: true,
    description:
      "A part of the user's first name, last name or email. `%` and `_` have no special meaning, and A to Z match in either case. An empty text matches every assessment.",
    examples: ['an']
  },
  filters: {
    /** Only assessments with exactly this status. The default is every status. */
    status: { description: 'Only assessments with this status.', examples: ['completed'] }
  },

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

/** Columns of the `assessments` table. Null values and zero dates become '', or null in `date_conclusion`. */
export interface AssessmentColumns extends RowsOf<(typeof assessments)['columns']> {
  assessment_id: string | number | bigint
}

/** The query of `GET /assessment/list` with default paging, as a JSON schema and a type (contract 8 to 23). */
export const AssessmentQuery: (typeof assessments)['query'] = assessments.query
export type AssessmentQuery = QueryOf<typeof assessments>

/** An assessment in an answer, as a JSON schema and a type (contract 33 to 48). */
export const AssessmentItem: (typeof assessments)['item'] = assessments.item
export type AssessmentItem = ItemOf<typeof assessments>

/** A 200 answer of `GET /assessment/list`, as a JSON schema and a type (contract 26 to 31). */
export const AssessmentPage: (typeof assessments)['page'] = assessments.page
export type AssessmentPage = PageProperties & {
  /** The assessments of this page, newest first. Empty for a page past the end. */
  assessments: AssessmentItem[]
}

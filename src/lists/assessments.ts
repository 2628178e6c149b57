/** The list `GET /assessment/list` (contract 1). */
import { type Static, Type } from '@sinclair/typebox'
import { distinctTexts, enumeration, id, oneOf, text, textOrNull, utcTime, utcTimeOrNull } from './fields.js'
import { defineList } from './list.js'
import { maxTextLength } from './schemas.js'

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
export type AssessmentQuery = Static<typeof AssessmentQuery>

/** An assessment in an answer, as a JSON schema and a type (contract 33 to 48). */
export const AssessmentItem = assessments.item
export type AssessmentItem = Static<typeof AssessmentItem>

/** A 200 answer of `GET /assessment/list`, as a JSON schema and a type (contract 26 to 31). */
export const AssessmentPage = assessments.answer
export type AssessmentPage = Static<typeof AssessmentPage>

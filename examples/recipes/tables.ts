import type { ListingTables } from 'fastify-assessment-payment-listing'
import { type Kysely, sql } from 'kysely'

interface DB {
  members: { id: number; given_name: string; family_name: string; mail: string; photo: string | null }
  teams: { id: number; name: string }
  team_members: { team_id: number; member_id: number }
  tests: {
    nr: string
    licence: string
    kind: string
    member_id: number
    coach_id: number | null
    assigned: Date
    finished: Date | null
    created: Date
  }
}

export const tablesOf = (db: Kysely<DB>) =>
  ({
    // Renamed columns.
    users: db
      .selectFrom('members')
      .select(['id as user_id', 'given_name as first_name', 'family_name as last_name'])
      .select(['mail as email', 'photo as avatar_url']),
    // A join.
    memberships: db
      .selectFrom('team_members')
      .innerJoin('teams', 'teams.id', 'team_members.team_id')
      .select(['team_members.member_id as user_id', 'teams.name as org_name']),
    // A computed column.
    assessments: db
      .selectFrom('tests')
      .select(['nr as assessment_id', 'licence', 'kind as assessment_type'])
      .select(['member_id as user_id', 'coach_id as practitioner_id'])
      .select(sql<'completed' | 'pending'>`case when finished is null then 'pending' else 'completed' end`.as('status'))
      .select(['assigned as date_assignment', 'finished as date_conclusion', 'created as created_at']),
    // A view.
    payments: 'billing.payment_view'
  }) satisfies ListingTables

/**
 * A schema with its own words and numeric ids: accounts, companies, mentors, questionnaire runs and invoices
 * in cents. What the mapping has to solve: every column has another name, an organization's name is one join
 * away, and an amount is a computed column.
 *
 * `resolveRole` returns the number of the account: `{ userId: account.account_no, role }`.
 *
 * A select that only renames costs nothing: the database looks through it and uses the indexes below it. Here
 * those are (account_no, issued_at, invoice_no) and (issued_at, invoice_no) on invoices, the same on runs.
 */
import type { ListingTables } from 'fastify-assessment-payment-listing'
import { type Kysely, sql } from 'kysely'

export interface DB {
  accounts: { account_no: number; forename: string; surname: string; mail: string; picture: string | null }
  companies: { company_no: number; title: string }
  company_accounts: { company_no: number; account_no: number }
  mentor_accounts: { mentor_no: number; account_no: number }
  runs: {
    run_no: number
    code: string
    questionnaire: string
    account_no: number
    mentor_no: number | null
    state: 'completed' | 'pending' | 'reserved'
    started_at: Date | null
    finished_at: Date | null
    booked_at: Date
  }
  invoices: {
    invoice_no: number
    account_no: number
    cents: number
    pieces: number
    stripe_id: string
    settled_at: Date | null
    method: string
    state: string
    stripe_state: string
    issued_at: Date
  }
}

export const tablesOf = (db: Kysely<DB>): ListingTables => ({
  users: db
    .selectFrom('accounts')
    .select([
      'account_no as user_id',
      'forename as first_name',
      'surname as last_name',
      'mail as email',
      'picture as avatar_url'
    ]),
  memberships: db
    .selectFrom('company_accounts')
    .innerJoin('companies', 'companies.company_no', 'company_accounts.company_no')
    .select(['company_accounts.account_no as user_id', 'companies.title as org_name']),
  links: db.selectFrom('mentor_accounts').select(['mentor_no as owner_id', 'account_no as user_id']),
  assessments: db
    .selectFrom('runs')
    .select(['run_no as assessment_id', 'code as licence', 'questionnaire as assessment_type'])
    .select(['account_no as user_id', 'mentor_no as practitioner_id', 'state as status'])
    .select(['started_at as date_assignment', 'finished_at as date_conclusion', 'booked_at as created_at']),
  payments: db
    .selectFrom('invoices')
    .select(['invoice_no as payment_id', 'account_no as user_id', sql<string>`cents / 100.0`.as('amount')])
    .select(['pieces as quantity', 'stripe_id as payment_intent', 'settled_at as paid_at'])
    .select(['method as payment_method', 'state as payment_status', 'stripe_state as processor_status'])
    .select('issued_at as created_at')
})

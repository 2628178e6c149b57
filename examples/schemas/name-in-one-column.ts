/**
 * A MySQL or MariaDB schema that has a person's name in one column, `Ana de la Cruz`. What the mapping has to solve:
 * two names of one. The first word becomes the first name and the rest the last name; a single word is a first
 * name, with an empty last name.
 *
 * `resolveRole` returns the contact's id: `{ userId: contact.id, role }`.
 *
 * A search looks into each column by itself, so `ana` and `la cruz` are found and `ana de` is not: it stands in no
 * column. Clients who search for whole names are better off with all of it as the first name and `''` as the last.
 *
 * Only names are computed here, and no list is ordered or restricted by them: every plan is that of plain columns.
 * On PostgreSQL the two are `split_part(name, ' ', 1)` and `substr(name, strpos(name || ' ', ' ') + 1)`.
 */
import type { ListingTables } from 'fastify-assessment-payment-listing'
import { type Kysely, sql } from 'kysely'

export interface DB {
  contacts: { id: number; name: string; email: string; photo: string | null }
  contact_companies: { contact_id: number; company: string }
  coaches: { coach_id: number; contact_id: number }
  assessments: {
    id: number
    licence: string
    type: string
    contact_id: number
    coach_id: number | null
    status: 'completed' | 'pending' | 'reserved'
    assigned_at: Date | null
    concluded_at: Date | null
    created_at: Date
  }
  payments: {
    id: number
    contact_id: number
    amount: string
    quantity: number
    intent: string
    paid_at: Date | null
    method: string
    status: string
    processor_status: string
    created_at: Date
  }
}

const firstWord = sql<string>`substring_index(name, ' ', 1)`
const otherWords = sql<string>`substr(name, char_length(${firstWord}) + 2)`

export const tablesOf = (db: Kysely<DB>): ListingTables => ({
  users: db
    .selectFrom('contacts')
    .select(['id as user_id', firstWord.as('first_name'), otherWords.as('last_name')])
    .select(['email', 'photo as avatar_url']),
  memberships: db.selectFrom('contact_companies').select(['contact_id as user_id', 'company as org_name']),
  links: db.selectFrom('coaches').select(['coach_id as owner_id', 'contact_id as user_id']),
  assessments: db
    .selectFrom('assessments')
    .select(['id as assessment_id', 'licence', 'type as assessment_type', 'contact_id as user_id', 'status'])
    .select(['coach_id as practitioner_id', 'assigned_at as date_assignment', 'concluded_at as date_conclusion'])
    .select('created_at'),
  payments: db
    .selectFrom('payments')
    .select(['id as payment_id', 'contact_id as user_id', 'amount', 'quantity', 'intent as payment_intent'])
    .select(['paid_at', 'method as payment_method', 'status as payment_status', 'processor_status', 'created_at'])
})

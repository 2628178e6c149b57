/** The host's tables: users under names of its own, the rest as the lists know them. */
import { readFileSync } from 'node:fs'
import type {
  AssessmentColumns,
  LinkColumns,
  ListingTables,
  MembershipColumns,
  PaymentColumns,
  UserColumns
} from 'fastify-assessment-payment-listing'
import type { Generated, Kysely } from 'kysely'

export interface DB {
  members: { id: Generated<number>; given_name: string; family_name: string; mail: string; photo: string | null }
  memberships: MembershipColumns
  links: LinkColumns
  assessments: AssessmentColumns
  payments: PaymentColumns
}

const names = ['id as user_id', 'given_name as first_name', 'family_name as last_name'] as const

export const tablesOf = (db: Kysely<DB>) =>
  ({
    users: db.selectFrom('members').select([...names, 'mail as email', 'photo as avatar_url']),
    links: 'links'
  }) satisfies ListingTables

export const lackingRelationsOf = (db: Kysely<DB>) =>
  ({
    // @ts-expect-error the column email is missing
    users: db.selectFrom('members').select([...names, 'photo as avatar_url'])
  }) satisfies ListingTables

/** Fills the tables, which are there already. */
export async function fill(db: Kysely<DB>): Promise<void> {
  const { users, ...others } = JSON.parse(readFileSync('rows.json', 'utf8')) as {
    users: (UserColumns & { user_id: number; first_name: string; last_name: string; email: string })[]
  }
  const members = users.map(({ user_id, first_name, last_name, email, avatar_url }) => ({
    id: user_id,
    given_name: first_name,
    family_name: last_name,
    mail: email,
    photo: avatar_url
  }))
  await db.insertInto('members').values(members).execute()
  for (const [table, rows] of Object.entries(others)) {
    await db
      .insertInto(table as 'links')
      .values(rows as LinkColumns[])
      .execute()
  }
}

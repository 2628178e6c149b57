import type { ListingTables } from 'fastify-assessment-payment-listing'
import { type Kysely, type NotNull, sql } from 'kysely'

interface DB {
  members: { id: number; name: string; mail: string; company: string | null; coach_id: number | null }
}

export const tablesOf = (db: Kysely<DB>) =>
  ({
    // The first word, and the rest. On PostgreSQL: split_part(name, ' ', 1), substr(name, strpos(name || ' ', ' ') + 1).
    users: db
      .selectFrom('members')
      .select(['id as user_id', sql<string>`substring_index(name, ' ', 1)`.as('first_name')])
      .select(sql<string>`substr(name, char_length(substring_index(name, ' ', 1)) + 2)`.as('last_name'))
      // Nobody has a picture.
      .select(['mail as email', sql<null>`null`.as('avatar_url')]),
    // An empty company is no organization.
    memberships: db.selectFrom('members').where('company', '<>', '').select(['id as user_id', 'company as org_name']),
    // With an index on coach_id.
    links: db
      .selectFrom('members')
      .where('coach_id', 'is not', null)
      .select(['coach_id as owner_id', 'id as user_id'])
      .$narrowType<{ owner_id: NotNull }>()
  }) satisfies ListingTables

/** For a database without links. */
export const noLinks = (db: Kysely<DB>) =>
  db.selectFrom('members').select(['id as owner_id', 'id as user_id']).where(sql<boolean>`1 = 0`)

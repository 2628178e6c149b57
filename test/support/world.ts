/**
 * The small world has every case once: each role, linked users, equal values of created_at, missing data, and names
 * with SQL wildcards.
 */
import { listingMigrations } from '../../src/database/migrations.js'
import type { Db } from './databases.js'

export const users = [
  { user_id: 1, first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', avatar_url: 'https://cdn/1.png' },
  { user_id: 2, first_name: 'Ben', last_name: "O'Hara", email: 'ben_100%@example.org', avatar_url: null },
  { user_id: 3, first_name: 'Cleo', last_name: 'Back\\slash', email: 'cleo!@example.com', avatar_url: null },
  { user_id: 4, first_name: 'Jane', last_name: 'Doe', email: 'jane.doe@example.com', avatar_url: null },
  { user_id: 10, first_name: 'Pat', last_name: 'Practice', email: 'pat@example.net', avatar_url: null },
  { user_id: 11, first_name: 'Mo', last_name: 'Master', email: 'mo@example.net', avatar_url: null },
  { user_id: 12, first_name: 'Ina', last_name: 'Institute', email: 'ina@example.net', avatar_url: null },
  { user_id: 20, first_name: 'Al', last_name: 'Admin', email: 'al@example.net', avatar_url: null },
  { user_id: 21, first_name: 'Su', last_name: 'Super', email: 'su@example.net', avatar_url: null },
  { user_id: 30, first_name: 'Ora', last_name: 'Ordinary', email: 'ora@example.org', avatar_url: null }
]

export const memberships = [
  { user_id: 1, org_name: 'Zenith' },
  { user_id: 1, org_name: 'Acme' },
  { user_id: 1, org_name: 'acme sub' },
  { user_id: 2, org_name: '日本' },
  { user_id: 2, org_name: 'Ä-Org' }
]

export const links = [
  { owner_id: 10, user_id: 1 },
  { owner_id: 10, user_id: 2 },
  { owner_id: 11, user_id: 2 },
  { owner_id: 11, user_id: 3 },
  { owner_id: 12, user_id: 3 },
  { owner_id: 12, user_id: 4 },
  // A user who is linked to themselves still sees each record once.
  { owner_id: 12, user_id: 12 }
]

const states = ['completed', 'pending', 'reserved']
const processorStates = ['succeeded', 'pending', 'complete']

/** Three assessments per user. Two of the three share their creation date with other assessments. */
export const assessments = users.flatMap(({ user_id }, index) =>
  states.map((status, state) => ({
    assessment_id: index * 3 + state + 1,
    licence: `LIC-${index}`,
    assessment_type: 'personality',
    user_id,
    practitioner_id: state === 2 ? null : 10,
    status,
    date_assignment: '2024-03-01 09:30:00',
    date_conclusion: status === 'completed' ? '2024-03-02 16:05:00' : null,
    created_at: state === 0 ? `2024-01-0${(index % 9) + 1} 08:00:00` : '2024-02-01 12:00:00'
  }))
)

/** Three payments per user, and one payment of a guest. */
export const payments = [
  ...users.flatMap(({ user_id }, index) =>
    processorStates.map((processor_status, state) => ({
      payment_id: index * 3 + state + 1,
      user_id: user_id as number | null,
      amount: 10.5 + index,
      quantity: state + 1,
      payment_intent: `pi_${index}_${state}`,
      paid_at: state === 1 ? null : '2024-03-01 10:00:00',
      payment_method: 'card',
      payment_status: state === 1 ? 'open' : 'paid',
      processor_status,
      created_at: '2024-02-01 12:00:00'
    }))
  ),
  {
    ...{ payment_id: 99, user_id: null, amount: 1, quantity: 1, payment_intent: 'pi_guest', paid_at: null },
    ...{ payment_method: 'cash', payment_status: 'open', processor_status: 'pending' },
    created_at: '2023-01-01 00:00:00'
  }
]

/** One caller of each role. */
export const individual = { role: 'Individual', userId: 1 }
export const practitioner = { role: 'Practitioner', userId: 10 }
export const admin = { role: 'Admin', userId: 20 }
export const callers = [
  individual,
  practitioner,
  { role: 'Master Practitioner', userId: 11 },
  { role: 'Institutional', userId: 12 },
  admin,
  { role: 'Super Admin', userId: 21 },
  { role: 'ordinary user', userId: 30 }
]

/** Creates the default tables. */
export async function createTables(db: Db): Promise<void> {
  for (const { up } of Object.values(listingMigrations)) await up(db)
}

/** Creates the default tables and fills them. */
export async function fill(
  db: Db,
  tables: object = { users, memberships, links, assessments, payments }
): Promise<void> {
  await createTables(db)
  await insert(db, tables)
}

/** Inserts rows, by the names of their tables. SQLite takes 32,766 parameters in a statement. */
export async function insert(db: Db, tables: object): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    for (let start = 0; start < rows.length; start += 1000) {
      await db
        .insertInto(table)
        .values(rows.slice(start, start + 1000))
        .execute()
    }
  }
}

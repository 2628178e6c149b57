/**
 * A host in TypeScript that asks its own lists and prints the answers. Compiled as an ECMAScript module and
 * as CommonJS, as the package.json beside it says: so it has no `await` outside of functions.
 */
import { readFileSync } from 'node:fs'
import jwt from '@fastify/jwt'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyRequest } from 'fastify'
import listing, {
  type AssessmentColumns,
  AssessmentItem,
  type AssessmentPage,
  type LinkColumns,
  type ListingCaller,
  type ListingOptions,
  type ListingTables,
  listingMigrations,
  PaymentItem,
  type PaymentPage,
  type UserColumns
} from 'fastify-assessment-payment-listing'
import { Kysely } from 'kysely'
import { Migrator } from './migrator.js'
import { sqlite } from './sqlite.js'

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sub: string }
  }
}

const resolveRole = async ({ user: { sub } }: FastifyRequest): Promise<ListingCaller | null> =>
  sub === '2' ? { userId: sub, role: 'Practitioner' } : null

interface DB {
  users: UserColumns
  links: LinkColumns
  assessments: AssessmentColumns
}

const names = ['user_id', 'first_name', 'last_name', 'avatar_url'] as const

const tablesOf = (db: Kysely<DB>) =>
  ({ users: db.selectFrom('users').select([...names, 'email']), links: 'links' }) satisfies ListingTables

export const lackingRelationsOf = (db: Kysely<DB>) =>
  ({
    // @ts-expect-error the column email is missing
    users: db.selectFrom('users').select([...names])
  }) satisfies ListingTables

/** A schema of the host around a schema of the lists. */
export const PaymentsOfDay = Type.Object({
  day: Type.String(),
  payments: Type.Array(PaymentItem)
})

/** What a host does with an answer, by its static type. */
function check({ assessments }: AssessmentPage, { data }: PaymentPage): void {
  const assessment: AssessmentItem | undefined = assessments[0]
  const payment: PaymentItem | undefined = data[0]
  if (!assessment || !payment) throw new Error('An empty page.')
  const state: 'completed' | 'pending' | 'reserved' = assessment.status
  const picture: string | null = assessment.avatarUrl
  if (state !== 'pending' || picture !== null || assessment.org_names.join() !== 'Acme') throw new Error('Another one.')
  if ((payment.amount * payment.quantity).toFixed(2) !== '259.00') throw new Error('Another payment.')
  for (const [item, { properties }] of [[assessment, AssessmentItem] as const, [payment, PaymentItem] as const]) {
    if (Object.keys(item).join() !== Object.keys(properties).join()) throw new Error('The schema has other fields.')
  }
}

async function main(): Promise<void> {
  const db = new Kysely<DB>({ dialect: sqlite() })
  const provider = { getMigrations: async () => listingMigrations }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
  const tables: Record<'links', LinkColumns[]> = JSON.parse(readFileSync('rows.json', 'utf8'))
  for (const [table, rows] of Object.entries(tables))
    await db
      .insertInto(table as 'links')
      .values(rows)
      .execute()

  const app = Fastify()
  await app.register(jwt, { secret: 'a secret of at least thirty-two characters' })
  await app.register(listing, { prefix: '/direct', db, resolveRole, tables: tablesOf(db) })
  const options: ListingOptions = { db: () => db, resolveRole, tables: tablesOf, maxLimit: 50 }
  await app.register(import('fastify-assessment-payment-listing'), { prefix: '/imported', ...options })

  const headers = { authorization: `Bearer ${app.jwt.sign({ sub: '2' })}` }
  for (const prefix of ['/direct', '/imported']) {
    const assessments = await app.inject({ url: `${prefix}/assessment/list?search=zo`, headers })
    const payments = await app.inject({ url: `${prefix}/payment/list`, headers })
    console.log(`${assessments.body}\n${payments.body}`)
    check(assessments.json(), payments.json())
  }
  await app.close()
  await db.destroy()
}

void main()

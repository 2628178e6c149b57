/**
 * A host in TypeScript that asks its own lists and prints the answers. Compiled as an ECMAScript module and
 * as CommonJS, as the package.json beside it says: so it has no `await` outside of functions.
 */
import jwt from '@fastify/jwt'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyRequest } from 'fastify'
import listing, {
  AssessmentItem,
  type AssessmentPage,
  type ListingCaller,
  type ListingOptions,
  PaymentItem,
  type PaymentPage
} from 'fastify-assessment-payment-listing'
import { Kysely } from 'kysely'
import { migrate } from './migrate.js'
import { sqlite } from './sqlite.js'
import { type DB, fill, tablesOf } from './tables.js'

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sub: string }
  }
}

async function resolveRole({ user: { sub } }: FastifyRequest): Promise<ListingCaller | null> {
  return sub === '2' ? { userId: sub, role: 'Practitioner' } : null
}

/** A schema of the host around a schema of the lists, as docs/openapi.md writes it for CommonJS. */
export const PaymentsOfDay = Type.Object({
  day: Type.String(),
  payments: Type.Array(Type.Unsafe<PaymentItem>(PaymentItem))
})

/** What a host does with an answer, by its static type. */
function checkAssessments(page: AssessmentPage): void {
  for (const item of page.assessments) {
    const { status, avatarUrl, org_names }: AssessmentItem = item
    const state: 'completed' | 'pending' | 'reserved' = status
    const picture: string | null = avatarUrl
    const names = Object.keys(AssessmentItem.properties)
    if (state !== 'pending' || picture !== null || org_names.join() !== 'Acme') throw new Error('Another assessment.')
    if (Object.keys(item).join() !== names.join()) throw new Error(`The schema says ${names}.`)
  }
}

function checkPayments(page: PaymentPage): void {
  for (const item of page.data) {
    const { amount, quantity }: PaymentItem = item
    const names = Object.keys(PaymentItem.properties)
    if ((amount * quantity).toFixed(2) !== '259.00') throw new Error('Another payment.')
    if (Object.keys(item).join() !== names.join()) throw new Error(`The schema says ${names}.`)
  }
}

async function main(): Promise<void> {
  const db = new Kysely<DB>({ dialect: sqlite() })
  await migrate(db)
  await fill(db)

  const app = Fastify()
  await app.register(jwt, { secret: 'a secret of at least thirty-two characters' })
  await app.register(listing, { prefix: '/direct', db, resolveRole, tables: tablesOf(db) })
  const options: ListingOptions = { db: () => db, resolveRole, tables: tablesOf, maxLimit: 50 }
  await app.register(import('fastify-assessment-payment-listing'), { prefix: '/imported', ...options })

  const headers = { authorization: `Bearer ${app.jwt.sign({ sub: '2' })}` }
  for (const prefix of ['/direct', '/imported']) {
    const assessments = await app.inject({ url: `${prefix}/assessment/list?search=zo`, headers })
    const payments = await app.inject({ url: `${prefix}/payment/list`, headers })
    console.log(assessments.body)
    console.log(payments.body)
    checkAssessments(assessments.json())
    checkPayments(payments.json())
  }
  await app.close()
  await db.destroy()
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})

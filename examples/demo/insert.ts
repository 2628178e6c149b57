/** "Insert a record": a copy of the newest record that a caller sees, so that an open page shows how the others move. */
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { DemoCaller, DemoListings } from './page.js'

const tables = {
  assessments: { id: 'assessment_id', time: 'created_at' },
  payments: { id: 'payment_id', time: 'created_at' },
  certificates: { id: 'certificate_id', time: 'issued_at' }
} as const

interface Wanted {
  list: keyof typeof tables
  userId: number
}

/** A request that names no caller of the demo and no list is a 404. */
export async function insertion(
  app: FastifyInstance,
  {
    callers,
    listings,
    db
  }: { callers: DemoCaller[]; listings: DemoListings; db: Kysely<Record<string, Record<string, unknown>>> }
): Promise<void> {
  app.post<{ Body: Wanted }>('/demo/records', { schema: { hide: true } }, async ({ body }, reply) => {
    const { list, userId } = body
    const caller = callers.find((caller) => caller.userId === userId)
    if (!caller || !Object.hasOwn(tables, list)) return reply.code(404).send({ error: 'No such list or caller.' })
    const query = { search: '', limit: 1 }
    const { items } = await listings.find(list, { caller: { userId, role: caller.roles }, query })
    const [newest] = items as Record<string, unknown>[]
    if (!newest) return reply.code(404).send({ error: `${caller.name} sees no record to copy.` })

    const { id, time } = tables[list]
    const row = await db.selectFrom(list).selectAll().where(id, '=', newest[id]).executeTakeFirstOrThrow()
    const { last } = await db
      .selectFrom(list)
      .select((eb) => eb.fn.max(id).as('last'))
      .executeTakeFirstOrThrow()
    const next = Number(last) + 1
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
    const changed = { [id]: next, [time]: now, ...(list === 'payments' && { payment_intent: `pi_inserted_${next}` }) }
    await db
      .insertInto(list)
      .values({ ...row, ...changed })
      .execute()
    return reply.code(201).send({ id: String(next) })
  })
}

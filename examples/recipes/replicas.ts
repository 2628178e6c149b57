import type { FastifyInstance } from 'fastify'
import listing, { checkDatabase, formatFindings, type ListingOptions } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'

/** Each request uses the next replica. */
export async function addLists<DB>(
  app: FastifyInstance,
  replicas: Kysely<DB>[],
  options: Omit<ListingOptions<Kysely<DB>>, 'db'>
) {
  for (const db of replicas) {
    // A replica that is down does not stop the boot.
    const findings = await checkDatabase({ ...options, db }).catch((error) => {
      app.log.warn(error, 'A replica was not checked.')
      return []
    })
    if (findings.some(({ level }) => level === 'error')) throw new Error(formatFindings(findings))
  }
  let turn = 0
  await app.register(listing, { ...options, db: () => replicas[turn++ % replicas.length] as Kysely<DB> })
}

/** Callers of the small world get the same records, order, pages and totals from the lists and from the oracle. */
import t from 'tap'
import { databases } from '../support/databases.js'
import { expected } from '../support/oracle.js'
import { serve, shown } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { callers } from '../support/world.js'

/** Every page of four records, to a page past the end: reads from both ends, with and without a search and a filter. */
const everyPage = [
  '/assessment/list?search=',
  '/assessment/list?search=&status=pending',
  '/assessment/list?search=example.org',
  '/payment/list?search=',
  '/payment/list?search=&processor_status=pending',
  '/payment/list?search=EXAMPLE.ORG'
]
const onePage = [
  '/assessment/list?search=a&limit=100',
  '/assessment/list?search=O&status=pending&limit=100',
  '/assessment/list?search=nobody',
  '/payment/list?search=pi_1&processor_status=pending&limit=100',
  '/payment/list',
  '/payment/list?search=pi__',
  '/payment/list?processor_status=open'
]

// `reach.test.ts` gives the two other roles the reach of one of these.
const asking = callers.filter(({ role }) => !['Master Practitioner', 'Super Admin'].includes(role))

for (const name of databases) {
  t.test(`a caller of each reach gets the answers of the oracle on ${name}`, async (t) => {
    const { get } = await serve(t, { db: await openWorld(t, name) })
    for (const caller of asking) {
      const pages = everyPage.flatMap((url) =>
        Array.from(
          { length: (expected(url, caller).total ?? 0) / 4 + 2 },
          (_, page) => `${url}&limit=4&page=${page + 1}`
        )
      )
      for (const url of [...pages, ...onePage]) {
        t.strictSame(shown(await get(url, caller)), expected(url, caller), `${url} as the ${caller.role}`)
      }
    }
  })
}

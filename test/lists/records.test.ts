/** Each caller of the small world gets the same records, order, pages and totals from the lists and from the oracle. */
import t from 'tap'
import { databases } from '../support/databases.js'
import { expected } from '../support/oracle.js'
import { serve, shown } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { callers } from '../support/world.js'

const searches = {
  '/assessment/list': ['', 'a', 'O', 'example.org', 'nobody', '%', 'n_e'],
  '/payment/list': ['', 'pi_1', 'EXAMPLE.ORG', 'nobody', '%', 'pi__']
}
const filters = {
  '/assessment/list': ['status=', 'status=pending'],
  '/payment/list': ['processor_status=', 'processor_status=pending', 'processor_status=open']
}

for (const name of databases) {
  t.test(`every caller gets the answers of the oracle on ${name}`, async (t) => {
    const db = await openWorld(t, name)
    const { get } = await serve(t, { db })
    for (const path of ['/assessment/list', '/payment/list'] as const) {
      for (const caller of callers) {
        t.test(`${path} as the ${caller.role}`, async (t) => {
          for (const search of searches[path]) {
            for (const filter of filters[path]) {
              const query = `${path}?search=${encodeURIComponent(search)}&${filter}`
              const { total = 0 } = expected(query, caller)
              // Every page of what a search with and one without a term finds.
              const number = ['', 'example.org'].includes(search.toLowerCase()) ? total / 4 + 2 : 1
              const pages = Array.from({ length: number }, (_, index) => `&limit=4&page=${index + 1}`)
              for (const page of ['&limit=100', ...pages]) {
                t.strictSame(shown(await get(query + page, caller)), expected(query + page, caller), query + page)
              }
            }
          }
        })
      }
    }
  })
}

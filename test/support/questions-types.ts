/** Types of lists with pages after a record, counts and one record. Compiled only. */
import type { Kysely } from 'kysely'
import {
  assessments,
  column,
  createListings,
  defineList,
  type PageOf,
  payments,
  type QueryOf
} from '../../src/index.js'

const jobs = defineList({
  name: 'jobs',
  path: '/job/list',
  key: 'jobs',
  openapi: { name: 'Job', operationId: 'listJobs', summary: 'List jobs', description: 'Newest first.' },
  fields: {
    job_id: column.id({ examples: ['5'] }),
    state: column.enum(['open', 'paid'], { examples: ['open'] }),
    held: column.boolean({ examples: [true] }),
    made_at: column.utcTime({ whenNull: 'error', examples: ['2026-01-01T00:00:00Z'] })
  },
  id: 'job_id',
  order: '-made_at',
  filters: {
    state: { several: true, counted: true, examples: ['open'] },
    held: { counted: true, examples: [true] }
  },
  roles: { Admin: 'all' },
  messages: { found: 'Found.', forbidden: 'No.' }
})
const after = jobs.extend({
  path: '/job/after',
  paging: 'after',
  record: { path: '/job/:job_id', key: 'job', messages: { found: 'Found.', notFound: 'No.' } }
})

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const is = <_Check extends true>() => undefined

is<Equal<PageOf<typeof after>['next'], string | null>>()
is<Equal<PageOf<typeof after>['total'], number | undefined>>()
is<Equal<'page' extends keyof PageOf<typeof after> ? true : false, false>>()
is<Equal<PageOf<typeof jobs>['total'], number>>()
is<Equal<NonNullable<NonNullable<PageOf<typeof jobs>['counts']>['state']>, Record<'open' | 'paid', number>>>()
is<Equal<NonNullable<NonNullable<PageOf<typeof jobs>['counts']>['held']>, Record<'true' | 'false', number>>>()
is<Equal<QueryOf<typeof after>['after'], string | undefined>>()
is<Equal<QueryOf<typeof after>['counts'], 'state' | 'held' | readonly ('state' | 'held')[] | undefined>>()

export async function calls(db: Kysely<Record<never, never>>) {
  const caller = { userId: 1, role: 'Admin' }
  const listings = createListings({ db, resolveRole: () => null, lists: [after] })
  const { next, counts } = await listings.find('jobs', { caller, query: { after: 'x', total: true, counts: 'state' } })
  const job = await listings.get('jobs', 77, { caller })
  // @ts-expect-error a list without page numbers
  await listings.find('jobs', { caller, query: { page: 2 } })
  // @ts-expect-error all records come without counts
  listings.each('jobs', { caller, query: { counts: 'state' } })
  const numbered = createListings({ db, resolveRole: () => null, lists: [jobs] })
  // @ts-expect-error a list without 'record'
  await numbered.get('jobs', 77, { caller })
  return [next, counts?.state?.open, job?.state]
}

const counted = payments.extend({
  path: '/payment/after',
  paging: 'after',
  columns: { state: column.enum(['a', 'b']) },
  filters: { state: { counted: true, examples: ['a'] } },
  unshown: ['state']
})
const more = assessments.extend({ filters: { status: { counted: true } } })
is<Equal<NonNullable<NonNullable<PageOf<typeof more>['counts']>['status']>['pending'], number>>()
is<Equal<QueryOf<typeof more>['status'], 'completed' | 'pending' | 'reserved' | undefined>>()
is<Equal<NonNullable<NonNullable<PageOf<typeof counted>['counts']>['state']>, Record<'a' | 'b', number>>>()
// @ts-expect-error the list has the filter already
assessments.extend({ filters: { status: { several: true } } })
// @ts-expect-error a new filter needs examples
assessments.extend({ columns: { kind: column.enum(['a']) }, filters: { kind: { counted: true } } })

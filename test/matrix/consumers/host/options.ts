/** Options that a host exports, with their declaration, whose types the package exports. */
import {
  column,
  createListings,
  defineOptions,
  type ListingError,
  type ListingOptions,
  type ListingTables,
  listingMigrations,
  type PageOf,
  payments,
  type RowOf
} from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'
import { certificates } from './certificates.js'

declare const db: Kysely<{ certificates: { id: number } }>
const resolveRole = () => null

export const extended = payments.extend({
  fields: { currency: column.text({ roles: ['Admin'], examples: ['EUR'] }) },
  filters: { currency: { examples: ['EUR'] } }
})
export const options = defineOptions({ db, resolveRole, lists: [payments, certificates] })
export const defaultOptions = defineOptions({ db, resolveRole })
export const registered: ListingOptions<typeof db> = options
export const listings = createListings(options)
export const changed = { ...options, checkOnReady: 'off' as const }
export const own = defineOptions({
  db,
  resolveRole,
  lists: [extended],
  roles: { payments: { Desk: { own: 'user_id' } } }
})
export const changedOwn = { ...own, timeout: 5000 }
export const tables = (given: ListingTables) => ({ ...given, users: 'members' })
export const make = (given: ListingOptions) => createListings(given)
export const migrations = { ...listingMigrations }
export const row = (found: RowOf<typeof certificates>) => found
export const kindOf = ({ kind }: ListingError) => kind
export const page = (found: PageOf<typeof certificates>) => found.certificates

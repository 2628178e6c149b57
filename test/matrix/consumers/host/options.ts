/** Options that a host exports, with their declaration, whose types the package exports. */
import {
  createListings,
  defineOptions,
  type ListingError,
  type ListingOptions,
  listingMigrations,
  type PageOf,
  payments
} from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'
import { certificates } from './certificates.js'

declare const db: Kysely<{ certificates: { id: number } }>
const resolveRole = () => null

export const options = defineOptions({ db, resolveRole, lists: [payments, certificates] })
export const defaultOptions = defineOptions({ db, resolveRole })
export const registered: ListingOptions<typeof db> = options
export const listings = createListings(options)
export const changed = { ...options, checkOnReady: 'off' as const }
export const make = (given: ListingOptions) => createListings(given)
export const migrations = { ...listingMigrations }
export const kindOf = ({ kind }: ListingError) => kind
export const page = (found: PageOf<typeof certificates>) => found.certificates

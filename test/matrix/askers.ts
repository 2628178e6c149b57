/** Who asks the hosts: their users, with whom the lookup of the role may fail, and strangers. */
import type { ListingOptions } from '../../src/index.js'
import { badAuthorizations, token } from '../support/tokens.js'
import { callers } from '../support/world.js'

/** Whom a token names, and the host's users. */
export interface User {
  sub: string
  role: string
}

/** A user, who signs in however the host wants it, or somebody with a bad Authorization header. */
export type Asker = { name: string; user: User } | { name: string; authorization: string | undefined }

type Found = ReturnType<ListingOptions['resolveRole']>

/** What the lookup of a role may come to beside a role. */
const lookups: Record<string, () => Found> = {
  unknown: () => Promise.resolve(null),
  failing: () => {
    throw new Error('The lookup failed.')
  },
  'not paying': () => Promise.reject(Object.assign(new Error('Pay first.'), { statusCode: 402 })),
  away: () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
  endless: () => new Promise<never>(() => undefined)
}

/** The host's lookup: its users come with id and role. */
export const roleOf = ({ sub, role }: User): Found => lookups[role]?.() ?? { userId: sub, role }

const users = [
  ...callers.map(({ role, userId }) => ({ name: role, user: { sub: String(userId), role } })),
  ...Object.keys(lookups).map((role) => ({ name: role, user: { sub: '1', role } }))
]
const strangers = Object.entries(badAuthorizations)
  .map(([name, authorization]) => ({ name, authorization }))
  // no client sends a header with a control character in it
  .filter(({ name }) => name !== 'a control character')
const askers = new Map([...users, ...strangers].map((asker): [string, Asker] => [asker.name, asker]))

/** Whoever has this name: a role, what the lookup comes to, or what is wrong with the token. */
export function askerOf(name: string): Asker {
  const asker = askers.get(name)
  if (!asker) throw new Error(`Nobody is called '${name}'.`)
  return asker
}

export const strangerNames: readonly string[] = strangers.map(({ name }) => name)

export const bearer = (user: User): string => `Bearer ${token(user)}`

const usersByToken = new Map(users.map(({ user }) => [bearer(user), user]))

/** The user of an Authorization header, for hosts that have their own way to tell. */
export const userOf = (authorization = ''): User | undefined => usersByToken.get(authorization)
